/**
 * The other people on the canvas, outside React: their names and selections, their cursors (written to the elements), and
 * the nodes that they drag. A critically damped spring eases positions frame by frame.
 */
import type { Person, RemotePresence } from '../../../features/canvas/client/presence.ts';
import type { LockHolder } from '../../../features/canvas/client/held-locks.ts';
import { systemClock } from '../../../base/clock.ts';
import type { Move, Position } from '../../../features/canvas/room/operations.ts';

/** How stiff the spring is, in 1/s: it is within a pixel after some 150 ms. */
const STIFFNESS = 28;
const REST_PX = 0.3;
const FADE_MS = 20_000;
/** A drag whose end got lost glides back. */
const SILENT_MS = 1_500;

interface EasedPosition {
  x: number;
  y: number;
  vx: number;
  vy: number;
  target: Position;
  receivedAt: number;
}

export class Collaborators {
  #people: readonly Person[] = [];
  #locks: (nodeId: string) => LockHolder | null = () => null;
  readonly #cursors = new Map<string, EasedPosition>();
  readonly #drags = new Map<string, EasedPosition & { readonly sessionId: string }>();
  readonly #elements = new Map<string, HTMLElement>();
  readonly #listeners = new Set<() => void>();
  readonly #draggers = new Set<() => void>();
  #version = 0;
  #frame = 0;
  #last = 0;

  get version(): number {
    return this.#version;
  }
  get list(): readonly Person[] {
    return this.#people;
  }
  findLock(nodeId: string): LockHolder | null {
    return this.#locks(nodeId);
  }
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  /** Calls the listener in each frame in which somebody's drag has moved. */
  readonly onDrags = (listener: () => void): (() => void) => {
    this.#draggers.add(listener);
    return () => this.#draggers.delete(listener);
  };

  update(presence: RemotePresence): void {
    this.#people = presence.people;
    this.#locks = (nodeId) => presence.findLock(nodeId);
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }

  cursor(sessionId: string, at: Position | null): void {
    const before = this.#cursors.get(sessionId);
    if (at === null) this.#cursors.delete(sessionId);
    else if (before === undefined) this.#cursors.set(sessionId, eased(at));
    else Object.assign(before, { target: at, receivedAt: systemClock.monotonic() });
    this.#draw(sessionId);
    this.#start();
  }

  drag(sessionId: string, moves: readonly Move[]): void {
    if (moves.length === 0) this.#endDrags((drag) => drag.sessionId === sessionId);
    for (const { nodeId, position } of moves) {
      const before = this.#drags.get(nodeId);
      if (before === undefined) this.#drags.set(nodeId, { ...eased(position), sessionId });
      else Object.assign(before, { target: position, receivedAt: systemClock.monotonic() });
    }
    this.#start();
  }

  /** Ends the shown drag of nodes whose move has come as an operation. */
  dropped(nodeIds: Iterable<string>): void {
    for (const nodeId of nodeIds) this.#drags.delete(nodeId);
  }

  get drags(): ReadonlyMap<string, Position> {
    return this.#drags;
  }
  /** Writes a person's cursor to this element from now on; null ends that. */
  attach(sessionId: string, element: HTMLElement | null): void {
    if (element === null) this.#elements.delete(sessionId);
    else this.#elements.set(sessionId, element);
    this.#draw(sessionId);
  }

  #endDrags(isOver: (drag: EasedPosition & { readonly sessionId: string }) => boolean): void {
    for (const [nodeId, drag] of this.#drags) if (isOver(drag)) this.#drags.delete(nodeId);
    for (const listener of this.#draggers) listener();
  }

  #draw(sessionId: string): void {
    const element = this.#elements.get(sessionId);
    const at = this.#cursors.get(sessionId);
    if (element === undefined) return;
    const isSeen = at !== undefined && systemClock.monotonic() - at.receivedAt < FADE_MS;
    const opacity = isSeen ? '1' : '0';
    if (element.style.opacity !== opacity) element.style.opacity = opacity;
    if (at !== undefined) element.style.translate = `${at.x}px ${at.y}px`;
  }

  #start(): void {
    if (this.#frame !== 0) return;
    this.#last = systemClock.monotonic();
    this.#frame = requestAnimationFrame(this.#step);
  }

  readonly #step = (now: number): void => {
    const seconds = Math.min(0.05, Math.max(0.001, (now - this.#last) / 1000));
    this.#last = now;
    let isMoving = false;
    for (const [sessionId, cursor] of this.#cursors) {
      if (advance(cursor, seconds)) isMoving = true;
      this.#draw(sessionId);
    }
    let isDragged = false;
    for (const drag of this.#drags.values()) if (advance(drag, seconds)) isDragged = true;
    if ([...this.#drags.values()].some(({ receivedAt }) => now - receivedAt > SILENT_MS)) {
      this.#endDrags(({ receivedAt }) => now - receivedAt > SILENT_MS);
    } else if (isDragged) for (const listener of this.#draggers) listener();
    this.#frame = isMoving || this.#drags.size > 0 ? requestAnimationFrame(this.#step) : 0;
  };

  dispose(): void {
    cancelAnimationFrame(this.#frame);
  }
}

const eased = (at: Position): EasedPosition => ({
  ...at,
  vx: 0,
  vy: 0,
  target: at,
  receivedAt: systemClock.monotonic(),
});

/** One step of the spring. @returns whether it has moved */
function advance(eased: EasedPosition, seconds: number): boolean {
  const { target } = eased;
  const isAtRest = Math.abs(target.x - eased.x) < REST_PX && Math.abs(target.y - eased.y) < REST_PX;
  if (isAtRest) {
    const hasMoved = eased.x !== target.x || eased.y !== target.y;
    Object.assign(eased, { x: target.x, y: target.y, vx: 0, vy: 0 });
    return hasMoved;
  }
  for (const [at, speed] of [
    ['x', 'vx'],
    ['y', 'vy'],
  ] as const) {
    const force = STIFFNESS * STIFFNESS * (target[at] - eased[at]) - 2 * STIFFNESS * eased[speed];
    eased[speed] += force * seconds;
    eased[at] += eased[speed] * seconds;
  }
  return true;
}
