/** The transport of the canvas client, and its adapter for socket.io-client. */

export interface CanvasTransport {
  readonly isConnected: boolean;
  emit(event: string, payload: object, reply?: (answer: unknown) => void): void;
  /** Adds a listener for an event of the server, or for `connect` or `disconnect`. @returns a function that removes it */
  on(event: string, listener: (payload: unknown) => void): () => void;
}

/** The part of socket.io-client's `Socket` that the transport uses. */
export interface SocketLike {
  readonly connected: boolean;
  emit(event: string, ...args: unknown[]): unknown;
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  off(event: string, listener: (...args: unknown[]) => void): unknown;
}

type Listener = (payload: unknown) => void;

/**
 * Creates a transport over a socket of the caller, opened with `auth: {token, organizationId, clientId}`. If the socket has
 * `caps: ['frames']`, the transport unpacks each `ops` event and calls the listeners of its entries in order.
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
      const forward: Listener = (payload) => listener(payload);
      // One `ops` listener for all events: one for each would deliver a frame's entries out of order.
      if (listeners.size === 0) socket.on('ops', readFrame);
      const eventListeners = listeners.get(event) ?? new Set();
      listeners.set(event, eventListeners.add(forward));
      socket.on(event, forward);
      return () => {
        socket.off(event, forward);
        if (!eventListeners.delete(forward)) return;
        if (eventListeners.size === 0) listeners.delete(event);
        if (listeners.size === 0) socket.off('ops', readFrame);
      };
    },
  };
}

/**
 * Emits an event and awaits its acknowledgement, which socket.io-client drops when the connection is lost.
 * @returns the answer; undefined when there is no connection or it was lost before the answer
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

/** The timers that the client uses; `globalThis` has them in a browser. */
export interface ClientClock {
  setTimeout(work: () => void, ms: number): object | number;
  clearTimeout(timer: object | number): void;
}
