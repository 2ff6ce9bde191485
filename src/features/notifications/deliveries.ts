/**
 * Deliveries in the database: claimed when they are due, and ended or put off after each attempt. Locks are taken in one order:
 * the endpoint, then its deliveries.
 */
import type { Db, Sql } from '../../base/db/client.ts';
import type { AttemptResult } from './post-message.ts';

/** Lifetime of a claim; longer than an attempt with its timeout takes. */
const CLAIM_MS = 60_000;
/** Attempts of one endpoint in flight; one while it is failing. */
const PER_ENDPOINT = 4;
/** Attempts of one organization in flight. */
const PER_ORGANIZATION = 8;
/** An endpoint is disabled after its requests have failed for this long. */
const DISABLE_AFTER_MS = 5 * 24 * 3_600_000;

/** A delivery that is about to be attempted. */
export interface ClaimedDelivery {
  readonly deliveryId: string;
  readonly organizationId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly url: string;
  readonly keyId: string;
  readonly wrappedKey: Buffer;
  readonly ciphertext: Buffer;
  readonly previousSecretUntil: Date | null;
  readonly isFailing: boolean;
  /** Text of the body, the same in every attempt. */
  readonly payload: string;
  readonly runDepth: number;
  /** Attempts, the claimed one included. */
  readonly attempts: number;
  readonly createdAt: Date;
}

interface Claim {
  readonly nowMs: number;
  /** Deliveries that are in flight in this process. */
  readonly inFlight: readonly Pick<ClaimedDelivery, 'endpointId' | 'organizationId'>[];
  readonly limit: number;
  /** Limit for failing endpoints: receivers that hang must leave slots to the others. */
  readonly failingLimit: number;
}

// `waiting` steps from one endpoint with pending deliveries to the next, so a backlog of one costs the claim nothing.
const CLAIM = `
  WITH RECURSIVE waiting AS (
    (SELECT endpoint_id FROM notification_deliveries WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM notification_deliveries d
            WHERE d.status = 'pending' AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
    FROM waiting w WHERE w.endpoint_id IS NOT NULL
  ), due AS (
    SELECT d.id, d.due_at, e.organization_id, e.failing_since IS NOT NULL AS is_failing,
           row_number() OVER (PARTITION BY e.organization_id ORDER BY d.turn, d.due_at) AS turn
    FROM waiting w JOIN notification_endpoints e ON e.id = w.endpoint_id
    CROSS JOIN LATERAL (
      SELECT id, due_at, row_number() OVER (ORDER BY due_at, id) AS turn FROM notification_deliveries
      WHERE endpoint_id = e.id AND status = 'pending' AND due_at <= $1::timestamptz ORDER BY due_at, id
      LIMIT greatest(0, CASE WHEN e.failing_since IS NULL THEN ${PER_ENDPOINT} ELSE 1 END
                        - (SELECT count(*) FROM unnest($2::uuid[]) AS busy(id) WHERE busy.id = e.id))
    ) AS d
  ), ranked AS (
    SELECT id, due_at, is_failing, turn,
           row_number() OVER (PARTITION BY is_failing ORDER BY turn, due_at, id) AS place
    FROM due
    WHERE turn <= ${PER_ORGANIZATION}
                  - (SELECT count(*) FROM unnest($3::uuid[]) AS busy(id) WHERE busy.id = due.organization_id)
  ), chosen AS (
    SELECT id FROM ranked WHERE NOT is_failing OR place <= $5::int ORDER BY turn, due_at, id LIMIT $4::int
  ), locked AS (
    SELECT id FROM notification_deliveries
    WHERE id IN (SELECT id FROM chosen) AND status = 'pending' AND due_at <= $1::timestamptz FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE notification_deliveries d
    SET due_at = $1::timestamptz + make_interval(secs => ${CLAIM_MS / 1_000}), attempt_count = attempt_count + 1
    FROM locked WHERE d.id = locked.id
    RETURNING d.*
  )
  SELECT c.id AS "deliveryId", c.organization_id AS "organizationId", c.endpoint_id AS "endpointId",
         c.event_id AS "eventId", n.url, n.key_id AS "keyId", n.wrapped_key AS "wrappedKey", n.ciphertext,
         n.previous_secret_until AS "previousSecretUntil", n.failing_since IS NOT NULL AS "isFailing",
         v.payload::text AS payload, v.run_depth AS "runDepth", c.attempt_count AS attempts, c.created_at AS "createdAt"
  FROM claimed c JOIN notification_endpoints n ON n.id = c.endpoint_id JOIN notification_events v ON v.id = c.event_id`;

/** Claims due deliveries; endpoints and organizations take turns. Other processes skip them until the claim expires. */
export function claimDeliveries(
  sql: Sql,
  { nowMs, inFlight, limit, failingLimit }: Claim,
): Promise<ClaimedDelivery[]> {
  return sql.query<ClaimedDelivery>(CLAIM, [
    new Date(nowMs),
    inFlight.map(({ endpointId }) => endpointId),
    inFlight.map(({ organizationId }) => organizationId),
    limit,
    failingLimit,
  ]);
}

/** An attempt as the log of an endpoint keeps it. */
interface LoggedAttempt {
  readonly at: string;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly error_code: string | null;
  readonly response: string | null;
}

