/**
 * Simulates the realtime plane in one process: rooms, clients with and without our library, a network that loses connections,
 * a database that fails, external saves. A seed determines all events.
 */
import jsonPatch, { type Operation } from 'fast-json-patch';
import type { Canvas, CanvasOptions } from '../../../../src/features/canvas/client/canvas.ts';
import { toWireFields } from '../../../../src/features/canvas/client/wire-operations.ts';
import { KEPT_KEYS } from '../../../../src/language/graph/definition/definition.ts';
import { isObject, type Json, type JsonObject } from '../../../../src/language/graph/values/value.ts';
import type { RoomApi, RoomOptions } from '../../../../src/features/canvas/room/room-api.ts';
import type { RoomPorts } from '../../../../src/features/canvas/room/ports.ts';
import { BareClient } from './bare-client.ts';
import { noTurns, FakeAudience, FakeServer, FakeSocket, type Weather } from './fake-network.ts';
import { FakeStore, type Row } from './fake-store.ts';
import { randomDurable, randomOperation } from './random-operations.ts';
import { Chance, VirtualClock } from './virtual-clock.ts';

/** What is under test: the real modules, or copies of them with a bug planted. */
export interface Subjects {
  Rooms: new (ports: RoomPorts, options: RoomOptions) => RoomApi;
  Canvas: new (options: CanvasOptions) => Canvas;
}

export const WORKFLOW = '11111111-1111-4111-8111-111111111111';
export const ORGANIZATION = '22222222-2222-4222-8222-222222222222';
const KEY = { organizationId: ORGANIZATION, workflowId: WORKFLOW };

export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const FIRST: JsonObject = {
  metadata: { name: 'First', tags: [] },
  config: {},
  nodes: [
    { id: 'a', type: 'llm', config: { x: 1 }, position: { x: 0, y: 0 } },
    { id: 'b', type: 'tool', config: {} },
  ],
  edges: [{ id: 'ab', source: 'a', target: 'b' }],
};

interface Tap {
  readonly at: number;
  readonly life: number;
  readonly event: string;
  readonly payload: Record<string, unknown>;
}

/** Durable broadcasts carry who did it. */
const isDurable = ({ payload }: Tap): boolean => 'sessionId' in payload && 'version' in payload;

export class Simulation {
  readonly chance: Chance;
  readonly clock: VirtualClock;
  readonly store: FakeStore;
  readonly weather: Weather;
  readonly row: Row;
  readonly canvases: { canvas: Canvas; socket: FakeSocket }[] = [];
  readonly bares: BareClient[] = [];
  readonly taps: Tap[] = [];
  readonly failures: string[] = [];
  /** What was done, to be read when something is wrong. */
  readonly story: string[] = [];
  server: FakeServer;
  readonly #subjects: Subjects;
  readonly #zombies: RoomApi[] = [];
  readonly #startVersion: number;
  #life = 0;

