/**
 * Servers that several test projects use at once. Each project loads its set-up anew but all in one process, so what
 * they share is found through the global object; the last one to leave stops it.
 */

interface Shared {
  users: number;
  readonly value: Promise<{ stop(): Promise<void> }>;
}

const registry = globalThis as unknown as Record<symbol, Shared | undefined>;

/**
 * Joins the server called `name`, starting it when this is the first user.
 * @returns the server and how to leave it
 */
export async function share<Server extends { stop(): Promise<void> }>(
  name: string,
  start: () => Promise<Server>,
): Promise<{ server: Server; leave: () => Promise<void> }> {
  const key = Symbol.for(`test-server:${name}`);
  const shared = (registry[key] ??= { users: 0, value: start() });
  shared.users += 1;
  const server = (await shared.value) as Server;
  return {
    server,
    async leave() {
      shared.users -= 1;
      if (shared.users > 0) return;
      registry[key] = undefined;
      await server.stop();
    },
  };
}
