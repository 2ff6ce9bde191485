/**
 * Who else has the canvas open, and telling them where this client is. Cursors, drags, selections and locks of others
 * as the server shows them; own ones at most 30 times a second, the first at once and the last never left out.
 */
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import type { Move, Position } from '../room/operations.ts';
import { readHolder, type LockHolder } from './held-locks.ts';
import { numberAt, textAt } from './payload.ts';
import type { CanvasTransport, ClientClock } from './transport.ts';

/** 30 a second: the server shows as many, and allows 60. */
const BEAT_MS = 33;

export interface Viewport extends Position {
  readonly zoom: number;
}

export interface Person {
  readonly sessionId: string;
  readonly userId: string;
  readonly name: string;
  readonly color: string;
  readonly state: 'active' | 'idle';
  readonly focus: { readonly nodeId: string; readonly field?: string } | null;
  /** Centre and zoom of what the person sees. */
  readonly viewport: Viewport | null;
  readonly selection: { readonly nodeIds: readonly string[]; readonly edgeIds: readonly string[] };
}

/** What is told to the others. */
export interface Activity {
  readonly state: 'active' | 'idle';
  readonly focus?: { readonly nodeId: string; readonly field?: string };
  readonly viewport?: Viewport;
}

export interface RunNews {
  readonly runId: string;
  /** Null: the run as a whole. */
  readonly nodeId: string | null;
  readonly status: string;
  readonly seq: number;
}

export interface PresenceOptions {
  readonly transport: CanvasTransport;
  readonly workflowId: string;
  readonly clock: ClientClock;
  /** Somebody came, left, selected, looks elsewhere, or a lock changed. */
  onPeople?(): void;
  /** Flow coordinates; null: the cursor is gone. */
  onCursor?(sessionId: string, at: Position | null): void;
  onDrag?(sessionId: string, moves: readonly Move[]): void;
  onRun?(news: RunNews): void;
}

type Told = 'cursor:move' | 'node:drag' | 'selection:update' | 'presence:update';

/** Sends the latest of what it is given, at most once a beat: leading and trailing. */
class Beat {
  readonly #send: (value: object) => void;
  readonly #clock: ClientClock;
  #timer: object | number | null = null;
  #waiting: object | null = null;

  constructor(clock: ClientClock, send: (value: object) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  push(value: object): void {
    if (this.#timer !== null) {
      this.#waiting = value;
      return;
    }
    this.#send(value);
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null;
      const value = this.#waiting;
      this.#waiting = null;
      if (value !== null) this.push(value);
    }, BEAT_MS);
  }

  dispose(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting = null;
  }
}

export class Presence {
  readonly #options: PresenceOptions;
  readonly #beats = new Map<Told, Beat>();
  readonly #people = new Map<string, Person>();
  readonly #locks = new Map<string, LockHolder>();
  readonly #stops: (() => void)[] = [];
  /** Told again after every join: the server forgets who was away too long. */
  readonly #told = new Map<'selection:update' | 'presence:update', object>();
  #me: { readonly sessionId: string; readonly userId: string } | null = null;

