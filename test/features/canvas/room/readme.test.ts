/** The page about the canvas would name events or limits that the code does not have. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  LOCK_TTL_MS,
  MAX_LOCKS_PER_SESSION,
  MAX_LOCKS_PER_USER,
} from '../../../../src/features/canvas/room/locks.ts';
import {
  BROADCASTS,
  MAX_BATCH_OPS,
  MAX_BATCH_SIZE,
} from '../../../../src/features/canvas/room/operations.ts';
import { MAX_OP_SIZE } from '../../../../src/features/canvas/room/read-operation.ts';
import { EPHEMERAL_FIELDS, LOCK_FIELDS } from '../../../../src/features/canvas/room/read-presence.ts';
import {
  MAX_DEFINITION_BYTES,
  MAX_PIN_BYTES,
} from '../../../../src/language/graph/definition/definition-size.ts';
import { OPERATION_WORK } from '../../../../src/language/graph/values/work-budget.ts';
import { ROOM_LIMITS } from '../../../../src/features/canvas/room/room-rate.ts';
import { WORK_RATE } from '../../../../src/features/canvas/room/work-rates.ts';
import { MAX_ROOMS_PER_SESSION, MAX_SESSIONS_PER_ROOM } from '../../../../src/features/canvas/room/rooms.ts';
import {
  MAX_UNSAVED_AGE_MS,
  MAX_UNSAVED_OPS,
  MAX_UNSAVED_SIZE,
} from '../../../../src/features/canvas/room/unsaved-ops.ts';
import { SNAPSHOT_LIMITS } from '../../../../src/features/canvas/server/snapshot-semaphore.ts';
import { EPHEMERAL_LIMITS } from '../../../../src/features/canvas/server/ephemeral-throttle.ts';
import { DURABLE_LIMITS, REQUEST_LIMITS } from '../../../../src/features/canvas/server/event-router.ts';
import { MAX_BYTES, MAX_PACKETS, MAX_REJECTED } from '../../../../src/features/canvas/server/flood.ts';
import {
  FLOOD_PENALTY_MS,
  MAX_CONNECTIONS_PER_ORGANIZATION,
  MAX_CONNECTIONS_PER_USER,
  MAX_FRAME_BYTES,
  MAX_SESSION_AGE_MS,
  UNJOINED_MS,
} from '../../../../src/features/canvas/server/limits.ts';
import { REPLIES, SERVER_EVENTS } from '../../../../src/features/canvas/server/server-events.ts';
import {
  SLOW_FOR_MS,
  SNAPSHOT_TIMEOUT_MS,
  TOO_SLOW_BYTES,
  VERY_SLOW_BYTES,
} from '../../../../src/features/canvas/server/socket-session.ts';

const PATH = fileURLToPath(new URL('../../../../src/features/canvas/README.md', import.meta.url));
const TEXT = readFileSync(PATH, 'utf8');

const count = (value: number): string => value.toLocaleString('en-US');
const size = (bytes: number): string =>
  bytes >= 1_048_576 ? `${bytes / 1_048_576} MiB` : `${bytes / 1024} KiB`;
const seconds = (ms: number): string => (ms >= 3_600_000 ? `${ms / 3_600_000} h` : `${ms / 1000} s`);
const rate = ({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }): string =>
  `${count(perSecond)} a second, ${count(burst)} at once`;

const { opsPerSec: perSecond, opBurst: burst } = DURABLE_LIMITS;
const LIMITS = [
  ['a packet', size(MAX_FRAME_BYTES), 'the connection is closed'],
  [
    'an operation; a batch',
    `${size(MAX_OP_SIZE)}; ${size(MAX_BATCH_SIZE)} and ${count(MAX_BATCH_OPS)} parts`,
    '`PAYLOAD_TOO_LARGE`, `INVALID_PAYLOAD`',
  ],
  [
    'work of an operation, with all of its parts',
    `${count(OPERATION_WORK.total)} steps, at most 1 s`,
    '`PAYLOAD_TOO_LARGE`',
  ],
  [
    'work of the operations of an organization in a process, accepted or not',
    `${count(WORK_RATE.perSecond)} steps a second, ${count(WORK_RATE.burst)} at once`,
    '`RATE_LIMITED`',
  ],
  [
    'a definition; a pin in it',
    `${size(MAX_DEFINITION_BYTES)}; ${size(MAX_PIN_BYTES)}`,
    '`DOC_TOO_LARGE`; `PIN_TOO_LARGE`',
  ],
  ['operations of a connection', rate({ perSecond, burst }), '`RATE_LIMITED`'],
  ['operations of a room', rate(ROOM_LIMITS), '`RATE_LIMITED`'],
  ['joins, locks and the like', rate(REQUEST_LIMITS), '`RATE_LIMITED`'],
  ['cursors, drags, selections', rate(EPHEMERAL_LIMITS), 'the latest value comes later'],
  [
    'packets and bytes of a connection; refusals',
    `${count(MAX_PACKETS)} and ${size(MAX_BYTES)} in a second; ${MAX_REJECTED} in ten`,
    `\`flood\`, closed, kept out for ${seconds(FLOOD_PENALTY_MS)}`,
  ],
  [
    'connections of a user; of an organization',
    `${MAX_CONNECTIONS_PER_USER}; ${MAX_CONNECTIONS_PER_ORGANIZATION}`,
    '`TOO_MANY_CONNECTIONS`',
  ],
  [
    'rooms of a connection; people in a room',
    `${MAX_ROOMS_PER_SESSION}; ${MAX_SESSIONS_PER_ROOM}`,
    '`ROOM_LIMIT`; `ROOM_FULL`',
  ],
  [
    'locks of a connection; of a user in a room; life of a lock',
    `${MAX_LOCKS_PER_SESSION}; ${MAX_LOCKS_PER_USER}; ${seconds(LOCK_TTL_MS)}`,
    '`LOCK_LIMIT`; `LOCK_LOST`',
  ],
  [
    'a connection that joins nothing; any',
    `${seconds(UNJOINED_MS)}; ${seconds(MAX_SESSION_AGE_MS)}`,
    'closed; it may come back at once',
  ],
  [
    'what a client has not read',
    `${size(VERY_SLOW_BYTES)} for ${seconds(SLOW_FOR_MS)}, or ${size(TOO_SLOW_BYTES)}`,
    'the connection is cut',
  ],
  [
    'snapshots in flight of a connection; not read within',
    `1; ${seconds(SNAPSHOT_TIMEOUT_MS)}`,
    'the next waits; the connection is closed',
  ],
  [
    'bytes of snapshots in flight of an organization; of a process',
    `${size(SNAPSHOT_LIMITS.perOrganization)}; ${size(SNAPSHOT_LIMITS.capacity)}`,
    'the next waits',
  ],
  [
    'unsaved operations of a room',
    `${seconds(MAX_UNSAVED_AGE_MS)}, ${count(MAX_UNSAVED_OPS)} operations, ${size(MAX_UNSAVED_SIZE)}`,
    '`PERSISTENCE_DEGRADED`',
  ],
] as const;
const TABLE = [['limit', 'value', 'beyond it'], ['---', '---', '---'], ...LIMITS]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n');

test('the table of limits has the values of the code', async () => {
  const generated = /(<!-- generated: canvas-limits -->\n)[\s\S]*?(<!-- \/generated -->)/;
  const current = TEXT.replace(generated, (_all, begin: string, end: string) => `${begin}${TABLE}\n${end}`);
  await expect(current).toMatchFileSnapshot(PATH);
});

test('every event that the page names exists', () => {
  const events = new Set([
    ...Object.entries(BROADCASTS).flat(),
    ...[SERVER_EVENTS, REPLIES, EPHEMERAL_FIELDS, LOCK_FIELDS].flatMap((some) => Object.keys(some)),
  ]);
  const named = [...TEXT.matchAll(/`([a-z-]+:[a-z-]+)[` ]/g)].map(([, event = '']) => event);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((event) => !events.has(event))).toEqual([]);
});
