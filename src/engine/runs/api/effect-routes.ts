/** Routes of the ledger of effects: what runs have done outside, for all who may read the history of runs. */
import { Readable } from 'node:stream';
import type { Config } from '../../../base/config/config.ts';
import type { BoundedRows } from '../../../base/db/bounded-page.ts';
import type { Db } from '../../../base/db/client.ts';
import type { Position } from '../../../base/db/keyset.ts';
import { isStillAllowed, whileAllowed } from '../../../platform/access/still-allowed.ts';
import { readCreation, readCursorPage } from '../../../platform/http/cursor-page.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { readEffects, type EffectFilter, type LedgerRow } from '../ledger/read/effects.ts';
import { toReader, type Reader } from '../ledger/read/run-reads.ts';
import { effectExportQuery, effectPage, effectQuery } from './effect-schema.ts';

interface EffectDeps {
  readonly db: Db;
  readonly config: Pick<Config, 'auth'>;
}

const route = routesFor<EffectDeps>();
const common = { tag: 'runs', access: 'organization', method: 'GET' } as const;

const present = ({ approved_by_interrupt: interruptId, node_name: name, ...row }: LedgerRow): object => ({
  ...row,
  created_at: row.created_at.toISOString(),
  node_name: name ?? row.node_id,
  approved_by_interrupt_id: interruptId,
});

const EXPORT_PAGE = 500;

/** Reads all effects of a filter as JSON Lines, newest first, a page at a time. */
async function* exportEffects(db: Db, reader: Reader, filter: EffectFilter): AsyncGenerator<string> {
  let from: Position | null = null;
  for (;;) {
    const page = { from, isBackward: false, limit: EXPORT_PAGE, offset: 0 };
    const { rows, stoppedAt }: BoundedRows<LedgerRow> = await readEffects(db, reader, { ...filter, page });
    yield rows.map((row) => `${JSON.stringify(present(row))}\n`).join('');
    const last = rows.at(-1);
    from = stoppedAt ?? (last === undefined || rows.length < EXPORT_PAGE ? null : readCreation(last));
    if (from === null) return;
  }
}

export const effectRoutes: readonly Route<EffectDeps>[] = [
  route({
    ...common,
    path: '/effects',
    operationId: 'listEffects',
    summary: 'List what runs have changed outside of the service, newest first',
    query: effectQuery,
    replies: { 200: effectPage },
    async handle({ deps, scope, query }) {
      const reader = toReader(scope);
      const { rows, nextCursor, previousCursor } = await readCursorPage(deps.config.auth, query, {
        name: `effects/${reader.organizationId}/${reader.userId}`,
        read: (page) => readEffects(deps.db, reader, { ...query, page }),
        readPosition: readCreation,
      });
      const cursors = { next_cursor: nextCursor, previous_cursor: previousCursor };
      return { status: 200, body: { effects: rows.map(present), ...cursors } };
    },
  }),
  route({
    ...common,
    path: '/effects/export',
    operationId: 'exportEffects',
    summary:
      'Download the ledger of effects as JSON Lines, newest first: the effects of the list, one on each line',
    query: effectExportQuery,
    replies: { 200: 'jsonl' },
    handle: async ({ deps, scope, query }) => ({
      status: 200,
      headers: {
        'Content-Type': 'application/jsonl; charset=utf-8',
        'Content-Disposition': 'attachment; filename="effects.jsonl"',
      },
      body: Readable.from(
        whileAllowed(exportEffects(deps.db, toReader(scope), query), () =>
          isStillAllowed(deps.db, scope, null),
        ),
      ),
    }),
  }),
];
