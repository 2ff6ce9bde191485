/** Writes a long JSON answer in pieces at the speed of the client: the next piece is made when the last one was sent. */
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
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
 * @param canCompress whether the answer is compressed for a client that accepts it
 */
export async function writePieces(
  ctx: Context,
  make: (signal: AbortSignal) => AsyncGenerator<string>,
  { canCompress = false }: { readonly canCompress?: boolean } = {},
): Promise<void> {
  const { res } = ctx;
  const gone = watchClient(ctx);
  const pieces = make(gone);
  let sink: Writable = res;
  try {
    for await (const piece of pieces) {
      if (!res.headersSent) sink = sendHead(ctx, canCompress);
      if (!(await writePiece(res, piece, sink))) return;
    }
    sink.end();
  } catch (error) {
    if (!gone.aborted) throw error;
  }
}

/** @returns the stream that the pieces are written to */
function sendHead(ctx: Context, canCompress: boolean): Writable {
  const { res } = ctx;
  ctx.respond = false;
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  if (canCompress) ctx.vary('Accept-Encoding');
  if (!canCompress || ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    res.writeHead(200, headers);
    return res;
  }
  res.writeHead(200, { ...headers, 'Content-Encoding': 'gzip' });
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  gzip.pipe(res);
  res.once('close', () => gzip.destroy());
  return gzip;
}

/**
 * Writes a piece. @returns whether the system took it; false when the client disconnected or reads nothing
 * @param sink a stream that is piped to the response, or the response
 */
export function writePiece(res: ServerResponse, piece: string, sink: Writable = res): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isTaken: boolean): void => {
      clearTimeout(stall);
      res.off('close', onClose);
      resolve(isTaken);
    };
    const onClose = (): void => settle(false);
    const stall = setTimeout(() => res.destroy(), STALL_MS);
    res.once('close', onClose);
    sink.write(piece, (error) => settle(error === null || error === undefined));
  });
}
