/**
 * Delivers events to endpoints, in every API process: row locks divide the deliveries, so there is no leader. A
 * receiver that hangs delays neither a run nor another organization.
 */
import { RUN_DEPTH_HEADER, signRunDepth } from '../../platform/access/run-depth.ts';
import type { Clock } from '../../base/clock.ts';
import type { Config } from '../../base/config/config.ts';
import { Vault } from '../../platform/credentials/vault/vault.ts';
import { ClaimLoop } from '../../base/db/claim-loop.ts';
import type { Db } from '../../base/db/client.ts';
import type { Logger } from '../../base/log.ts';
import { createGuardedAgent, type GuardedAgent } from '../../platform/outbound/guarded-agent.ts';
import { claimDeliveries, recordAttempt, type ClaimedDelivery } from './deliveries.ts';
import { readEndpointSecrets } from './endpoint-secrets.ts';
import { postMessage, type AttemptResult } from './post-message.ts';
import { computeRetryTime } from './retry-schedule.ts';
import { signMessage } from './signature.ts';

const POLL_MS = 1_000;
/** Attempts in flight per process, each with a socket and at most a few kilobytes. A guess. */
const SLOTS = 64;
/** Slots for endpoints that are failing; the others stay free for those that answer. */
const FAILING_SLOTS = 16;

const SECRET_UNREADABLE: AttemptResult = {
  status: null,
  errorCode: 'secret_unreadable',
  response: null,
  retryAfterSeconds: null,
};

interface SenderDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Pick<Config, 'auth' | 'encryptionKeys' | 'outboundAllow'>;
}

export class NotificationSender {
  readonly #deps: SenderDeps;
  readonly #vault: Vault;
  readonly #guarded: GuardedAgent;
  readonly #loop: ClaimLoop<ClaimedDelivery>;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#vault = new Vault(deps);
    // A connection for each attempt: the outcome of a request on a connection that was just closed would be unknown.
    this.#guarded = createGuardedAgent(deps.config.outboundAllow, { keepAlive: false });
    this.#loop = new ClaimLoop<ClaimedDelivery>({
      everyMs: POLL_MS,
      slots: SLOTS,
      claim: (inFlight, limit) => this.#claim(inFlight, limit),
      attempt: (delivery) => this.#attempt(delivery),
      onClaimError: (error) => deps.log.warn({ err: error }, 'notifications could not be claimed'),
      onAttemptError: (error, { deliveryId: delivery_id }) =>
        deps.log.warn({ err: error, delivery_id }, 'a notification attempt could not be recorded'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Looks for new deliveries now instead of at the next poll. Does not wait for them. */
  kick(): void {
    this.#loop.kick();
  }

  /** Stops claiming and waits for the attempts in flight. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#guarded.agent.destroy();
  }

  /** Attempts each due delivery that has a free slot, and waits for the results. @returns the number of attempts */
  sendDue(): Promise<number> {
    return this.#loop.runDue();
  }

  #claim(inFlight: readonly ClaimedDelivery[], limit: number): Promise<readonly ClaimedDelivery[]> {
    const failing = inFlight.filter(({ isFailing }) => isFailing).length;
    return claimDeliveries(this.#deps.db, {
      nowMs: this.#deps.clock.now(),
      inFlight,
      limit,
      failingLimit: Math.max(0, FAILING_SLOTS - failing),
    });
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const { clock, db, log } = this.#deps;
    const startedMs = clock.now();
    const beganMs = clock.monotonic();
    const result = await this.#post(delivery, startedMs);
    const durationMs = clock.monotonic() - beganMs;
    const retryMs =
      result.errorCode === null
        ? null
        : computeRetryTime({
            id: delivery.deliveryId,
            attempts: delivery.attempts,
            createdMs: delivery.createdAt.getTime(),
            nowMs: startedMs + durationMs,
            retryAfterSeconds: result.retryAfterSeconds,
          });
    const reason = await recordAttempt(db, { delivery, result, startedMs, durationMs, dueMs: retryMs });
    const { endpointId: endpoint_id, deliveryId: delivery_id } = delivery;
    if (reason !== null) log.warn({ endpoint_id, reason }, 'a notification endpoint was disabled');
    else if (result.errorCode !== null)
      log.debug({ endpoint_id, delivery_id, code: result.errorCode }, 'a notification was not delivered');
  }

  async #post(delivery: ClaimedDelivery, nowMs: number): Promise<AttemptResult> {
    const { clock, config } = this.#deps;
    const { eventId: id, payload: body, runDepth: depth, url } = delivery;
    const secrets = this.#readSecrets(delivery, nowMs);
    if (secrets === null) return SECRET_UNREADABLE;
    const headers = {
      ...signMessage(secrets, { id, nowMs, body }),
      // A run that the endpoint starts here counts as deeper, which ends a loop of notifications (SPEC RUN-4.10).
      [RUN_DEPTH_HEADER]: signRunDepth(config.auth.apiKeySecret, { depth, nowMs }),
    };
    return postMessage({ guarded: this.#guarded, clock }, { url, headers, body });
  }

  /** Returns the secrets to sign with: two during a rotation, null when the encryption key is missing. */
  #readSecrets(delivery: ClaimedDelivery, nowMs: number): readonly string[] | null {
    try {
      const secrets = readEndpointSecrets(this.#vault, delivery);
      const isOverlapping = (delivery.previousSecretUntil?.getTime() ?? 0) > nowMs;
      return isOverlapping ? secrets : secrets.slice(0, 1);
    } catch (error) {
      this.#deps.log.error(
        { err: error, endpoint_id: delivery.endpointId },
        'the secret of an endpoint is unreadable',
      );
      return null;
    }
  }
}
