/** The engine's connection below a socket, as far as the server must look below Socket.io. */
import type { Socket } from 'socket.io';

export type Connection = Socket['conn'];

/** The raw websocket of a connection, where there is one. The engine shows neither it nor its queue in its types. */
function rawSocket(conn: Connection): { bufferedAmount?: unknown; terminate?: unknown } | null {
  const raw: unknown = Reflect.get(conn.transport, 'socket');
  return typeof raw === 'object' && raw !== null ? raw : null;
}

function sizeOf(packet: unknown): number {
  const data: unknown =
    typeof packet === 'object' && packet !== null ? Reflect.get(packet, 'data') : undefined;
  return typeof data === 'string' || Buffer.isBuffer(data) ? data.length : 0;
}

/** Bytes that were sent and that the client has not taken yet, as far as this process holds them. */
export function bufferedBytes(conn: Connection): number {
  const raw = rawSocket(conn)?.bufferedAmount;
  let bytes = typeof raw === 'number' ? raw : 0;
  const waiting: unknown = Reflect.get(conn, 'writeBuffer');
  if (Array.isArray(waiting)) for (const packet of waiting) bytes += sizeOf(packet);
  return bytes;
}

/** Cuts a connection whose client does not read: an orderly close would wait behind what it does not read. */
export function cut(conn: Connection): void {
  const raw = rawSocket(conn);
  conn.close(true);
  if (raw !== null && typeof raw.terminate === 'function') raw.terminate();
}
