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

/** A transport over a socket that the caller opened with `auth: {token, organizationId, clientId}`. */
export function overSocket(socket: SocketLike): CanvasTransport {
  return {
    get isConnected() {
      return socket.connected;
    },
    emit(event, payload, reply) {
      if (reply === undefined) socket.emit(event, payload);
      else socket.emit(event, payload, reply);
    },
    on(event, listener) {
      const heard = (payload: unknown): void => listener(payload);
      socket.on(event, heard);
      return () => socket.off(event, heard);
    },
  };
}

/** Time and chance of a client; `globalThis` will do for a browser. */
export interface ClientClock {
  setTimeout(work: () => void, ms: number): object | number;
  clearTimeout(timer: object | number): void;
}
