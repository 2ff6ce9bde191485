/** Requests that wait for approval: each revision is sealed, and what was approved is found by its digest. */
import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../../base/db/client.ts';
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import type { StoredEffect } from '../../../../language/nodes/confirm/stored-effect.ts';

interface Owner {
  readonly organizationId: string;
  readonly credentialId: string;
}

interface Sealed {
  readonly keyId: string;
  readonly wrappedKey: Buffer;
  readonly ciphertext: Buffer;
}

/** The part of the vault that seals and opens what is held. */
export interface EffectVault {
  readonly canStore: boolean;
  seal(owner: Owner, data: JsonObject): Sealed;
  unseal(owner: Owner, sealed: Sealed): JsonObject;
}

interface HeldRow {
  readonly id: string;
  readonly interrupt_id: string;
  readonly organization_id: string;
  readonly revision: number;
  readonly digest: string;
  readonly key_id: string;
  readonly wrapped_key: Buffer;
  readonly ciphertext: Buffer;
}

const COLUMNS =
  'h.id, h.interrupt_id, h.organization_id, h.revision, h.digest, h.key_id, h.wrapped_key, h.ciphertext';

interface HeldEffect extends StoredEffect {
  readonly revision: number;
}

interface HeldBy {
  readonly organizationId: string;
  readonly interruptId: string;
}

function openRow(vault: EffectVault, row: HeldRow): HeldEffect {
  const owner = { organizationId: row.organization_id, credentialId: row.id };
  const sealed = { keyId: row.key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext };
  const { text } = vault.unseal(owner, sealed);
  return { revision: row.revision, digest: row.digest, text: typeof text === 'string' ? text : '' };
}

/** Holds a revision of the request of a question. @throws UnreadableError without a configured key */
export async function holdEffect(
  sql: Sql,
  vault: EffectVault,
  { organizationId, interruptId, revision, digest, text }: HeldEffect & HeldBy,
): Promise<void> {
  const id = randomUUID();
  const { keyId, wrappedKey, ciphertext } = vault.seal({ organizationId, credentialId: id }, { text });
  await sql.query(
    `INSERT INTO held_effects (id, interrupt_id, organization_id, revision, digest, key_id, wrapped_key, ciphertext)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, interruptId, organizationId, revision, digest, keyId, wrappedKey, ciphertext],
  );
}

/** Reads the newest revision of the request of a question; null when it holds none. @throws UnreadableError */
export async function readHeldEffect(
  sql: Sql,
  vault: EffectVault,
  { organizationId, interruptId }: HeldBy,
): Promise<HeldEffect | null> {
  const [row] = await sql.query<HeldRow>(
    `SELECT ${COLUMNS} FROM held_effects h WHERE h.interrupt_id = $1 AND h.organization_id = $2
     ORDER BY h.revision DESC LIMIT 1`,
    [interruptId, organizationId],
  );
  return row === undefined ? null : openRow(vault, row);
}

/** Marks the request that was approved, with the claim of its question. */
export async function markApproved(
  sql: Sql,
  { organizationId, interruptId, digest }: Pick<HeldEffect, 'digest'> & HeldBy,
): Promise<void> {
  await sql.query(
    `UPDATE held_effects SET approved_at = clock_timestamp()
     WHERE interrupt_id = $1 AND organization_id = $2
       AND revision = (SELECT max(revision) FROM held_effects WHERE interrupt_id = $1 AND digest = $3)`,
    [interruptId, organizationId, digest],
  );
}

/** An execution of a node. */
interface Place {
  readonly organizationId: string;
  readonly rootRunPk: string;
  readonly nodeId: string;
  readonly visit: number;
}

/** Reads the request that people have approved for an execution; null when none was. @throws UnreadableError */
export async function readApprovedEffect(
  sql: Sql,
  vault: EffectVault,
  { organizationId, rootRunPk, nodeId, visit }: Place,
): Promise<(HeldEffect & Pick<HeldBy, 'interruptId'>) | null> {
  const [row] = await sql.query<HeldRow>(
    `SELECT ${COLUMNS} FROM run_interrupts i
     JOIN held_effects h ON h.interrupt_id = i.id AND h.approved_at IS NOT NULL
     WHERE i.root_run_pk = $1 AND i.organization_id = $2 AND i.node_id = $3 AND i.visit = $4
       AND i.status = 'consumed'
     ORDER BY h.revision DESC LIMIT 1`,
    [rootRunPk, organizationId, nodeId, visit],
  );
  return row === undefined ? null : { ...openRow(vault, row), interruptId: row.interrupt_id };
}
