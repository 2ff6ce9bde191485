/** Access to the Engine.IO connection below a socket: pre-encoded packets, buffered bytes, termination. */
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

/** Finds the raw websocket of a connection; the engine's types expose neither it nor its queue. */
function findRawSocket(conn: Connection): { bufferedAmount?: unknown; terminate?: unknown } | null {
  const raw: unknown = Reflect.get(conn.transport, 'socket');
  return typeof raw === 'object' && raw !== null ? raw : null;
}

function countPacketBytes(packet: unknown): number {
  const data: unknown =
    typeof packet === 'object' && packet !== null ? Reflect.get(packet, 'data') : undefined;
  return typeof data === 'string' || Buffer.isBuffer(data) ? data.length : 0;
}

/** An encoded Socket.io packet, for any number of connections. */
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
 * Encodes a websocket frame in one buffer: header and content in two buffers would cost each connection a vectored write.
 * `ws` encodes it, as for Socket.io's own broadcasts.
 */
function encodeTextFrame(text: string): Buffer {
  const options = { readOnly: false, mask: false, rsv1: false, opcode: TEXT_OPCODE, fin: true };
  return Buffer.concat(Sender.frame(Buffer.from(text), options));
}

/** Encodes a packet once for all receivers, as socket.io-adapter does (`wsPreEncodedFrame`). */
export function encodePacket(text: string): Packet {
  return { text, options: { compress: true, wsPreEncodedFrame: [encodeTextFrame(MESSAGE + text)] } };
}

/** The shared end of several messages. */
export interface Tail {
  readonly text: string;
  readonly bytes: Buffer;
}

export const encodeTail = (text: string): Tail => ({ text, bytes: Buffer.from(text) });

/** Encodes the header of a final, unmasked text frame of `length` bytes (RFC 6455, section 5.2). */
function encodeFrameHeader(length: number): Buffer {
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

/** Encodes a packet of a head and a shared tail: the frame is written as two buffers. */
export function encodePacketWithTail(head: string, tail: Tail): Packet {
  const bytes = Buffer.from(MESSAGE + head);
  const begin = Buffer.concat([encodeFrameHeader(bytes.length + tail.bytes.length), bytes]);
  return { text: head + tail.text, options: { compress: true, wsPreEncodedFrame: [begin, tail.bytes] } };
}

/** Sends a packet. @param onTaken called when it was written to the socket; never when the connection closes before */
export function sendPacket(conn: Connection, { text, options }: Packet, onTaken?: () => void): void {
  // The engine changes the options object that it is given.
  const own = { ...options };
  conn.send(text, own, onTaken);
}

/** Counts the bytes that were sent but not read by the client, as far as this process buffers them. */
export function countBufferedBytes(conn: Connection): number {
  const raw = findRawSocket(conn)?.bufferedAmount;
  let bytes = typeof raw === 'number' ? raw : 0;
  const waiting: unknown = Reflect.get(conn, 'writeBuffer');
  if (Array.isArray(waiting)) for (const packet of waiting) bytes += countPacketBytes(packet);
  return bytes;
}

/** Terminates a connection whose client does not read: an orderly close would wait behind its unread data. */
export function terminate(conn: Connection): void {
  const raw = findRawSocket(conn);
  conn.close(true);
  if (raw !== null && typeof raw.terminate === 'function') raw.terminate();
}
