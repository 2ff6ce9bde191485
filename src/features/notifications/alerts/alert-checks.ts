/**
 * Checks alerts every minute, in every API process, without a leader. The change of an alert and its event are written in one
 * transaction, so endpoints are told once of each episode.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Db } from '../../../base/db/client.ts';
import { PollLoop } from '../../../base/db/poll-loop.ts';
import type { Logger } from '../../../base/log.ts';
import { measureAlert, type MeasuredAlert } from './alert-measures.ts';

const POLL_MS = 15_000;
/** An alert is checked once a minute, by one of the processes. */
const CHECK_EVERY_MS = 60_000;
const BATCH = 100;

interface DueAlert extends MeasuredAlert {
  readonly alertId: string;
  readonly name: string;
  readonly workflowName: string | null;
  readonly firingSince: Date | null;
}

interface CheckDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
}

const CLAIM = `
  WITH due AS (
    SELECT a.id FROM alerts a JOIN organizations o ON o.id = a.organization_id AND o.is_active
    WHERE a.enabled AND (a.checked_at IS NULL OR a.checked_at <= $1::timestamptz - make_interval(secs => $2::float8 / 1000))
    ORDER BY a.checked_at NULLS FIRST LIMIT ${BATCH} FOR NO KEY UPDATE OF a SKIP LOCKED
  )
  UPDATE alerts a SET checked_at = $1 FROM due WHERE a.id = due.id
  RETURNING a.id AS "alertId", a.organization_id AS "organizationId", a.workflow_id AS "workflowId", a.name, a.kind,
            a.threshold, a.window_minutes AS "windowMinutes", a.armed_at AS "armedAt", a.firing_since AS "firingSince",
            (SELECT w.name FROM workflows w WHERE w.id = a.workflow_id) AS "workflowName"`;

export class AlertChecks {
  readonly #deps: CheckDeps;
  readonly #loop: PollLoop;

  constructor(deps: CheckDeps) {
    this.#deps = deps;
    this.#loop = new PollLoop({
      everyMs: POLL_MS,
      round: async () => void (await this.checkDue()),
      onError: (error) => deps.log.warn({ err: error }, 'alerts could not be checked'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Checks the alerts that are due. @returns their number */
  async checkDue(): Promise<number> {
    const { db, clock, log } = this.#deps;
    const nowMs = clock.now();
    const due = await db.query<DueAlert>(CLAIM, [new Date(nowMs), CHECK_EVERY_MS]);
    for (const alert of due) {
      try {
        await this.#check(alert, nowMs);
      } catch (error) {
        // A failure delays only this alert; it is due again in a minute.
        log.warn({ err: error, alert_id: alert.alertId }, 'an alert could not be checked');
      }
    }
    return due.length;
  }

  async #check(alert: DueAlert, nowMs: number): Promise<void> {
    const { db } = this.#deps;
    const { alertId, organizationId } = alert;
    const { value, isBreached } = await measureAlert(db, alert, nowMs);
    const at = new Date(nowMs);
    await db.transaction(async (tx) => {
      // Compared with the row: the alert may have been changed, or checked by another process, since it was claimed.
      const changed = await tx.query(
        `UPDATE alerts SET value = $3, firing_since = CASE WHEN $4::boolean THEN $5::timestamptz END
         WHERE id = $1 AND organization_id = $2 AND enabled AND (firing_since IS NOT NULL) <> $4
           AND armed_at = $6 RETURNING 1`,
        [alertId, organizationId, value, isBreached, at, alert.armedAt],
      );
      if (changed.length === 0) {
        await tx.query('UPDATE alerts SET value = $3 WHERE id = $1 AND organization_id = $2', [
          alertId,
          organizationId,
          value,
        ]);
        return;
      }
      const data = {
        alert_id: alertId,
        name: alert.name,
        kind: alert.kind,
        workflow_id: alert.workflowId,
        workflow_name: alert.workflowName,
        threshold: alert.threshold,
        window_minutes: alert.windowMinutes,
        value,
        fired_at: (isBreached ? at : (alert.firingSince ?? at)).toISOString(),
        resolved_at: isBreached ? null : at.toISOString(),
      };
      await tx.query('SELECT notify_endpoints($1, $2, $3::json, 0)', [
        organizationId,
        isBreached ? 'alert.fired' : 'alert.resolved',
        JSON.stringify(data),
      ]);
    });
  }
}
