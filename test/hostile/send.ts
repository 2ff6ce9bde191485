/** Requests that `fetch` refuses to send: any path, any header, a body under every method, or bytes that are no HTTP. */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';

export interface Hostile {
  readonly method: string;
  /** As it goes over the wire: encoding is for the caller to do or to leave out. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends one request and reads the whole answer. */
export function sendHostile(base: string, hostile: Hostile): Promise<Reply> {
  const { method, path, headers, body } = hostile;
  const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
  const options = { agent, method, path, headers: { ...headers, ...length } };
  return new Promise((resolve, reject) => {
    const sent = request(base, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body ?? undefined);
  });
}

/** Writes bytes to the port and returns what came back by the time the server closed the connection. */
export function sendBytes(base: string, text: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    // A server that refuses while more is on its way resets the connection: what it said until then counts.
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
  });
}
