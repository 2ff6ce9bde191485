/**
 * Clients that join a workflow and then stop reading, but still answer pings, so that only the backlog can disconnect them.
 * Written on raw sockets, because a client library always reads.
 */
import { connect, type Socket } from 'node:net';
import { eventually } from '../../../support/waiting.ts';

const PATIENCE_MS = 20_000;
const PONG_EVERY_MS = 2_000;
/** Packets of Engine.IO and Socket.io, revision 4. */
const PONG = '3';
const connectPacket = (auth: object): string => `40${JSON.stringify(auth)}`;
const joinPacket = (workflowId: string): string => `42${JSON.stringify(['workflow:join', { workflowId }])}`;

export interface DeafClient {
  readonly sessionId: string;
  close(): void;
}

export interface DeafOptions {
  readonly url: string;
  /** Of the handshake: token, organizationId, and caps. */
  readonly auth: object;
  readonly workflowId: string;
}

/** The sessionId, once the room has let the client in. */
const sessionIn = (received: string): string | undefined =>
  /"you":\{"sessionId":"([^"]+)"/.exec(received)?.[1];

/** A masked text frame (RFC 6455) with a mask of zeros. */
function frame(text: string): Buffer {
  const data = Buffer.from(text);
  const length =
    data.length < 126 ? [data.length | 0x80] : [126 | 0x80, data.length >> 8, data.length & 0xff];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), data]);
}

function upgrade(url: string): Socket {
  const { hostname, port } = new URL(url);
  const raw = connect(Number(port), hostname);
  raw.on('error', () => undefined);
  raw.write(
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
  );
  return raw;
}

/** Over a websocket: its TCP connection is open, and nobody reads from it. */
export async function deafOverWebsocket({ url, auth, workflowId }: DeafOptions): Promise<DeafClient> {
  const raw = upgrade(url);
  let received = '';
  raw.on('data', (data) => (received += data.toString('latin1')));
  await eventually('the upgrade', PATIENCE_MS, () => received.includes('pingInterval') || null);
  raw.write(frame(connectPacket(auth)));
  await eventually('the session', PATIENCE_MS, () => /40\{"sid"/.test(received) || null);
  raw.write(frame(joinPacket(workflowId)));
  const sessionId = await eventually('the join', PATIENCE_MS, () => sessionIn(received));
  raw.pause();
  const pongs = setInterval(() => raw.write(frame(PONG)), PONG_EVERY_MS);
  return {
    sessionId,
    close() {
      clearInterval(pongs);
      raw.destroy();
    },
  };
}

/** Over long polling: it posts, and never polls again. */
export async function deafOverPolling({ url, auth, workflowId }: DeafOptions): Promise<DeafClient> {
  const at = `${url}/socket.io/?EIO=4&transport=polling`;
  const opened = await (await fetch(at)).text();
  const address = `${at}&sid=${String(JSON.parse(opened.slice(1)).sid)}`;
  const post = (body: string): Promise<unknown> => fetch(address, { method: 'POST', body });
  let received = '';
  const poll = async (): Promise<string> => (received += await (await fetch(address)).text());
  await post(connectPacket(auth));
  while (!received.includes('40{"sid"')) await poll();
  await post(joinPacket(workflowId));
  while (sessionIn(received) === undefined) await poll();
  const pongs = setInterval(() => void post(PONG).catch(() => undefined), PONG_EVERY_MS);
  return { sessionId: sessionIn(received) ?? '', close: () => clearInterval(pongs) };
}
