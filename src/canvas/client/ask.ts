/** Asking the server something once, over a wire that may break: socket.io-client drops the callbacks of a lost connection. */
import type { CanvasTransport } from './transport.ts';

/** @returns the answer; undefined when there is no connection, or it went before the answer came */
export function ask(transport: CanvasTransport, event: string, payload: object): Promise<unknown> {
  if (!transport.isConnected) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const settle = (answer: unknown): void => {
      stop();
      resolve(answer);
    };
    const stop = transport.on('disconnect', () => settle(undefined));
    transport.emit(event, payload, settle);
  });
}
