/**
 * LISTEN on a connection of its own (a pooled one would be given away), made again whenever it is lost. What was
 * notified meanwhile is lost too: whoever listens must look for itself after each connect.
 */
import pg from 'pg';

const RECONNECT_MS = 500;

export interface Listening {
  onMessage(payload: string): void;
  /** Listening from now on: look for what was missed. */
  onConnect(): void;
  onLost(error: Error | undefined): void;
}

/**
 * Listens until it is closed. Does not wait for the database.
 * @param channel an identifier of ours, never user input
 */
export function listenTo(url: string, channel: string, listening: Listening): { close(): Promise<void> } {
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  let current: pg.Client | null = null;

  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
      application_name: 'workflow-automation-service listener',
    });
    current = client;
    let isLost = false;
    const lost = (error?: Error): void => {
      if (isLost || isClosed) return;
      isLost = true;
      listening.onLost(error);
      client.end().catch(() => undefined);
      retry = setTimeout(() => void connect(), RECONNECT_MS);
    };
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) listening.onMessage(payload);
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
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
      await current?.end().catch(() => undefined);
    },
  };
}
