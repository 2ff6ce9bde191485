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
  readonly options: { readonly compress: boolean; readonly wsPreEncodedFrame: readonly [Buffer, Buffer?] };
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

/** The end of messages: the bytes are the same for all that they are written to. */
export interface Tail {
  readonly text: string;
  readonly bytes: Buffer;
}

/** Encodes the end of messages. */
export const tailOf = (text: string): Tail => ({ text, bytes: Buffer.from(text) });

/** The header of a text frame in one piece (RFC 6455, section 5.2): final, unmasked, of so many bytes. */
function frameHeader(length: number): Buffer {
  const first = 0x80 | TEXT_OPCODE;
  if (length < 126) return Buffer.from([first, length]);
  const header = Buffer.alloc(length < 65_536 ? 4 : 10);
  header[0] = first;
  if (length < 65_536) {
    header[1] = 126;
    header.writeUInt16BE(length, 2);
  } else {
    header[1] = 127;
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  return header;
}

/** A packet of which only the head is encoded: the frame is written in two pieces, the second of which is shared. */
export function packetWithTail(head: string, tail: Tail): Packet {
  const bytes = Buffer.from(MESSAGE + head);
  const begin = Buffer.concat([frameHeader(bytes.length + tail.bytes.length), bytes]);
  return { text: head + tail.text, options: { compress: true, wsPreEncodedFrame: [begin, tail.bytes] } };
}

/** @param onTaken called when the system has taken the packet to send it; never, when the connection ends before */
export function sendPacket(conn: Connection, { text, options }: Packet, onTaken?: () => void): void {
  // The engine writes its own reading of `compress` into the options that it is given.
  const own = { ...options };
  conn.send(text, own, onTaken);
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
