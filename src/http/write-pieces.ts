/** A long JSON answer, written piece by piece as fast as its client reads: no piece is made before the last one was taken. */
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';

/** A client that takes nothing for so long is cut off: what it does not read is memory that others wait for. */
const STALL_MS = 30_000;

/**
 * Writes a 200 of JSON. Whatever the first piece throws can still be answered; what a later one throws cuts the connection.
 * @param make makes the pieces; its signal is aborted when the client has gone
 */
export async function writePieces(
  ctx: Context,
  make: (signal: AbortSignal) => AsyncGenerator<string>,
): Promise<void> {
  const { res } = ctx;
  const gone = new AbortController();
  res.once('close', () => gone.abort(new Error('The client has gone')));
  const pieces = make(gone.signal);
  try {
    for await (const piece of pieces) {
      if (!res.headersSent) begin(ctx);
      if (!(await write(res, piece))) return;
    }
    res.end();
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

function begin(ctx: Context): void {
  ctx.respond = false;
  ctx.res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
}

/** @returns once the piece is the system's to send; false when the client has gone, or reads nothing */
function write(res: ServerResponse, piece: string): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isTaken: boolean): void => {
      clearTimeout(stall);
      res.off('close', onClose);
      resolve(isTaken);
    };
    const onClose = (): void => settle(false);
    const stall = setTimeout(() => res.destroy(), STALL_MS);
    res.once('close', onClose);
    res.write(piece, (error) => settle(error === null || error === undefined));
  });
}
