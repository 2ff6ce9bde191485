/** Directories on a developer's machine: the checkout, its data, and the cache that checkouts share. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout, relative to this file, because this room is never built. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const DATA = join(ROOT, '.data');
export const LOGS = join(DATA, 'logs');

/** Distinguishes checkouts in shared directories. */
export const CHECKOUT_HASH = createHash('sha256').update(ROOT).digest('hex').slice(0, 8);

/** @returns the directory for programs that all checkouts share (XDG base directories) */
export function findCacheDirectory(): string {
  const base = process.env['XDG_CACHE_HOME'];
  return join(
    base === undefined || base === '' ? join(homedir(), '.cache') : base,
    'workflow-automation-service',
  );
}

/** Creates .data and .data/logs. */
export function makeDataDirectories(): void {
  mkdirSync(LOGS, { recursive: true, mode: 0o755 });
}
