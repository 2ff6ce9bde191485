/** The statements of deliveries. SQL: a lock on a key that has no row, and a hook with its organization in one read. */
import type { Subscription } from '../../platform/access/caller.ts';
import type { Sql } from '../../base/db/client.ts';
import type { Json } from '../../language/graph/values/value.ts';
import { selectRedactedPaths } from '../../engine/runs/ledger/read/redacted-paths.ts';
import type { DeduplicateBy, HookRequest } from './hook-request.ts';
import type { Scheme } from './verification.ts';

/** The answer of a hook to its sender. */
type HookResponse =
  | { readonly mode: 'accepted' }
  | {
      readonly mode: 'result';
      readonly status?: number | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** A template over the output of the run; undefined: the output. */
      readonly body?: Json | undefined;
    }
  /** With the response of a node; with the output when the run ends without one. */
  | { readonly mode: 'respond' };

/** A hook as a delivery needs it. */
export interface Hook extends Scheme {
  readonly hookId: string;
  readonly organizationId: string;
  readonly workflowId: string;
  readonly createdBy: string | null;
  readonly name: string;
  /** The methods whose requests start runs. */
  readonly methods: readonly string[];
  readonly filter: Json;
  readonly mapping: Json;
  /** Template of the id of the thread; null: a new thread for each run. */
  readonly threadId: string | null;
  readonly deduplicateBy: DeduplicateBy;
  readonly idHeader: string | null;
  readonly response: HookResponse;
  readonly isEnabled: boolean;
  /** Somebody listens for a test event. */
  readonly isListening: boolean;
  readonly keyId: string;
  readonly wrappedKey: Buffer;
  readonly ciphertext: Buffer;
  readonly subscription: Subscription;
  readonly redactedPaths: readonly string[];
}

const COLUMNS = `
  h.id AS "hookId", h.organization_id AS "organizationId", h.workflow_id AS "workflowId", h.created_by AS "createdBy",
  h.name, h.verification, h.signature, h.methods, h.filter, h.mapping, h.thread_id AS "threadId", h.deduplicate_by AS "deduplicateBy", h.id_header AS "idHeader",
  h.response, h.enabled AS "isEnabled", coalesce(h.listening_until > now(), false) AS "isListening",
  h.key_id AS "keyId", h.wrapped_key AS "wrappedKey", h.ciphertext,
  json_build_object('plan', o.plan, 'overrides', o.entitlements, 'isSuspended', o.is_suspended) AS subscription,
  ${selectRedactedPaths('h.organization_id', 'h.workflow_id')} AS "redactedPaths"`;

/**
 * Finds the hook of an address, by the current token or by the previous one while that is valid; a disabled hook while somebody
 * listens.
 */
export async function findHookByToken(sql: Sql, tokenHash: Buffer): Promise<Hook | null> {
  const [hook] = await sql.query<Hook>(
    `SELECT ${COLUMNS} FROM hooks h JOIN organizations o ON o.id = h.organization_id AND o.is_active
     WHERE (h.enabled OR h.listening_until > now()) AND (h.token_hash = $1 OR (h.previous_token_hash = $1 AND h.previous_token_until > now()))`,
    [tokenHash],
  );
  return hook ?? null;
}

/** Finds a hook of a workflow, also a disabled one. */
export async function findHook(
  sql: Sql,
  key: { readonly organizationId: string; readonly workflowId: string; readonly hookId: string },
): Promise<Hook | null> {
  const [hook] = await sql.query<Hook>(
    `SELECT ${COLUMNS} FROM hooks h JOIN organizations o ON o.id = h.organization_id
     WHERE h.id = $1 AND h.workflow_id = $2 AND h.organization_id = $3`,
    [key.hookId, key.workflowId, key.organizationId],
  );
  return hook ?? null;
}

/** Ends the wait for a test event. */
export async function stopListening(
  sql: Sql,
  { hookId, organizationId }: Pick<Hook, 'hookId' | 'organizationId'>,
): Promise<void> {
  await sql.query('UPDATE hooks SET listening_until = NULL WHERE id = $1 AND organization_id = $2', [
    hookId,
    organizationId,
  ]);
}

/** Counts a rejected request, at most once a second: whoever knows the address must not keep the row busy. */
export async function noteRejection(sql: Sql, hookId: string, reason: string): Promise<void> {
  await sql.query(
    `UPDATE hooks SET rejected_count = rejected_count + 1, last_rejected_at = now(), last_rejected_reason = $2
     WHERE id = $1 AND (last_rejected_at IS NULL OR last_rejected_at < now() - interval '1 second')`,
    [hookId, reason],
  );
}

