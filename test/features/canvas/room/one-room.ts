/** A room without a network: sessions that record their messages, on the simulated clock and store. */
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import type { RoomOptions } from '../../../../src/features/canvas/room/room-api.ts';
import type {
  ReleaseSnapshot,
  Reply,
  Session,
  SnapshotSemaphore,
} from '../../../../src/features/canvas/room/ports.ts';
import { Rooms } from '../../../../src/features/canvas/room/rooms.ts';
import { FakeAudience } from '../simulation/fake-network.ts';
import { FakeStore } from '../simulation/fake-store.ts';
import { ORGANIZATION, WORKFLOW } from '../simulation/simulation.ts';
import { Chance, VirtualClock } from '../simulation/virtual-clock.ts';

export const KEY = { organizationId: ORGANIZATION, workflowId: WORKFLOW };

export interface Heard {
  readonly event: string;
  readonly payload: Record<string, unknown>;
}

export interface Person extends Session {
  readonly heard: Heard[];
  isAllowed: boolean;
  of(event: string): Record<string, unknown>[];
}

export const DOCUMENT: JsonObject = {
  metadata: { name: 'Canvas' },
  config: {},
  state_schema: { fields: {} },
  nodes: [
    { id: 'a', type: 'llm', config: { x: 1 }, position: { x: 0, y: 0 } },
    { id: 'b', type: 'tool', config: {} },
  ],
  edges: [
    { id: 'sa', source: '__start__', target: 'a' },
    { id: 'ab', source: 'a', target: 'b' },
  ],
};

/** Turns that the test gives: at once, or when it lets them. */
export class HeldTurns implements SnapshotSemaphore {
  isHeld = false;
  /** Turns that were given and have not ended. */
  open = 0;
  readonly asked: number[] = [];
  readonly #waiting: (() => void)[] = [];

  async acquire(_session: Session, bytes: number): Promise<ReleaseSnapshot> {
    this.asked.push(bytes);
    if (this.isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.open += 1;
    return () => {
      this.open -= 1;
    };
  }

  /** Gives all turns that are waited for. */
  give(): void {
    this.isHeld = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

export class OneRoom {
  readonly chance = new Chance(1);
  readonly clock = new VirtualClock(this.chance);
  readonly store = new FakeStore(this.clock, this.chance);
  readonly turns = new HeldTurns();
  readonly row;
  rooms: Rooms;
  /** Every broadcast, once. */
  readonly told: Heard[] = [];
  readonly #options: RoomOptions;
  #people = 0;

  constructor(document: JsonObject = DOCUMENT, editVersion = 0, pinnedMaxLag: number | null = null) {
    this.row = this.store.create(WORKFLOW, ORGANIZATION, document, editVersion);
    this.#options = { pinnedMaxLag, limits: { opsPerSec: 40, opBurst: 120 } };
    this.rooms = this.#open();
  }

  #open(): Rooms {
    const silent = (): void => undefined;
    const log = { info: silent, warn: silent, error: silent };
    const audience = (): FakeAudience =>
      new FakeAudience((event, payload) => this.told.push({ event, payload: payload as Heard['payload'] }));
    return new Rooms(
      {
        store: this.store,
        clock: this.clock,
        log,
        audience,
        snapshots: this.turns,
        takeTurn: () => Promise.resolve(),
      },
      this.#options,
    );
  }

  /** The process dies and comes back. */
  crash(): void {
    this.rooms.dispose();
    this.rooms = this.#open();
  }

  person(facts: Partial<Session> = {}): Person {
    const number = (this.#people += 1);
    const heard: Heard[] = [];
    const person: Person = {
      sessionId: `s${number}`,
      organizationId: ORGANIZATION,
      userId: `u${number}`,
      name: 'N',
      role: 'admin',
      ...facts,
      heard,
      isAllowed: true,
      mayEdit: () => person.isAllowed,
      send: (event, payload) => heard.push({ event, payload: payload as Heard['payload'] }),
      close: () => undefined,
      of: (event) => heard.filter((one) => one.event === event).map((one) => one.payload),
    };
    return person;
  }

  /** Waits for an answer while time passes. */
  async now<T>(answer: Promise<T>): Promise<T> {
    let settled: T | undefined;
    let isSettled = false;
    void answer.then((value) => {
      settled = value;
      isSettled = true;
    });
    for (let i = 0; i < 200 && !isSettled; i += 1) await this.clock.advance(50);
    if (!isSettled) throw new Error('no answer');
    return settled as T;
  }

  async join(person: Person): Promise<Record<string, unknown>> {
    await this.now(this.rooms.join(person, { workflowId: WORKFLOW }));
    return person.of('workflow:joined').at(-1) ?? {};
  }

  /** Somebody who is in. */
  async member(facts: Partial<Session> = {}): Promise<Person> {
    const person = this.person(facts);
    await this.join(person);
    return person;
  }

  op(person: Person, event: string, fields: object): Reply & Record<string, unknown> {
    return this.rooms.apply(person, event, { workflowId: WORKFLOW, ...fields }) as Reply &
      Record<string, unknown>;
  }

  move(person: Person, x: number, more: object = {}): Reply & Record<string, unknown> {
    return this.op(person, 'node:move', { nodeId: 'a', position: { x, y: 1 }, ...more });
  }

  stored(): JsonObject {
    return JSON.parse(this.row.document) as JsonObject;
  }
}
