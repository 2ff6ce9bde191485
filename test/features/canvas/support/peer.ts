/** A Socket.io client that records every event and sends requests with callbacks. */
import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import { eventually } from '../../../support/waiting.ts';

/** Generous: nothing here is about speed. */
const PATIENCE_MS = 20_000;

// oxlint-disable-next-line typescript/no-explicit-any -- tests read into payloads of every shape
export type Payload = any;

export interface Heard {
  readonly name: string;
  readonly payload: Payload;
}

export interface PeerOptions {
  readonly url: string;
  readonly auth: Readonly<Record<string, unknown>>;
  readonly transports?: readonly ('polling' | 'websocket')[];
}

export class Peer {
  readonly socket: Socket;
  readonly heard: Heard[] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.onAny((name: string, payload: Payload) => {
      if (name === 'ops')
        for (const [inner, value] of payload) this.heard.push({ name: inner, payload: value });
      else this.heard.push({ name, payload });
    });
  }

  /** Connects. @throws the data of the connect error when it is refused */
  static async connect({ url, auth, transports = ['websocket'] }: PeerOptions): Promise<Peer> {
    const socket = io(url, {
      auth: { ...auth },
      transports: [...transports],
      reconnection: false,
      forceNew: true,
      timeout: PATIENCE_MS,
    });
    const peer = new Peer(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('connect_error', (error: Error & { data?: unknown }) => {
        socket.disconnect();
        reject(new Refused(error.data ?? { message: error.message }));
      });
    });
    return peer;
  }

  get isConnected(): boolean {
    return this.socket.connected;
  }

  emit(event: string, ...args: unknown[]): void {
    this.socket.emit(event, ...args);
  }

  call(event: string, payload?: unknown): Promise<Payload> {
    return this.socket.timeout(PATIENCE_MS).emitWithAck(event, payload);
  }

  op(event: string, workflowId: string, payload: object = {}): Promise<Payload> {
    return this.call(event, { workflowId, opId: randomUUID(), ...payload });
  }

  move(workflowId: string, nodeId: string, x: number, more: object = {}): Promise<Payload> {
    return this.op('node:move', workflowId, { nodeId, position: { x, y: 0 }, ...more });
  }

  /** @returns the payload of `workflow:joined` */
  async join(workflowId: string): Promise<Payload> {
    const since = this.heard.length;
    const reply = await this.call('workflow:join', { workflowId });
    if (reply.ok !== true) throw new Error(`the join was refused: ${JSON.stringify(reply)}`);
    return this.wait('workflow:joined', (payload) => payload.workflowId === workflowId, since);
  }

  flush(workflowId: string): Promise<Payload> {
    return this.call('workflow:flush', { workflowId });
  }

  of(name: string, since = 0): Payload[] {
    return this.heard
      .slice(since)
      .filter((one) => one.name === name)
      .map((one) => one.payload);
  }

  wait(name: string, where: (payload: Payload) => boolean = () => true, since = 0): Promise<Payload> {
    return eventually(`the event ${name}`, PATIENCE_MS, () => this.of(name, since).find(where));
  }

  async disconnected(): Promise<void> {
    await eventually('the connection to end', PATIENCE_MS, () => !this.socket.connected || null);
  }

  close(): void {
    this.socket.disconnect();
  }
}

/** A refused handshake. */
export class Refused extends Error {
  readonly data: Payload;

  constructor(data: unknown) {
    super(`the handshake was refused: ${JSON.stringify(data)}`);
    this.data = data;
  }
}