interface DuplicateRef {
  readonly hookId: string;
  readonly duplicateKey: string;
}

/** Holds a duplicate key until the transaction ends: requests with one key are accepted one after the other. */
export async function lockDuplicateKey(tx: Sql, { hookId, duplicateKey }: DuplicateRef): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`hook:${hookId}:${duplicateKey}`]);
}

export interface StartedDelivery {
  readonly deliveryId: string;
  readonly runPk: string;
  readonly runId: string;
}

/** Finds the delivery of the last 24 hours that started the run of this key; null without one. */
export async function findStarted(
  sql: Sql,
  { hookId, duplicateKey }: DuplicateRef,
): Promise<StartedDelivery | null> {
  const [delivery] = await sql.query<StartedDelivery>(
    `SELECT id AS "deliveryId", run_pk AS "runPk", run_id AS "runId" FROM hook_deliveries
     WHERE hook_id = $1 AND duplicate_key = $2 AND outcome = 'started' AND received_at > now() - interval '24 hours'
     LIMIT 1`,
    [hookId, duplicateKey],
  );
  return delivery ?? null;
}

/** Deliveries that a count of outcomes looks at. */
const RECENT = 100;

type Outcome = NewDelivery['outcome'];
export type OutcomeCounts = Readonly<Record<Outcome, number>>;

const NO_DELIVERIES: OutcomeCounts = { started: 0, filtered: 0, failed: 0, captured: 0, rejected: 0 };

/** Counts the outcomes of the last 100 deliveries that are kept of each hook. @returns a function from the id of a hook */
export async function countRecentOutcomes(
  sql: Sql,
  { organizationId, hookIds }: { readonly organizationId: string; readonly hookIds: readonly string[] },
): Promise<(hookId: string) => OutcomeCounts> {
  const rows = await sql.query<{ hookId: string; outcome: Outcome; count: number }>(
    `SELECT h.id AS "hookId", d.outcome, count(*)::int AS count
     FROM unnest($2::uuid[]) AS h(id)
     CROSS JOIN LATERAL (
       SELECT outcome FROM hook_deliveries WHERE hook_id = h.id AND organization_id = $1
       ORDER BY received_at DESC, id DESC LIMIT ${RECENT}
     ) d
     GROUP BY h.id, d.outcome`,
    [organizationId, hookIds],
  );
  return (wanted) => ({
    ...NO_DELIVERIES,
    ...Object.fromEntries(
      rows.filter(({ hookId }) => hookId === wanted).map(({ outcome, count }) => [outcome, count]),
    ),
  });
}

export interface NewDelivery {
  /** `captured`: shown to the person who listens, without a run; `rejected`: it could not be read. */
  readonly outcome: 'started' | 'filtered' | 'failed' | 'captured' | 'rejected';
  readonly error?: { readonly code: string; readonly message: string };
  readonly run?: { readonly runPk: string; readonly runId: string };
  readonly duplicateKey: string | null;
  readonly redeliveryOf: string | null;
  readonly request: HookRequest;
}

/** Writes a delivery to the log of its hook. @returns its id */
export async function insertDelivery(
  sql: Sql,
  hook: Pick<Hook, 'hookId' | 'organizationId'>,
  delivery: NewDelivery,
): Promise<string> {
  const { outcome, error, run, duplicateKey, redeliveryOf, request } = delivery;
  const [row] = await sql.query<{ id: string }>(
    `WITH hook AS (
       UPDATE hooks SET last_delivery_at = now()
       WHERE id = $1 AND (last_delivery_at IS NULL OR last_delivery_at < now() - interval '1 second')
     )
     INSERT INTO hook_deliveries (hook_id, organization_id, outcome, error_code, error_message, run_pk, run_id,
                                  duplicate_key, redelivery_of, request)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::json) RETURNING id`,
    [
      hook.hookId,
      hook.organizationId,
      outcome,
      error?.code ?? null,
      error?.message ?? null,
      run?.runPk ?? null,
      run?.runId ?? null,
      duplicateKey,
      redeliveryOf,
      JSON.stringify(request),
    ],
  );
  if (row === undefined) throw new Error('the delivery was not inserted');
  return row.id;
}
