/**
 * LISTEN on a connection of its own (a pooled one would be given away), made again whenever it is lost. What was
 * notified meanwhile is lost too: whoever listens must look for itself after each connect.
 */
import { Socket } from 'node:net';
import pg from 'pg';

const RECONNECT_MS = 500;
/** A connection that has died without a word (a pulled cable) is noticed by asking. */
const PROBE_MS = 10_000;
const PROBE_PATIENCE_MS = 5_000;

export interface Listening {
  onMessage(payload: string, channel: string): void;
  /** Listening from now on: look for what was missed. */
  onConnect(): void;
  onLost(error: Error | undefined): void;
}

/** Ends a connection that may not answer any more: its goodbye is not waited for. */
function abandon(client: pg.Client): void {
  client.end().catch(() => undefined);
  const stream: unknown = Reflect.get(client, 'connection');
  const socket: unknown =
    typeof stream === 'object' && stream !== null ? Reflect.get(stream, 'stream') : null;
  if (socket instanceof Socket) socket.destroy();
}

/**
 * Listens until it is closed. Does not wait for the database.
 * @param channels identifiers of ours, never user input
 */
export function listenTo(
  url: string,
  channels: string | readonly string[],
  listening: Listening,
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
      listening.onLost(error);
      abandon(client);
      retry = setTimeout(() => void connect(), RECONNECT_MS);
    };
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', ({ payload, channel }) => {
      // Messages that were sent together are lines of one payload (notify-after-commit.ts).
      for (const message of payload?.split('\n') ?? []) listening.onMessage(message, channel);
    });
    try {
      await client.connect();
      for (const channel of [channels].flat()) await client.query(`LISTEN ${channel}`);
      if (isClosed) return;
      probe = setInterval(() => void client.query('SELECT 1').catch(lost), PROBE_MS);
      listening.onConnect();
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
