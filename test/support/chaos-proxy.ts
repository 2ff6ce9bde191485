/** A TCP proxy that misbehaves on demand: holds data back, cuts connections, or swallows answers. */
import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface ChaosProxy {
  readonly port: number;
  /** Holds everything back, and takes new connections without a word, until `heal`. */
  blackhole(): void;
  /** Refuses new connections and resets those there are, until `heal`. */
  reset(): void;
  /** Resets connections whose first bytes contain `mark`, those there are and those to come, until `heal`. */
  refuse(mark: string): void;
  heal(): void;
  /**
   * The next data that a client sends on a connection whose first bytes contain `mark` is delivered; its answer is
   * swallowed and the connection reset. Resolves when that has happened.
   */
  swallowNextAnswer(mark: string): Promise<void>;
  close(): Promise<void>;
}

export interface ChaosProxyOptions {
  /** How long each piece of data is on its way, in milliseconds; none overtakes another on its connection. */
  readonly delayMs?: () => number;
}

/** Writes to `socket` what it is given, each piece after a delay of its own and never before an earlier one. */
function late(socket: Socket, delayMs: () => number): (data: Buffer) => void {
  const underWay: Buffer[] = [];
  let arrivesAt = 0;
  return (data) => {
    underWay.push(data);
    arrivesAt = Math.max(arrivesAt, performance.now() + delayMs());
    // Timers are whole milliseconds: whichever fires first delivers what was sent first.
    setTimeout(() => {
      const first = underWay.shift();
      if (first !== undefined && !socket.destroyed) socket.write(first);
    }, arrivesAt - performance.now());
  };
}

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  readonly toClient: (data: Buffer) => void;
  readonly toUpstream: (data: Buffer) => void;
  hello: string;
  onAnswer: (() => void) | null;
}

/** A proxy on a free loopback port before `host:port`. */
export async function startChaosProxy(
  target: { host: string; port: number },
  { delayMs }: ChaosProxyOptions = {},
): Promise<ChaosProxy> {
  const pairs = new Set<Pair>();
  let mode: 'pass' | 'blackhole' | 'reset' = 'pass';
  let refused: string | null = null;
  let swallow: { mark: string; done: () => void } | null = null;

  const end = (pair: Pair): void => {
    pairs.delete(pair);
    pair.client.resetAndDestroy();
    pair.upstream.destroy();
  };
  const fromClient = (pair: Pair, data: Buffer): void => {
    if (pair.hello === '') {
      pair.hello = data.toString('latin1');
      if (refused !== null && pair.hello.includes(refused)) {
        end(pair);
        return;
      }
    } else if (swallow !== null && pair.hello.includes(swallow.mark)) {
      const { done } = swallow;
      swallow = null;
      pair.onAnswer = () => {
        end(pair);
        done();
      };
    }
    pair.toUpstream(data);
  };
  const pass = (socket: Socket): ((data: Buffer) => void) =>
    delayMs === undefined ? (data) => void socket.write(data) : late(socket, delayMs);
  const server: Server = createServer((client) => {
    if (mode === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target);
    const pair: Pair = {
      client,
      upstream,
      toClient: pass(client),
      toUpstream: pass(upstream),
      hello: '',
      onAnswer: null,
    };
    pairs.add(pair);
    client.on('data', (data) => fromClient(pair, data));
    upstream.on('data', (data) => {
      if (pair.onAnswer === null) pair.toClient(data);
      else pair.onAnswer();
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => end(pair));
      socket.on('close', () => end(pair));
    }
    if (mode === 'blackhole') for (const socket of [client, upstream]) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    blackhole() {
      mode = 'blackhole';
      for (const { client, upstream } of pairs) for (const socket of [client, upstream]) socket.pause();
    },
    reset() {
      mode = 'reset';
      for (const pair of pairs) end(pair);
    },
    refuse(mark) {
      refused = mark;
      for (const pair of pairs) if (pair.hello.includes(mark)) end(pair);
    },
    heal() {
      mode = 'pass';
      refused = null;
      for (const { client, upstream } of pairs) for (const socket of [client, upstream]) socket.resume();
    },
    swallowNextAnswer: (mark) =>
      new Promise<void>((done) => {
        swallow = { mark, done };
      }),
    async close() {
      for (const pair of pairs) end(pair);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The same URL through the proxy. */
export function through(proxy: ChaosProxy, url: string): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(proxy.port);
  return changed.href;
}