  constructor(seed: number, subjects: Subjects) {
    this.#subjects = subjects;
    this.chance = new Chance(seed);
    this.clock = new VirtualClock(this.chance);
    this.store = new FakeStore(this.clock, this.chance);
    this.weather = { delayMs: 60, duplicate: 0 };
    const extra = this.chance.happens(0.3) ? { viewport: { zoom: 1 }, legacy: [1] } : {};
    const shape = this.chance.pick<JsonObject>([{ fields: {} }, {}, { flat: { type: 'string' } }]);
    const document = this.chance.happens(0.1) ? {} : { ...FIRST, ...extra, state_schema: shape };
    this.#startVersion = this.chance.below(3);
    this.row = this.store.create(WORKFLOW, ORGANIZATION, document, this.#startVersion);
    this.server = new FakeServer(this.#newRooms());
  }

  #newRooms(): RoomApi {
    const life = (this.#life += 1);
    const { store, clock } = this;
    const silent = (): void => undefined;
    return new this.#subjects.Rooms(
      {
        store,
        clock,
        log: { info: silent, warn: silent, error: silent },
        snapshots: noTurns,
        takeTurn: () => Promise.resolve(),
        audience: () =>
          new FakeAudience((event, payload) =>
            this.taps.push({ at: clock.monotonic(), life, event, payload: payload as Tap['payload'] }),
          ),
      },
      { pinnedMaxLag: null, limits: { opsPerSec: 40, opBurst: 120 } },
    );
  }

  addCanvas(name: string, more: Partial<CanvasOptions> = {}): Canvas {
    const socket = this.#socket({ userId: `user-${name}`, clientId: `tab-${name}` });
    const canvas = new this.#subjects.Canvas({
      transport: socket,
      workflowId: WORKFLOW,
      clientId: `tab-${name}`,
      clock: this.clock,
      onDivergence: ({ version }) => this.failures.push(`${name} diverged at ${version}`),
      ...more,
    });
    this.canvases.push({ canvas, socket });
    canvas.open();
    socket.connect();
    return canvas;
  }

  addBare(name: string): BareClient {
    const socket = this.#socket({ userId: `user-${name}` });
    const bare = new BareClient(socket, WORKFLOW, (work) => this.clock.setTimeout(work, 500));
    this.bares.push(bare);
    socket.connect();
    return bare;
  }

  #socket(identity: { userId: string; clientId?: string }): FakeSocket {
    const whole = { ...identity, organizationId: ORGANIZATION };
    return new FakeSocket(this.clock, this.chance, this.weather, () => this.server, whole);
  }

  get sockets(): FakeSocket[] {
    return [...this.canvases.map(({ socket }) => socket), ...this.bares.map(({ socket }) => socket)];
  }

  /** The process dies; what was not saved or logged is gone. */
  crash(): void {
    this.server.rooms.dispose();
    this.#replaceServer();
  }

  /** Another process takes over while this one still believes in itself. */
  takeOver(): void {
    this.#zombies.push(this.server.rooms);
    this.#replaceServer();
  }

  #replaceServer(): void {
    this.server = new FakeServer(this.#newRooms());
    for (const socket of this.sockets) socket.cut();
  }

  /** REST, the Composer or an activation. */
  saveFromOutside(isTold: boolean): void {
    const source = this.chance.pick(['rest', 'composer', 'activation'] as const);
    const editVersion = this.store.writeExternally(WORKFLOW, source, (document) => {
      if (source === 'activation') return [];
      const before = structuredClone(document);
      this.#editOutside(document);
      return jsonPatch.compare(before, document) as never;
    });
    if (!isTold) return;
    const { rooms } = this.server;
    this.clock.setTimeout(
      () => rooms.handleExternalSave({ ...KEY, editVersion, source }),
      this.chance.below(40),
    );
  }

  #editOutside(document: JsonObject): void {
    const nodes = Array.isArray(document['nodes']) ? document['nodes'] : (document['nodes'] = []);
    const edges = Array.isArray(document['edges']) ? document['edges'] : (document['edges'] = []);
    const at = this.chance.below(nodes.length + 1);
    const node = nodes[at];
    if (!isObject(node) || this.chance.happens(0.3)) {
      const id = `out${this.chance.below(5)}`;
      const isThere = nodes.some((one) => isObject(one) && one['id'] === id);
      if (!isThere) nodes.splice(at, 0, { id, type: 'function', config: {} });
    } else if (this.chance.happens(0.4)) {
      nodes.splice(at, 1);
      const isLoose = (edge: Json): boolean =>
        isObject(edge) && (edge['source'] === node['id'] || edge['target'] === node['id']);
      document['edges'] = edges.filter((edge) => !isLoose(edge));
    } else node['name'] = `outside ${this.chance.below(100)}`;
    if (this.chance.happens(0.2)) document['extra'] = this.chance.below(10);
  }

  /** One thing happens. */
  step(): void {
    const { chance } = this;
    const dice = chance.next();
    if (dice < 0.62) this.#edit();
    else if (dice < 0.68) this.#undoOrRedo();
    else if (dice < 0.76) this.#lock();
    else if (dice < 0.8) this.#look();
    else if (dice < 0.85) this.saveFromOutside(chance.happens(0.5));
    else if (dice < 0.89) chance.pick(this.sockets).cut(chance.happens(0.2));
    else if (dice < 0.9) this.crash();
    else if (dice < 0.91) this.takeOver();
    else if (dice < 0.93)
      this.store.faults = { error: chance.pick([0, 0, 0.3, 0.8]), slowMs: chance.pick([20, 400]) };
    else if (dice < 0.95) this.weather.duplicate = chance.pick([0, 0.3]);
    else
      chance
        .pick(this.canvases)
        .canvas.flush()
        .catch(() => undefined);
  }

  #edit(): void {
    const isBare = this.bares.length > 0 && this.chance.happens(0.3);
    if (isBare) {
      const bare = this.chance.pick(this.bares);
      const op = randomDurable(this.chance, (bare.schema ?? FIRST) as JsonObject);
      this.story.push(`${this.clock.monotonic()} bare ${JSON.stringify(op)}`);
      // Now and then one that claims to have seen what never was.
      const seen = this.chance.happens(0.05) ? { version: bare.version + 7 } : {};
      bare.send(op.type, `bare-${this.clock.newId()}`, { ...toWireFields(op), ...seen });
      return;
    }
    const { canvas } = this.chance.pick(this.canvases);
    const op = randomDurable(this.chance, canvas.document);
    this.story.push(`${this.clock.monotonic()} canvas ${JSON.stringify(op)}`);
    canvas.edit(op);
  }

  #undoOrRedo(): void {
    const { canvas } = this.chance.pick(this.canvases);
    if (this.chance.happens(0.6)) canvas.undo();
    else canvas.redo();
  }

  #lock(): void {
    const { canvas } = this.chance.pick(this.canvases);
    const op = randomOperation(this.chance, canvas.document);
    const nodeId = op.type === 'node:move' ? op.nodeId : 'a';
    if (this.chance.happens(0.7)) void canvas.locks.acquire(nodeId, this.chance.happens(0.3));
    else void canvas.locks.release(nodeId);
  }

  #look(): void {
    const { socket } = this.chance.pick(this.canvases);
    socket.emit('cursor:move', { workflowId: WORKFLOW, x: this.chance.below(100), y: 1 });
    socket.emit('presence:update', { workflowId: WORKFLOW, state: this.chance.pick(['active', 'idle']) });
  }

  /** Good weather until everything is answered and saved. */
  async calm(): Promise<void> {
    this.store.faults = { error: 0, slowMs: 20 };
    this.weather.duplicate = 0;
    await this.clock.advance(45_000);
    this.#sweep();
    await this.clock.advance(5_000);
    this.#checkAgreement();
    await this.#pause();
    // A join makes a room of a workflow that nobody is in; an edit makes it tell what it holds.
    for (const { canvas } of this.canvases)
      canvas.edit({ type: 'config:update', set: { '/last': this.clock.newId() } });
    await this.clock.advance(15_000);
  }

  /** Somebody who holds a lock goes and comes back; whoever joins meanwhile must not see the lock. */
  async #pause(): Promise<void> {
    const [first] = this.canvases;
    const [visitor] = this.bares;
    const nodes = first?.canvas.document['nodes'];
    const node = Array.isArray(nodes) ? nodes[0] : null;
    if (first === undefined || !isObject(node) || typeof node['id'] !== 'string') return;
    void first.canvas.locks.acquire(node['id'], true);
    await this.clock.advance(500);
    first.canvas.close();
    await this.clock.advance(500);
    visitor?.join();
    await this.clock.advance(500);
    first.canvas.open();
    await this.clock.advance(500);
  }

  /** What the server of sockets does now and then: asks whether somebody saved without being heard. */
  #sweep(): void {
    const { editVersion } = this.row;
    for (const room of this.server.rooms.listLive()) {
      if (room.editVersion < editVersion) {
        this.server.rooms.handleExternalSave({ ...KEY, editVersion, source: 'unknown' });
      }
    }
  }

  /** Everybody goes; nothing may be left behind. */
  async end(): Promise<void> {
    for (const { canvas } of this.canvases) canvas.close();
    for (const socket of this.sockets) socket.stop();
    await this.clock.advance(60_000);
    const gauge = this.server.rooms.counts();
    if (gauge.rooms !== 0 || gauge.sessions.total !== 0)
      this.failures.push(`left behind: ${JSON.stringify(gauge)}`);
    if (this.#zombies.some((rooms) => rooms.counts().rooms > 0))
      this.failures.push('a superseded room lives on');
    const rooms = [...this.#zombies, this.server.rooms];
    for (const one of rooms) one.dispose();
    if (this.clock.pending > 0) this.failures.push(`${this.clock.pending} timers left`);
  }

  check(): string[] {
    this.#checkAgreement();
    this.#checkHistory();
    this.#checkCounters();
    this.#checkStreams();
    this.#checkExternal();
    this.#checkConflicts();
    this.#checkLocks();
    return this.failures;
  }

  #checkAgreement(): void {
    const stored = canonical(JSON.parse(this.row.document));
    for (const [index, { canvas }] of this.canvases.entries()) {
      if (canvas.status !== 'live') this.failures.push(`canvas ${index} is ${canvas.status}`);
      if (canonical(canvas.confirmed.document) !== stored)
        this.failures.push(`canvas ${index} differs from the row`);
      if (canonical(canvas.document) !== stored) this.failures.push(`canvas ${index} shows something else`);
      if (canvas.unsent + canvas.unsaved > 0) {
        this.failures.push(`canvas ${index}: ${canvas.unsent} unsent, ${canvas.unsaved} unsaved`);
      }
    }
    for (const [index, bare] of this.bares.entries()) {
      if (canonical(bare.schema) === stored) continue;
      const difference = jsonPatch.compare(bare.schema ?? {}, JSON.parse(this.row.document) as object);
      this.failures.push(`bare client ${index} differs from the row: ${JSON.stringify(difference)}`);
    }
    if (this.row.wal.some((op) => op.savedIn === null))
      this.failures.push('a saved operation is still logged as unsaved');
  }

  #checkHistory(): void {
    let document = JSON.parse(this.row.initial) as unknown;
    let expected = this.#startVersion;
    for (const entry of this.row.history) {
      expected += 1;
      if (entry.editVersion !== expected)
        this.failures.push(`edit_version ${entry.editVersion} after ${expected - 1}`);
      document = jsonPatch.applyPatch(
        document,
        structuredClone(entry.patches) as Operation[],
        true,
      ).newDocument;
      if (canonical(document) !== canonical(JSON.parse(entry.document))) {
        return void this.failures.push(`history does not lead to edit_version ${entry.editVersion}`);
      }
      const strange = Object.keys(document as object).filter(
        (key) => !KEPT_KEYS.some((kept) => kept === key),
      );
      if (entry.isOurs && strange.length > 0) this.failures.push(`a save kept ${strange.join()}`);
    }
    const metadata = (document as { metadata?: { name?: string } }).metadata;
    // What the metadata does not say leaves the column as it was.
    const said = metadata?.name;
    if (said !== undefined && said !== (this.row.mirrors.name ?? 'First')) {
      this.failures.push(`the name column says ${this.row.mirrors.name}, the metadata ${said}`);
    }
  }

  /** In each life of a room the counter rises by one per accepted operation, from the edit_version that it began with. */
  #checkCounters(): void {
    for (let life = 1; life <= this.#life; life += 1) {
      const seen = new Set<unknown>();
      let last: number | null = null;
      for (const tap of this.taps) {
        if (tap.life !== life || !isDurable(tap)) continue;
        const version = tap.payload['version'] as number;
        // A room that was unloaded begins anew, from a lower counter.
        if (last !== null && version !== last + 1 && version > last) {
          this.failures.push(`version ${version} after ${last} in life ${life}`);
        }
        if (last !== null && version <= last) seen.clear();
        const { opId } = tap.payload;
        if (seen.has(opId)) this.failures.push(`${String(opId)} was applied twice`);
        seen.add(opId);
        last = version;
      }
    }
  }

  /** Acknowledgements and broadcasts of one socket, together, leave no version out. */
  #checkStreams(): void {
    for (const socket of this.sockets) {
      let version: number | null = null;
      for (const { event, payload } of socket.heard) {
        const fields = payload as Record<string, unknown>;
        if (event === 'workflow:joined') version = fields['version'] as number;
        const isAck = event === 'ack' && fields['duplicate'] !== true && fields['noop'] !== true;
        if (version === null || !(isAck || 'sessionId' in fields) || typeof fields['version'] !== 'number')
          continue;
        if (fields['version'] !== version + 1)
          this.failures.push(`a socket heard ${fields['version']} after ${version}`);
        version = fields['version'];
      }
    }
  }

  /** Each save from outside that a room lived through is told once. */
  #checkExternal(): void {
    const told = new Map<string, number>();
    for (const { life, event, payload } of this.taps) {
      if (event !== 'workflow:external-sync') continue;
      const name = `${life} ${String(payload['editVersion'])}`;
      told.set(name, (told.get(name) ?? 0) + 1);
    }
    const twice = [...told].filter(([, times]) => times > 1);
    if (twice.length > 0) this.failures.push(`told twice: ${twice.map(([name]) => name).join()}`);
    const ours = new Set(this.row.history.filter((entry) => entry.isOurs).map((entry) => entry.editVersion));
    for (const name of told.keys()) {
      if (ours.has(Number(name.split(' ')[1])))
        this.failures.push(`our own save ${name} was told as somebody else's`);
    }
  }

  /** Clients without our library do not send an operation again: after a conflict it must not have happened. */
  #checkConflicts(): void {
    const applied = new Set(this.taps.filter(isDurable).map(({ payload }) => payload['opId']));
    for (const { socket } of this.bares) {
      for (const { event, payload } of socket.heard) {
        const { opId } = payload as { opId?: string };
        if (event === 'conflict' && applied.has(opId))
          this.failures.push(`${opId} was a conflict, and applied`);
      }
    }
  }

  /** Nobody holds a lock who is not there. */
  #checkLocks(): void {
    for (const socket of this.sockets) {
      for (const { event, payload } of socket.heard) {
        if (event !== 'workflow:joined') continue;
        const { locks, presence } = payload as {
          locks: { holder: { sessionId: string } }[];
          presence: { sessionId: string }[];
        };
        const there = new Set(presence.map(({ sessionId }) => sessionId));
        const ghosts = locks.filter(({ holder }) => !there.has(holder.sessionId));
        if (ghosts.length > 0) this.failures.push('a lock without its holder');
      }
    }
  }
}

/** One course of events; @returns what was wrong with it */
export async function simulate(
  seed: number,
  subjects: Subjects,
  steps?: number,
): Promise<{ readonly failures: readonly string[]; readonly story: readonly string[] }> {
  const simulation = new Simulation(seed, subjects);
  const { chance, clock } = simulation;
  const clients = 1 + chance.below(4);
  for (let i = 0; i < clients; i += 1) simulation.addCanvas(String(i));
  for (let i = 0; i < 1 + chance.below(3); i += 1) simulation.addBare(String(clients + i));
  await clock.advance(1_000);
  const length = 20 + chance.below(140);
  for (let i = 0; i < Math.min(length, steps ?? length); i += 1) {
    simulation.step();
    await clock.advance(chance.pick([0, 5, 30, 120, 400]));
  }
  await simulation.calm();
  simulation.check();
  await simulation.end();
  return simulation;
}
