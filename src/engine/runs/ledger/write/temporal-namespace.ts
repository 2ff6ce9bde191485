/** The namespace of Temporal that executes the runs of this database. */
import type { Sql } from '../../../../base/db/client.ts';
import type { TemporalNamespace } from '../../engine.ts';

export interface KnownNamespace extends TemporalNamespace {
  readonly notedAt: Date;
}

/** Remembers the first namespace. @returns the one that was remembered before; null when this is the first */
export async function noteNamespace(
  sql: Sql,
  { name, namespaceId }: TemporalNamespace,
): Promise<KnownNamespace | null> {
  const [known] = await sql.query<KnownNamespace>(
    `WITH noted AS (INSERT INTO temporal_namespace (name, namespace_id) VALUES ($1, $2) ON CONFLICT DO NOTHING)
     SELECT name, namespace_id AS "namespaceId", noted_at AS "notedAt" FROM temporal_namespace`,
    [name, namespaceId],
  );
  return known ?? null;
}

/** Makes a namespace the remembered one. */
export async function replaceNamespace(sql: Sql, { name, namespaceId }: TemporalNamespace): Promise<void> {
  await sql.query('UPDATE temporal_namespace SET name = $1, namespace_id = $2, noted_at = now()', [
    name,
    namespaceId,
  ]);
}
