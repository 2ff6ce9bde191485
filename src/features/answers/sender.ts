/**
 * Sends answer links by mail and chat, in every API process: row locks divide the messages, so there is no leader. A crash
 * between sending and recording sends a message again, with the same link: an e-mail with its Message-ID, by which mail servers
 * recognize it; chats know none.
 */
import type { Clock } from '../../base/clock.ts';
import type { Config } from '../../base/config/config.ts';
import { findPublicOrigin } from '../../base/config/public-origin.ts';
import { ClaimLoop } from '../../base/db/claim-loop.ts';
import type { Db } from '../../base/db/client.ts';
import type { Logger } from '../../base/log.ts';
import { postMessage } from '../notifications/post-message.ts';
import { computeRetryTime } from '../notifications/retry-schedule.ts';
import { Accounts } from '../../platform/credentials/node-credentials.ts';
import { Secrets } from '../../platform/credentials/vault/secrets.ts';
import { Vault } from '../../platform/credentials/vault/vault.ts';
import { NothingSentError } from '../../language/nodes/failure.ts';
import { chatWebhook } from '../../language/nodes/integrations/chat-webhook.ts';
import { createGuardedAgent, type GuardedAgent } from '../../platform/outbound/guarded-agent.ts';
import { buildAnswerUrl } from './link.ts';
import { openMailer, type Mailer } from './mail.ts';
import { buildChatBody, buildMail, buildMessageId } from './message.ts';
import { claimMessages, recordSent, recordUnsent, type DueMessage } from './queue.ts';

const POLL_MS = 2_000;
/** Attempts in flight per process, each with a connection; those of e-mails all lead to one server. A guess. */
const SLOTS = 32;
/** Slots for messages that have failed before; the others stay free when a chat hangs. */
const RETRY_SLOTS = 8;

interface SenderDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Pick<
    Config,
    'appUrl' | 'auth' | 'encryptionKeys' | 'host' | 'mail' | 'outboundAllow' | 'port'
  >;
}

export class AnswerLinkSender {
  readonly #deps: SenderDeps;
  readonly #vault: Vault;
  #mailer: Promise<Mailer | null> | null = null;
  readonly #guarded: GuardedAgent;
  readonly #loop: ClaimLoop<DueMessage>;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#vault = new Vault(deps);
    this.#guarded = createGuardedAgent(deps.config.outboundAllow, { keepAlive: false });
    this.#loop = new ClaimLoop<DueMessage>({
      everyMs: POLL_MS,
      slots: SLOTS,
      claim: (inFlight, limit) => this.#claim(inFlight, limit),
      attempt: (message) => this.#send(message),
      onClaimError: (error) => deps.log.warn({ err: error }, 'answer links could not be claimed'),
      onAttemptError: (error, { interruptId: interrupt_id, channel }) =>
        deps.log.warn(
          { err: error, interrupt_id, channel },
          'an attempt to send an answer link was not recorded',
        ),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Stops claiming and waits for the attempts in flight. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    (await this.#mailer)?.close();
    await this.#guarded.agent.destroy();
  }

  /** Attempts each due message that has a free slot, and waits for the results. @returns the number of attempts */
  sendDue(): Promise<number> {
    return this.#loop.runDue();
  }

  #claim(inFlight: readonly DueMessage[], limit: number): Promise<readonly DueMessage[]> {
    const retries = inFlight.filter(({ attempts }) => attempts > 1).length;
    const retryLimit = Math.max(0, RETRY_SLOTS - retries);
    return claimMessages(this.#deps.db, { inFlight, limit, retryLimit });
  }

  async #send(message: DueMessage): Promise<void> {
    const { clock, db, log } = this.#deps;
    const error = await this.#deliver(message);
    if (error === null) return recordSent(db, message);
    log.warn(
      { interrupt_id: message.interruptId, channel: message.channel, code: error },
      'an answer link was not sent',
    );
    const retryMs = computeRetryTime({
      id: `${message.interruptId} ${message.channel}`,
      attempts: message.attempts,
      createdMs: message.firstAttemptAt.getTime(),
      nowMs: clock.now(),
      retryAfterSeconds: null,
    });
    return recordUnsent(db, message, { error, dueMs: retryMs });
  }

  /** Opens the credential with the webhook of a chat. @throws NothingSentError when there is no usable one */
  async #findWebhook({ organizationId }: DueMessage, credentialId: string): Promise<string> {
    const account = await new Accounts(this.#vault, new Secrets()).open({ organizationId, credentialId });
    if (account.integration !== chatWebhook.name || account.baseUrl === null)
      throw new NothingSentError('credential_not_usable', 'The credential is not a chat webhook');
    account.requireHost(account.baseUrl);
    return account.baseUrl;
  }

  /** @returns an error code, or null when the chat took the message */
  async #post(message: DueMessage, link: string): Promise<string | null> {
    const { url, credentialId } = message;
    try {
      const found = credentialId === null ? url : await this.#findWebhook(message, credentialId);
      if (found === null) return 'invalid_url';
      const body = JSON.stringify(buildChatBody(message, link));
      const deps = { guarded: this.#guarded, clock: this.#deps.clock };
      return (await postMessage(deps, { url: found, headers: {}, body })).errorCode;
    } catch (error) {
      if (error instanceof NothingSentError) return error.code;
      throw error;
    }
  }

  /** @returns an error code, or null when the message was delivered */
  async #deliver(message: DueMessage): Promise<string | null> {
    const { config } = this.#deps;
    const key = { secret: config.auth.apiKeySecret, origin: findPublicOrigin(config) };
    const link = buildAnswerUrl(key, message);
    if (message.channel !== 'email') return this.#post(message, link);
    const mailer = await (this.#mailer ??= openMailer(config, this.#deps.clock));
    if (mailer === null) return 'mail_not_configured';
    try {
      const messageId = buildMessageId(message, new URL(key.origin).hostname);
      await mailer.send({ to: message.address, messageId, ...buildMail(message, link) });
      return null;
    } catch {
      // The mail server's error may quote the message with its link, so it is not logged.
      return 'mail_failed';
    }
  }
}
