/** Connects a socket again where Socket.io does not: after a refusal that passes, and after the server has hung up. */
import type { Socket } from 'socket.io-client';
import { readConnectRefusal, RECONNECT_MS } from './connect-refusal.ts';

export class Reconnects {
  readonly #socket: Socket;
  #timer = 0;

  /** @param onRefused hears the code of a refusal that is final */
  constructor(socket: Socket, onRefused: (code: string) => void) {
    this.#socket = socket;
    socket.on('connect_error', (error: Error) => {
      const refusal = readConnectRefusal(error);
      if (refusal === null) return;
      if (refusal.retryAfterMs === null) onRefused(refusal.code);
      else this.#schedule(refusal.retryAfterMs);
    });
    socket.on('disconnect', (reason) => {
      if (reason === 'io server disconnect') this.#schedule(RECONNECT_MS);
    });
  }

  #schedule(ms: number): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#socket.connect(), ms);
  }

  dispose(): void {
    window.clearTimeout(this.#timer);
  }
}
