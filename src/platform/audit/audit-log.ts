/** Reads and prunes the audit log. The database writes it (prisma/README.md). */
import { toMoment, type Position } from '../../base/db/keyset.ts';
import type { Sql } from '../../base/db/client.ts';

interface AuditRow {
  readonly id: string;
  readonly organization_id: string | null;
  readonly action: string;
  readonly actor_type: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly api_key_id: string | null;
  readonly object_type: string;
  readonly object_id: string | null;
  readonly object_name: string | null;
  readonly ip_address: string | null;
  readonly request_id: string | null;
  readonly details: object;
  readonly created_at: Date;
}

/** Conditions on entries; undefined: all. */
interface AuditFilter {
  readonly actor_id?: string | undefined;
  /** An action, or a type of objects for all of its actions. */
  readonly action?: string | undefined;
  readonly object_id?: string | undefined;
  /** Inclusive, and exclusive: times in ISO 8601. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

// Names of people are read from their rows, so that erasing a person erases them here: with the account everywhere, and with the
// membership in the entries of that organization until then.
const isKnown = (person: string): string => `
  NOT EXISTS (SELECT 1 FROM data_jobs j
              WHERE j.organization_id = a.organization_id AND j.kind = 'erasure' AND j.subject->>'user_id' = ${person}.id::text
                AND a.created_at <= j.completed_at)`;
/** A type is followed by a dot, and `/` is next to it: a range of an index, which `starts_with` is not behind the wall. */
const IS_OF_TYPE = `(a.action COLLATE "C" >= $3 || '.' AND a.action COLLATE "C" < $3 || '/')`;
const selectEntries = (ofOrganization: string): string => `
  SELECT a.id, a.organization_id, a.action, a.actor_type, a.actor_id, coalesce(s.name, u.email, a.actor_name) AS actor_name,
         a.api_key_id, a.object_type, a.object_id, coalesce(a.object_name, o.email) AS object_name, a.ip_address, a.request_id,
         a.details, a.created_at
  FROM audit_log a
  LEFT JOIN users u ON u.id = a.actor_id AND ${isKnown('u')}
  LEFT JOIN service_accounts s ON s.id = a.actor_id
  LEFT JOIN users o ON o.id = CASE WHEN a.object_type IN ('member', 'user') THEN a.object_id::uuid END AND ${isKnown('o')}
  WHERE ${ofOrganization} AND ($2::uuid IS NULL OR a.actor_id = $2)
    AND ($3::text IS NULL OR a.action COLLATE "C" = $3 OR ${IS_OF_TYPE}) AND ($4::text IS NULL OR a.object_id = $4)
    AND a.created_at >= coalesce($5::timestamptz, '-infinity') AND a.created_at < least($6::timestamptz, $7::timestamptz + interval '1 ms', 'infinity')
    AND (a.created_at, a.id) < (coalesce($7::timestamptz, 'infinity'), coalesce($8::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  ORDER BY a.created_at DESC, a.id DESC LIMIT $9`;
const SELECT_OF_ORGANIZATION = selectEntries('a.organization_id = $1');
const SELECT_ALL = selectEntries('$1::uuid IS NULL');

/** Reads a page of entries, newest first. @param organizationId null: of the whole deployment */
export function readEntries(
  sql: Sql,
  organizationId: string | null,
  { after, limit, ...filter }: AuditFilter & { readonly after: Position | null; readonly limit: number },
): Promise<AuditRow[]> {
  return sql.query<AuditRow>(organizationId === null ? SELECT_ALL : SELECT_OF_ORGANIZATION, [
    organizationId,
    filter.actor_id ?? null,
    filter.action ?? null,
    filter.object_id ?? null,
    filter.since ?? null,
    filter.until ?? null,
    after === null ? null : toMoment(after),
    after?.rowId ?? null,
    limit,
  ]);
}

/** Presents an entry, as the API and exports do. */
export const presentEntry = (row: AuditRow): object => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  organization_id: row.organization_id,
  action: row.action,
  actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name, api_key_id: row.api_key_id },
  object: { type: row.object_type, id: row.object_id, name: row.object_name },
  ip_address: row.ip_address,
  request_id: row.request_id,
  details: row.details,
});

const EXPORT_PAGE = 500;

/** Reads all entries of a filter as JSON Lines, newest first, a page at a time. */
export async function* exportEntries(
  sql: Sql,
  organizationId: string | null,
  filter: AuditFilter,
): AsyncGenerator<string> {
  let after: Position | null = null;
  for (;;) {
    const rows: AuditRow[] = await readEntries(sql, organizationId, { ...filter, after, limit: EXPORT_PAGE });
    yield rows.map((row) => `${JSON.stringify(presentEntry(row))}\n`).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_PAGE) return;
    after = { place: last.created_at.getTime(), rowId: last.id };
  }
}

/** Removes entries that are older than so many days. @returns how many */
export async function pruneEntries(sql: Sql, organizationId: string | null, days: number): Promise<number> {
  const [row] = await sql.query<{ pruned: number }>(
    'SELECT prune_audit_log($1::uuid, now() - make_interval(days => $2::int)) AS pruned',
    [organizationId, days],
  );
  return row?.pruned ?? 0;
}

/** Removes entries after the retention of their organizations, and records that. @returns how many */
export async function deleteExpiredEntries(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ expired: number }>('SELECT expire_audit_log() AS expired');
  return row?.expired ?? 0;
}

interface RecordedAction {
  /** Null: it concerns the whole deployment. */
  readonly organizationId: string | null;
  readonly action: string;
  /** Without secrets. */
  readonly object: { readonly type: string; readonly id: string | null; readonly name: string | null };
  readonly details?: Readonly<Record<string, string>>;
}

/** Records an act that changes no watched row. */
export async function recordAction(
  sql: Sql,
  { organizationId, action, object, details = {} }: RecordedAction,
): Promise<void> {
  await sql.query(`SELECT record_action($1::uuid, $2, $3::jsonb, $4::jsonb)`, [
    organizationId,
    action,
    JSON.stringify(object),
    JSON.stringify(details),
  ]);
}
