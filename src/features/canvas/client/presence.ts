/**
 * Presence on a canvas: holds the people, selections and locks of the other members, reports their cursors and drags, and sends
 * the own presence at most 30 times a second.
 */
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import type { Move, Position } from '../room/operations.ts';
import { readHolder, type LockHolder } from './held-locks.ts';
import { readNumber, readText } from './payload.ts';
import type { CanvasTransport, ClientClock } from './transport.ts';

/** 30 a second, as many as the server broadcasts; it accepts 60. */
const INTERVAL_MS = 33;
/** As many as the server accepts of nodes, and of edges. */
const MAX_SELECTED = 500;

interface Viewport extends Position {
  readonly zoom: number;
}

export interface Person {
  readonly sessionId: string;
  readonly userId: string;
  readonly name: string;
  readonly color: string;
  readonly state: 'active' | 'idle';
  readonly focus: { readonly nodeId: string; readonly field?: string } | null;
  /** Centre and zoom of the person's view. */
  readonly viewport: Viewport | null;
  readonly selection: { readonly nodeIds: readonly string[]; readonly edgeIds: readonly string[] };
}

/** Own activity, as it is sent to the other members. A missing field stays as it was sent last. */
interface Activity {
  readonly state: 'active' | 'idle';
  /** Null when no node is edited any more. */
  readonly focus?: { readonly nodeId: string; readonly field?: string } | null;
  readonly viewport?: Viewport;
}

export interface RunProgress {
  readonly runId: string;
  /** Null for the run as a whole. */
  readonly nodeId: string | null;
  readonly status: string;
  readonly seq: number;
  /** The handle whose edges an ended node took, null for none; missing for other statuses, and from older servers. */
  readonly selectedHandle?: string | null;
  /** The run_id of the segment that this segment continues after an answer. */
  readonly resumedFromRunId?: string;
}

interface PresenceOptions {
  readonly transport: CanvasTransport;
  readonly workflowId: string;
  readonly clock: ClientClock;
  /** Called when `people` or the result of `findLock` may have changed. */
  onPeople?(): void;
  /** Called with flow coordinates; with null when the cursor is hidden or its person has left. */
  onCursor?(sessionId: string, at: Position | null): void;
  /** Called with the positions of the dragged nodes; with an empty list when the person has left. */
  onDrag?(sessionId: string, moves: readonly Move[]): void;
  onRun?(progress: RunProgress): void;
}

type OwnEvent = 'cursor:move' | 'node:drag' | 'selection:update' | 'presence:update';

/** Sends the first value at once and then the latest one at most once per interval. */
class Throttle {
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
    }, INTERVAL_MS);
  }

  dispose(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting = null;
  }
}

export class RemotePresence {
  readonly #options: PresenceOptions;
  readonly #throttles = new Map<OwnEvent, Throttle>();
  readonly #people = new Map<string, Person>();
  readonly #locks = new Map<string, LockHolder>();
  readonly #unsubscribes: (() => void)[] = [];
  /** Sent again after every join, because the server forgets members that were away too long. */
  readonly #lastSent = new Map<'selection:update' | 'presence:update', object>();
  #me: { readonly sessionId: string; readonly userId: string } | null = null;

