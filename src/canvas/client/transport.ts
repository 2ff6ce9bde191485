/** The wire as the client of a canvas sees it; a socket of socket.io-client is one. */

export interface CanvasTransport {
  readonly isConnected: boolean;
  emit(event: string, payload: object, reply?: (answer: unknown) => void): void;
  /** Also hears `connect` and `disconnect`. @returns how to stop hearing */
  on(event: string, listener: (payload: unknown) => void): () => void;
}

/** What is used of socket.io-client's `Socket`. */
export interface SocketLike {
  readonly connected: boolean;
  emit(event: string, ...args: unknown[]): unknown;
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  off(event: string, listener: (...args: unknown[]) => void): unknown;
}

type Listener = (payload: unknown) => void;

/**
 * A transport over a socket that the caller opened with `auth: {token, organizationId, clientId}`. With
 * `caps: ['frames']` beside these, what happens within 16 ms comes as one event `ops`; it is told here in its order.
 */
export function overSocket(socket: SocketLike): CanvasTransport {
  const listeners = new Map<string, Set<Listener>>();
  const readFrame = (entries: unknown): void => {
    for (const entry of Array.isArray(entries) ? entries : []) {
      const [event, payload]: unknown[] = Array.isArray(entry) ? entry : [];
      for (const listener of listeners.get(String(event)) ?? []) listener(payload);
    }
  };
  return {
    get isConnected() {
      return socket.connected;
    },
    emit(event, payload, reply) {
      if (reply === undefined) socket.emit(event, payload);
      else socket.emit(event, payload, reply);
    },
    on(event, listener) {
      const heard: Listener = (payload) => listener(payload);
      // One reader for all: with one for each event a frame would be told event by event, out of its order.
      if (listeners.size === 0) socket.on('ops', readFrame);
      const those = listeners.get(event) ?? new Set();
      listeners.set(event, those.add(heard));
      socket.on(event, heard);
      return () => {
        socket.off(event, heard);
        if (!those.delete(heard)) return;
        if (those.size === 0) listeners.delete(event);
        if (listeners.size === 0) socket.off('ops', readFrame);
      };
    },
  };
}

/**
 * Emits an event and awaits its acknowledgement, which socket.io-client drops when the connection is lost.
 * @returns the answer; undefined when there is no connection, or it went before the answer came
 */
export function request(transport: CanvasTransport, event: string, payload: object): Promise<unknown> {
  if (!transport.isConnected) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const finish = (answer: unknown): void => {
      stop();
      resolve(answer);
    };
    const stop = transport.on('disconnect', () => finish(undefined));
    transport.emit(event, payload, finish);
  });
}

/** Time and chance of a client; `globalThis` will do for a browser. */
export interface ClientClock {
  setTimeout(work: () => void, ms: number): object | number;
  clearTimeout(timer: object | number): void;
}