interface EndedAttempt {
  readonly delivery: Pick<ClaimedDelivery, 'deliveryId' | 'endpointId' | 'organizationId' | 'url'>;
  readonly result: AttemptResult;
  readonly startedMs: number;
  readonly durationMs: number;
  /** When the delivery is tried again; null when it is not. */
  readonly dueMs: number | null;
}

function describeAttempt({ result, startedMs, durationMs }: EndedAttempt): string {
  const attempt: LoggedAttempt = {
    at: new Date(startedMs).toISOString(),
    duration_ms: Math.round(durationMs),
    status: result.status,
    error_code: result.errorCode,
    response: result.response,
  };
  return JSON.stringify([attempt]);
}

/** Records that the endpoint has accepted a delivery. */
async function recordSuccess(db: Db, ended: EndedAttempt): Promise<void> {
  const { deliveryId, endpointId, organizationId } = ended.delivery;
  const at = new Date(ended.startedMs + ended.durationMs);
  await db.transaction(async (tx) => {
    await tx.query(
      `UPDATE notification_endpoints SET failing_since = NULL, last_delivery_at = $3
       WHERE id = $1 AND organization_id = $2
         AND (failing_since IS NOT NULL OR last_delivery_at IS NULL OR last_delivery_at < $3::timestamptz - interval '1 second')`,
      [endpointId, organizationId, at],
    );
    await tx.query(
      `UPDATE notification_deliveries
       SET status = 'delivered', error_code = NULL, completed_at = $3, attempts = attempts || $4::jsonb
       WHERE id = $1 AND organization_id = $2 AND status = 'pending'`,
      [deliveryId, organizationId, at, describeAttempt(ended)],
    );
  });
}

/** Returns why an attempt disables its endpoint; null when it does not. */
function findDisablingReason(failingSince: Date | null, { result, startedMs }: EndedAttempt): string | null {
  if (result.status === 410) return 'The endpoint responded with 410 Gone';
  if (failingSince === null || failingSince.getTime() > startedMs - DISABLE_AFTER_MS) return null;
  return 'Every delivery has failed for 5 days';
}

/** Records a failed attempt, and disables an endpoint that has failed for too long. @returns the reason of the latter */
async function recordFailure(db: Db, ended: EndedAttempt): Promise<string | null> {
  const { delivery, result, startedMs, durationMs, dueMs } = ended;
  const { deliveryId, endpointId, organizationId, url } = delivery;
  const at = new Date(startedMs + durationMs);
  return db.transaction(async (tx) => {
    // A person may have changed the address since the claim: the new one has not failed.
    const [endpoint] = await tx.query<{ failingSince: Date | null; isSameAddress: boolean }>(
      `UPDATE notification_endpoints
       SET failing_since = CASE WHEN enabled AND url = $4 THEN coalesce(failing_since, $3) WHEN enabled THEN failing_since END,
           last_delivery_at = $3
       WHERE id = $1 AND organization_id = $2 RETURNING failing_since AS "failingSince", url = $4 AS "isSameAddress"`,
      [endpointId, organizationId, at, url],
    );
    await tx.query(
      `UPDATE notification_deliveries
       SET status = CASE WHEN $5::timestamptz IS NULL THEN 'failed' ELSE status END, error_code = $3,
           due_at = coalesce($5, due_at), completed_at = CASE WHEN $5 IS NULL THEN $4::timestamptz END,
           attempts = attempts || $6::jsonb
       WHERE id = $1 AND organization_id = $2 AND status = 'pending'`,
      [
        deliveryId,
        organizationId,
        result.errorCode,
        at,
        dueMs === null ? null : new Date(dueMs),
        describeAttempt(ended),
      ],
    );
    const reason =
      endpoint?.isSameAddress === true ? findDisablingReason(endpoint.failingSince, ended) : null;
    if (reason !== null) await disableEndpoint(tx, { endpointId, organizationId, reason, at });
    return reason;
  });
}

/** Records an attempt. @returns why it has disabled the endpoint; null when it has not */
export async function recordAttempt(db: Db, ended: EndedAttempt): Promise<string | null> {
  if (ended.result.errorCode !== null) return recordFailure(db, ended);
  await recordSuccess(db, ended);
  return null;
}

interface Disabling {
  readonly endpointId: string;
  readonly organizationId: string;
  /** Null: a person disables it. */
  readonly reason: string | null;
  readonly at: Date;
}

/** Disables an endpoint and fails its pending deliveries, which may be replayed. */
export async function disableEndpoint(
  tx: Sql,
  { endpointId, organizationId, reason, at }: Disabling,
): Promise<void> {
  await tx.query(
    `UPDATE notification_endpoints
     SET enabled = false, disabled_reason = $3, failing_since = NULL, updated_at = $4
     WHERE id = $1 AND organization_id = $2 AND enabled`,
    [endpointId, organizationId, reason, at],
  );
  await tx.query(
    `UPDATE notification_deliveries SET status = 'failed', error_code = 'endpoint_disabled', completed_at = $3
     WHERE endpoint_id = $1 AND organization_id = $2 AND status = 'pending'`,
    [endpointId, organizationId, at],
  );
}