  constructor(options: PresenceOptions) {
    this.#options = options;
    const on = (event: string, handle: (payload: JsonObject) => void): void => {
      this.#unsubscribes.push(
        options.transport.on(event, (payload) => {
          if (isObject(payload) && payload['workflowId'] === options.workflowId) handle(payload);
        }),
      );
    };
    on('workflow:joined', (payload) => this.#onJoined(payload));
    on('presence:joined', (payload) => this.#onPersonChanged(payload));
    on('presence:updated', (payload) => this.#onPersonChanged(payload));
    on('selection:updated', (payload) => {
      const { nodeIds = [], edgeIds = [] } = payload;
      this.#onPersonChanged({ ...payload, selection: { nodeIds, edgeIds } });
    });
    on('presence:left', (payload) => this.#onLeft(readText(payload, 'sessionId')));
    on('cursor:moved', (payload) => {
      options.onCursor?.(readText(payload, 'sessionId'), readPosition(payload));
    });
    on('node:dragging', (payload) => {
      options.onDrag?.(readText(payload, 'sessionId'), readMoves(ownValue(payload, 'moves')));
    });
    on('node:locked', (payload) => {
      this.#setLock(payload);
      options.onPeople?.();
    });
    on('node:unlocked', (payload) => {
      // A stolen lock is broadcast as two events; the old holder's unlock must not remove the new lock.
      const nodeId = readText(payload, 'nodeId');
      const holder = readHolder(ownValue(payload, 'holder'));
      if (this.#locks.get(nodeId)?.sessionId === holder?.sessionId) this.#locks.delete(nodeId);
      options.onPeople?.();
    });
    on('run:progress', (payload) => {
      const nodeId = ownValue(payload, 'nodeId');
      const resumedFrom = readText(payload, 'resumedFromRunId');
      const handle = ownValue(payload, 'selectedHandle');
      options.onRun?.({
        runId: readText(payload, 'runId'),
        nodeId: typeof nodeId === 'string' ? nodeId : null,
        status: readText(payload, 'status'),
        seq: readNumber(payload, 'seq'),
        ...(typeof handle === 'string' || handle === null ? { selectedHandle: handle } : {}),
        ...(resumedFrom === '' ? {} : { resumedFromRunId: resumedFrom }),
      });
    });
  }

  /** This connection's ids at the server; null before the first join. */
  get me(): { readonly sessionId: string; readonly userId: string } | null {
    return this.#me;
  }
  /** The other members, in the order in which they joined. */
  get people(): readonly Person[] {
    return [...this.#people.values()];
  }
  findPerson(sessionId: string): Person | undefined {
    return this.#people.get(sessionId);
  }
  /** Finds the other member that holds a node's lock; null when there is none. */
  findLock(nodeId: string): LockHolder | null {
    const holder = this.#locks.get(nodeId);
    return holder === undefined || holder.sessionId === this.#me?.sessionId ? null : holder;
  }

  /** Sends the cursor in flow coordinates; null when the pointer has left the canvas. */
  cursor(at: Position | null): void {
    this.#send('cursor:move', at ?? { hidden: true });
  }
  /** Sends the positions of the nodes that are dragged. */
  drag(moves: readonly Move[]): void {
    this.#send('node:drag', { moves });
  }
  /** Sends the selection, at most the first 500 of each: the server refuses more. */
  select(nodeIds: readonly string[], edgeIds: readonly string[]): void {
    const value = { nodeIds: nodeIds.slice(0, MAX_SELECTED), edgeIds: edgeIds.slice(0, MAX_SELECTED) };
    this.#lastSent.set('selection:update', value);
    this.#send('selection:update', value);
  }
  /** Sends the state, the view and the node that is edited. */
  activity(activity: Activity): void {
    this.#lastSent.set('presence:update', activity);
    this.#send('presence:update', activity);
  }

  #send(event: OwnEvent, value: object): void {
    let throttle = this.#throttles.get(event);
    if (throttle === undefined) {
      const { transport, workflowId, clock } = this.#options;
      throttle = new Throttle(clock, (latest) => {
        if (transport.isConnected && this.#me !== null) transport.emit(event, { workflowId, ...latest });
      });
      this.#throttles.set(event, throttle);
    }
    throttle.push(value);
  }

  #onJoined(payload: JsonObject): void {
    const you = ownValue(payload, 'you');
    this.#me = isObject(you)
      ? { sessionId: readText(you, 'sessionId'), userId: readText(you, 'userId') }
      : null;
    const options = this.#options;
    const before = [...this.#people.keys()];
    this.#people.clear();
    this.#locks.clear();
    const withCursor = new Set<string>();
    for (const person of readObjects(ownValue(payload, 'presence'))) {
      this.#setPerson(person);
      const sessionId = readText(person, 'sessionId');
      const cursor = ownValue(person, 'cursor');
      if (!isObject(cursor) || !this.#people.has(sessionId)) continue;
      withCursor.add(sessionId);
      options.onCursor?.(sessionId, readPosition(cursor));
    }
    // Cursors that were hidden, and people who left, while this client was away.
    for (const sessionId of before) {
      if (!withCursor.has(sessionId)) options.onCursor?.(sessionId, null);
      if (!this.#people.has(sessionId)) options.onDrag?.(sessionId, []);
    }
    for (const lock of readObjects(ownValue(payload, 'locks'))) this.#setLock(lock);
    for (const [event, value] of this.#lastSent) this.#send(event, value);
    options.onPeople?.();
  }

  #onPersonChanged(payload: JsonObject): void {
    this.#setPerson(payload);
    this.#options.onPeople?.();
  }

  /** Adds or updates a person; fields that the payload lacks stay. */
  #setPerson(payload: JsonObject): void {
    const sessionId = readText(payload, 'sessionId');
    if (sessionId === '' || sessionId === this.#me?.sessionId) return;
    const before = this.#people.get(sessionId);
    const [focus, viewport, selection] = ['focus', 'viewport', 'selection'].map((key) =>
      ownValue(payload, key),
    );
    const state = ownValue(payload, 'state');
    this.#people.set(sessionId, {
      sessionId,
      userId: readText(payload, 'userId'),
      name: readText(payload, 'name'),
      color: readText(payload, 'color'),
      state: state === 'idle' || state === 'active' ? state : (before?.state ?? 'active'),
      focus: isObject(focus) ? readFocus(focus) : focus === null ? null : (before?.focus ?? null),
      viewport: isObject(viewport) ? readViewport(viewport) : (before?.viewport ?? null),
      selection: isObject(selection)
        ? { nodeIds: readTexts(selection['nodeIds']), edgeIds: readTexts(selection['edgeIds']) }
        : (before?.selection ?? { nodeIds: [], edgeIds: [] }),
    });
  }

  #onLeft(sessionId: string): void {
    if (!this.#people.delete(sessionId)) return;
    this.#options.onCursor?.(sessionId, null);
    this.#options.onDrag?.(sessionId, []);
    this.#options.onPeople?.();
  }

  #setLock(payload: JsonObject): void {
    const holder = readHolder(ownValue(payload, 'holder'));
    if (holder !== null) this.#locks.set(readText(payload, 'nodeId'), holder);
  }

  dispose(): void {
    for (const stop of this.#unsubscribes) stop();
    for (const throttle of this.#throttles.values()) throttle.dispose();
  }
}

const readObjects = (list: Json | undefined): JsonObject[] =>
  (Array.isArray(list) ? list : []).filter((entry) => isObject(entry));
const readTexts = (list: Json | undefined): string[] =>
  (Array.isArray(list) ? list : []).filter((entry) => typeof entry === 'string');

function readPosition(payload: JsonObject): Position | null {
  const [x, y] = [readNumber(payload, 'x'), readNumber(payload, 'y')];
  return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null;
}

function readMoves(list: Json | undefined): Move[] {
  return readObjects(list).flatMap((move) => {
    const position = ownValue(move, 'position');
    const at = isObject(position) ? readPosition(position) : null;
    return at === null ? [] : [{ nodeId: readText(move, 'nodeId'), position: at }];
  });
}

function readFocus(focus: JsonObject): Person['focus'] {
  const field = ownValue(focus, 'field');
  return { nodeId: readText(focus, 'nodeId'), ...(typeof field === 'string' ? { field } : {}) };
}

function readViewport(viewport: JsonObject): Viewport | null {
  const at = readPosition(viewport);
  const zoom = readNumber(viewport, 'zoom');
  return at === null ? null : { ...at, zoom: Number.isFinite(zoom) ? zoom : 1 };
}
