/** Writes a long JSON answer in pieces at the speed of the client: the next piece is made when the last one was sent. */
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';

/** A client that reads nothing for this long is disconnected: other answers wait for the memory of its unread pieces. */
const STALL_MS = 30_000;

/** Aborts when the client closes its connection, or has its answer. */
export function watchClient({ res }: Context): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => gone.abort(new Error('The client disconnected')));
  return gone.signal;
}

/**
 * Writes a 200 with JSON. An error before the first piece becomes an error answer; a later one closes the connection.
 * @param make creates the pieces; its signal is aborted when the client disconnects
 */
export async function writePieces(
  ctx: Context,
  make: (signal: AbortSignal) => AsyncGenerator<string>,
): Promise<void> {
  const { res } = ctx;
  const gone = watchClient(ctx);
  const pieces = make(gone);
  try {
    for await (const piece of pieces) {
      if (!res.headersSent) sendHead(ctx);
      if (!(await writePiece(res, piece))) return;
    }
    res.end();
  } catch (error) {
    if (!gone.aborted) throw error;
  }
}

function sendHead(ctx: Context): void {
  ctx.respond = false;
  ctx.res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
}

/** Writes a piece. @returns whether the system took it; false when the client disconnected or reads nothing */
export function writePiece(res: ServerResponse, piece: string): Promise<boolean> {
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
