/** Packets of Engine.IO, for a test that stands in for the realtime server. */
import type { WebSocketRoute } from 'playwright-core';

/** The first packet of a server. */
export const OPEN = `0${JSON.stringify({ sid: 'a', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000, maxPayload: 1_000_000 })}`;

/** Loses a connection just after it was opened: Playwright tells of none that could not be opened. */
export async function lose(socket: WebSocketRoute): Promise<void> {
  socket.send(OPEN);
  await socket.close();
}
