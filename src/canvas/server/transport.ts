/** The engine's connection below a socket, as far as the server must look below Socket.io. */
import type { Socket } from 'socket.io';
import { Sender } from 'ws';

declare module 'ws' {
  /** Exported by the package and left out of its types. */
  export const Sender: {
    frame(
      data: Buffer,
      options: Readonly<Record<'readOnly' | 'mask' | 'rsv1' | 'fin', boolean> & { opcode: number }>,
    ): Buffer[];
  };
}

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

/** A packet of Socket.io, for any number of connections. */
export interface Packet {
  readonly text: string;
  /** The engine writes the frame as it is where the transport is a websocket, and the text elsewhere. */
  readonly options: { readonly compress: boolean; readonly wsPreEncodedFrame: readonly [Buffer] };
}

/** An engine message of this type carries a packet of Socket.io (Engine.IO protocol, revision 4). */
const MESSAGE = '4';
/** RFC 6455, section 5.2. */
const TEXT_OPCODE = 1;

/**
 * The whole frame in one piece: header and content in two cost each connection a vectored write. `ws` makes the frame,
 * as it does for Socket.io's own broadcasts.
 */
function textFrame(text: string): Buffer {
  const options = { readOnly: false, mask: false, rsv1: false, opcode: TEXT_OPCODE, fin: true };
  return Buffer.concat(Sender.frame(Buffer.from(text), options));
}

/** Encodes a packet once, as Socket.io's own broadcasts are (socket.io-adapter, `wsPreEncodedFrame`). */
export function packetOf(text: string): Packet {
  return { text, options: { compress: true, wsPreEncodedFrame: [textFrame(MESSAGE + text)] } };
}

export function sendPacket(conn: Connection, { text, options }: Packet): void {
  // The engine writes its own reading of `compress` into the options that it is given.
  const own = { ...options };
  conn.send(text, own);
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