  constructor(options: PresenceOptions) {
    this.#options = options;
    const hear = (event: string, act: (payload: JsonObject) => void): void => {
      this.#stops.push(
        options.transport.on(event, (payload) => {
          if (isObject(payload) && payload['workflowId'] === options.workflowId) act(payload);
        }),
      );
    };
    hear('workflow:joined', (payload) => this.#onJoined(payload));
    hear('presence:joined', (payload) => this.#meet(payload));
    hear('presence:updated', (payload) => this.#meet(payload));
    hear('selection:updated', (payload) => this.#meet({ ...payload, selection: payload }));
    hear('presence:left', (payload) => this.#part(textAt(payload, 'sessionId')));
    hear('cursor:moved', (payload) => {
      options.onCursor?.(textAt(payload, 'sessionId'), positionIn(payload));
    });
    hear('node:dragging', (payload) => {
      options.onDrag?.(textAt(payload, 'sessionId'), movesIn(ownValue(payload, 'moves')));
    });
    hear('node:locked', (payload) => {
      this.#lock(payload);
      options.onPeople?.();
    });
    hear('node:unlocked', (payload) => {
      // A stolen lock is told as two events; the old holder's end must not hide the new one.
      const nodeId = textAt(payload, 'nodeId');
      const holder = readHolder(ownValue(payload, 'holder'));
      if (this.#locks.get(nodeId)?.sessionId === holder?.sessionId) this.#locks.delete(nodeId);
      options.onPeople?.();
    });
    hear('run:progress', (payload) => {
      const nodeId = ownValue(payload, 'nodeId');
      options.onRun?.({
        runId: textAt(payload, 'runId'),
        nodeId: typeof nodeId === 'string' ? nodeId : null,
        status: textAt(payload, 'status'),
        seq: numberAt(payload, 'seq'),
      });
    });
  }

  /** This connection, as the server calls it; null before the first join. */
  get me(): { readonly sessionId: string; readonly userId: string } | null {
    return this.#me;
  }
  /** The others, in the order in which they came. */
  get people(): readonly Person[] {
    return [...this.#people.values()];
  }
  person(sessionId: string): Person | undefined {
    return this.#people.get(sessionId);
  }
  /** Who else holds the lock of a node; null when nobody does. */
  lockOf(nodeId: string): LockHolder | null {
    const holder = this.#locks.get(nodeId);
    return holder === undefined || holder.sessionId === this.#me?.sessionId ? null : holder;
  }

  /** Flow coordinates; null: the pointer has left the canvas. */
  cursor(at: Position | null): void {
    this.#tell('cursor:move', at ?? { hidden: true });
  }
  drag(moves: readonly Move[]): void {
    this.#tell('node:drag', { moves });
  }
  select(nodeIds: readonly string[], edgeIds: readonly string[]): void {
    const value = { nodeIds: nodeIds.slice(0, 500), edgeIds: edgeIds.slice(0, 500) };
    this.#told.set('selection:update', value);
    this.#tell('selection:update', value);
  }
  activity(activity: Activity): void {
    this.#told.set('presence:update', activity);
    this.#tell('presence:update', activity);
  }

  #tell(event: Told, value: object): void {
    let beat = this.#beats.get(event);
    if (beat === undefined) {
      const { transport, workflowId, clock } = this.#options;
      beat = new Beat(clock, (latest) => {
        if (transport.isConnected && this.#me !== null) transport.emit(event, { workflowId, ...latest });
      });
      this.#beats.set(event, beat);
    }
    beat.push(value);
  }

  #onJoined(payload: JsonObject): void {
    const you = ownValue(payload, 'you');
    this.#me = isObject(you) ? { sessionId: textAt(you, 'sessionId'), userId: textAt(you, 'userId') } : null;
    this.#people.clear();
    this.#locks.clear();
    for (const person of objectsIn(ownValue(payload, 'presence'))) {
      this.#read(person);
      const cursor = ownValue(person, 'cursor');
      if (isObject(cursor) && this.#people.has(textAt(person, 'sessionId'))) {
        this.#options.onCursor?.(textAt(person, 'sessionId'), positionIn(cursor));
      }
    }
    for (const lock of objectsIn(ownValue(payload, 'locks'))) this.#lock(lock);
    for (const [event, value] of this.#told) this.#tell(event, value);
    this.#options.onPeople?.();
  }

  #meet(payload: JsonObject): void {
    this.#read(payload);
    this.#options.onPeople?.();
  }

  #read(payload: JsonObject): void {
    const sessionId = textAt(payload, 'sessionId');
    if (sessionId === '' || sessionId === this.#me?.sessionId) return;
    const before = this.#people.get(sessionId);
    const [focus, viewport, selection] = ['focus', 'viewport', 'selection'].map((key) =>
      ownValue(payload, key),
    );
    const state = ownValue(payload, 'state');
    this.#people.set(sessionId, {
      sessionId,
      userId: textAt(payload, 'userId'),
      name: textAt(payload, 'name'),
      color: textAt(payload, 'color'),
      state: state === 'idle' || state === 'active' ? state : (before?.state ?? 'active'),
      focus: isObject(focus) ? readFocus(focus) : (before?.focus ?? null),
      viewport: isObject(viewport) ? readViewport(viewport) : (before?.viewport ?? null),
      selection: isObject(selection)
        ? { nodeIds: textsIn(selection['nodeIds']), edgeIds: textsIn(selection['edgeIds']) }
        : (before?.selection ?? { nodeIds: [], edgeIds: [] }),
    });
  }

  #part(sessionId: string): void {
    if (!this.#people.delete(sessionId)) return;
    this.#options.onCursor?.(sessionId, null);
    this.#options.onDrag?.(sessionId, []);
    this.#options.onPeople?.();
  }

  #lock(payload: JsonObject): void {
    const holder = readHolder(ownValue(payload, 'holder'));
    if (holder !== null) this.#locks.set(textAt(payload, 'nodeId'), holder);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    for (const beat of this.#beats.values()) beat.dispose();
  }
}

const objectsIn = (list: Json | undefined): JsonObject[] =>
  (Array.isArray(list) ? list : []).filter((entry) => isObject(entry));
const textsIn = (list: Json | undefined): string[] =>
  (Array.isArray(list) ? list : []).filter((entry) => typeof entry === 'string');

function positionIn(payload: JsonObject): Position | null {
  const [x, y] = [numberAt(payload, 'x'), numberAt(payload, 'y')];
  return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null;
}

function movesIn(list: Json | undefined): Move[] {
  return objectsIn(list).flatMap((move) => {
    const position = ownValue(move, 'position');
    const at = isObject(position) ? positionIn(position) : null;
    return at === null ? [] : [{ nodeId: textAt(move, 'nodeId'), position: at }];
  });
}

function readFocus(focus: JsonObject): Person['focus'] {
  const field = ownValue(focus, 'field');
  return { nodeId: textAt(focus, 'nodeId'), ...(typeof field === 'string' ? { field } : {}) };
}

function readViewport(viewport: JsonObject): Viewport | null {
  const at = positionIn(viewport);
  const zoom = numberAt(viewport, 'zoom');
  return at === null ? null : { ...at, zoom: Number.isFinite(zoom) ? zoom : 1 };
}
