/** Where the developer's machine keeps things: the checkout, its data, and the cache that checkouts share. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. This room is never built, so the file's place in the source is its only place. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const DATA = join(ROOT, '.data');
export const LOGS = join(DATA, 'logs');

/** Eight characters that tell checkouts apart in directories they share. */
export const CHECKOUT_HASH = createHash('sha256').update(ROOT).digest('hex').slice(0, 8);

/** The directory for programs that are downloaded or built once for all checkouts (XDG base directories). */
export function cacheDirectory(): string {
  const base = process.env['XDG_CACHE_HOME'];
  return join(
    base === undefined || base === '' ? join(homedir(), '.cache') : base,
    'workflow-automation-service',
  );
}

/** Makes .data and .data/logs. */
export function makeDataDirectories(): void {
  mkdirSync(LOGS, { recursive: true, mode: 0o755 });
}
