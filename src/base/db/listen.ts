/**
 * LISTEN on a dedicated connection that reconnects. Notifications sent while it is lost are lost too, so the listener must
 * read the tables after each connect.
 */
import { Socket } from 'node:net';
import pg from 'pg';

const RECONNECT_MS = 500;
/** A probe detects a connection that died silently, such as by a pulled cable. */
const PROBE_MS = 10_000;
const PROBE_PATIENCE_MS = 5_000;

interface Listener {
  onMessage(payload: string, channel: string): void;
  /** The connection listens from now on; earlier notifications may have been missed. */
  onConnect(): void;
  onLost(error: Error | undefined): void;
}

/** Closes a connection that may not respond any more, without waiting for the server. */
function abandon(client: pg.Client): void {
  client.end().catch(() => undefined);
  const stream: unknown = Reflect.get(client, 'connection');
  const socket: unknown =
    typeof stream === 'object' && stream !== null ? Reflect.get(stream, 'stream') : null;
  if (socket instanceof Socket) socket.destroy();
}

/** Listens until it is closed; returns before it is connected. @param channels constants, never user input */
export function listenTo(
  url: string,
  channels: string | readonly string[],
  listener: Listener,
): { close(): Promise<void> } {
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  let probe: NodeJS.Timeout | undefined;
  let current: pg.Client | null = null;

  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
      query_timeout: PROBE_PATIENCE_MS,
      application_name: 'workflow-automation-service listener',
    });
    current = client;
    let isLost = false;
    const lost = (error?: Error): void => {
      if (isLost || isClosed) return;
      isLost = true;
      clearInterval(probe);
      listener.onLost(error);
      abandon(client);
      retry = setTimeout(() => void connect(), RECONNECT_MS);
    };
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', ({ payload, channel }) => {
      // Messages that were sent together are lines of one payload (notify-after-commit.ts).
      for (const message of payload?.split('\n') ?? []) listener.onMessage(message, channel);
    });
    try {
      await client.connect();
      for (const channel of [channels].flat()) await client.query(`LISTEN ${channel}`);
      if (isClosed) return;
      probe = setInterval(() => void client.query('SELECT 1').catch(lost), PROBE_MS);
      listener.onConnect();
    } catch (error) {
      lost(error instanceof Error ? error : undefined);
    }
  };

  void connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(retry);
      clearInterval(probe);
      await current?.end().catch(() => undefined);
    },
  };
}
