/** People who move nodes on canvases, at a rate; and what came of it: how late, how many, at what cost of the server. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { io, type Socket } from 'socket.io-client';
import { sleep } from '../../support/waiting.ts';

export interface CanvasSide {
  readonly url: string;
  /** The server's process. */
  readonly pid: number;
  /** `auth` of the handshake, for the user of this number. */
  auth(user: number): Promise<object>;
}

export interface CanvasLoad {
  /** One workflow_id for each room. */
  readonly rooms: readonly string[];
  readonly sessionsPerRoom: number;
  readonly opsPerSecond: number;
  readonly seconds: number;
  /** The user on a seat of a room. */
  userOf(room: number, seat: number): number;
}

export interface CanvasFigures {
  /** From the sending of an operation to its arrival at another session, in ms. */
  readonly relays: readonly number[];
  /** From the sending of an operation to its `ack`, in ms. */
  readonly acks: readonly number[];
  /** Between one save of a room and its next, in ms. */
  readonly saveGaps: readonly number[];
  readonly expected: number;
  readonly cpuPerDeliveryUs: number;
}

type Told = readonly [
  event: string,
  payload: { readonly position?: { readonly x: number }; readonly opId?: string },
];

/** Ticks of processor time of a process, in microseconds; Linux counts them a hundred a second. */
function cpuUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

export class Person {
  readonly socket: Socket;
  readonly relays: number[] = [];
  readonly acks: number[] = [];
  /** When the room was saved. */
  readonly savedAt: number[] = [];
  /** From asking to join to being shown the canvas. */
  joinedWithinMs = Number.NaN;
  /** The first operation that was refused. */
  refusal: string | null = null;
  readonly #workflowId: string;
  readonly #nodeId: string;
  readonly #sent = new Map<string, number>();
  #count = 0;

  constructor(socket: Socket, workflowId: string, nodeId: string) {
    this.socket = socket;
    this.#workflowId = workflowId;
    this.#nodeId = nodeId;
    socket.on('node:moved', (payload: Told[1]) => this.#hear(['node:moved', payload]));
    socket.on('ack', (payload: Told[1]) => this.#hear(['ack', payload]));
    socket.on('saved', (payload: Told[1]) => this.#hear(['saved', payload]));
    socket.on('operation:rejected', (payload: object) => {
      this.refusal ??= JSON.stringify(payload);
    });
    socket.on('ops', (entries: Told[]) => {
      for (const entry of entries) this.#hear(entry);
    });
  }

  #hear([event, payload]: Told): void {
    if (event === 'saved') this.savedAt.push(performance.now());
    if (event === 'node:moved' && payload.position !== undefined) {
      this.relays.push(performance.now() - payload.position.x);
    }
    const sentAt = event === 'ack' ? this.#sent.get(payload.opId ?? '') : undefined;
    if (sentAt !== undefined) this.acks.push(performance.now() - sentAt);
  }

  move(): void {
    this.#count += 1;
    const opId = randomUUID();
    const now = performance.now();
    this.#sent.set(opId, now);
    const position = { x: now, y: this.#count };
    this.socket.emit('node:move', { workflowId: this.#workflowId, opId, nodeId: this.#nodeId, position });
  }
}

/** Connects and joins. @throws when either is refused */
export async function enter(
  side: CanvasSide,
  auth: object,
  workflowId: string,
  nodeId: string,
): Promise<Person> {
  const socket = io(side.url, { auth, transports: ['websocket'], forceNew: true, reconnection: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('connect_error', reject);
  });
  const person = new Person(socket, workflowId, nodeId);
  const asked = performance.now();
  const reply: { readonly ok?: unknown } = await socket
    .timeout(30_000)
    .emitWithAck('workflow:join', { workflowId });
  if (reply.ok !== true) throw new Error(`a join was refused: ${JSON.stringify(reply)}`);
  person.joinedWithinMs = performance.now() - asked;
  return person;
}

/** Everybody moves the node of their own at the rate, each at a moment of their own, until the time is over. */
async function work(people: readonly Person[], load: CanvasLoad): Promise<void> {
  const everyMs = 1_000 / load.opsPerSecond;
  const ops = Math.round(load.seconds * load.opsPerSecond);
  await Promise.all(
    people.map(async (person, index) => {
      const begun = performance.now() + (index / people.length) * everyMs;
      for (let op = 0; op < ops; op += 1) {
        await sleep(begun + op * everyMs - performance.now());
        person.move();
      }
    }),
  );
}

/**
 * Puts the load on one side.
 * @param more beside the user's own in the `auth` of each handshake
 * @throws when somebody is not let in, or an operation is refused
 */
export async function loadCanvas(
  side: CanvasSide,
  load: CanvasLoad,
  more: object = {},
): Promise<CanvasFigures> {
  const people: Person[] = [];
  for (const [room, workflowId] of load.rooms.entries()) {
    const entered = Array.from({ length: load.sessionsPerRoom }, async (_, seat) => {
      const user = await side.auth(load.userOf(room, seat));
      return enter(side, { ...user, ...more }, workflowId, `n${seat}`);
    });
    people.push(...(await Promise.all(entered)));
  }
  try {
    const ops = Math.round(load.seconds * load.opsPerSecond);
    const expected = people.length * ops * (load.sessionsPerRoom - 1);
    const cpu = cpuUs(side.pid);
    await work(people, load);
    const refusal = people.find((person) => person.refusal !== null)?.refusal;
    if (refusal !== undefined) throw new Error(`an operation was refused: ${refusal}`);
    const delivered = (): number => people.reduce((sum, { relays }) => sum + relays.length, 0);
    for (let waited = 0; waited < 5_000 && delivered() < expected; waited += 100) await sleep(100);
    const used = cpuUs(side.pid) - cpu;
    return {
      relays: people.flatMap((person) => person.relays),
      acks: people.flatMap((person) => person.acks),
      // One of each room hears what all of them hear.
      saveGaps: people
        .filter((_, index) => index % load.sessionsPerRoom === 0)
        .flatMap(({ savedAt }) => savedAt.slice(1).map((at, index) => at - (savedAt[index] ?? at))),
      expected,
      cpuPerDeliveryUs: used / Math.max(1, delivered()),
    };
  } finally {
    for (const { socket } of people) socket.disconnect();
  }
}
