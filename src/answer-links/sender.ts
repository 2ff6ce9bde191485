/**
 * Sends answer links by mail and chat, in every API process: row locks divide the messages, so there is no leader. A crash
 * between sending and recording sends a message again, with the same link: an e-mail with its Message-ID, by which mail servers
 * recognize it; chats know none.
 */
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { findPublicOrigin } from '../config/public-origin.ts';
import type { Db } from '../db/client.ts';
import { PollLoop } from '../db/poll-loop.ts';
import type { Logger } from '../log.ts';
import { postMessage } from '../notifications/post-message.ts';
import { computeRetryTime } from '../notifications/retry-schedule.ts';
import { createGuardedAgent, type GuardedAgent } from '../outbound/guarded-agent.ts';
import { buildAnswerUrl } from './link.ts';
import { openMailer, type Mailer } from './mail.ts';
import { buildChatBody, buildMail, buildMessageId } from './message.ts';
import { claimMessages, recordSent, recordUnsent, type DueMessage } from './queue.ts';

const POLL_MS = 2_000;

interface SenderDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Pick<Config, 'appUrl' | 'auth' | 'host' | 'mail' | 'outboundAllow' | 'port'>;
}

export class AnswerLinkSender {
  readonly #deps: SenderDeps;
  #mailer: Promise<Mailer | null> | null = null;
  readonly #guarded: GuardedAgent;
  readonly #loop: PollLoop;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#guarded = createGuardedAgent(deps.config.outboundAllow, { keepAlive: false });
    this.#loop = new PollLoop({
      everyMs: POLL_MS,
      round: async () => void (await this.sendDue()),
      onError: (error) => deps.log.warn({ err: error }, 'answer links could not be sent'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    (await this.#mailer)?.close();
    await this.#guarded.agent.destroy();
  }

  /** Sends the messages that are due. @returns their number */
  async sendDue(): Promise<number> {
    const messages = await claimMessages(this.#deps.db);
    await Promise.all(messages.map((message) => this.#send(message)));
    return messages.length;
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
      attempts: message.attempts,
      createdMs: message.createdAt.getTime(),
      nowMs: clock.now(),
      retryAfterSeconds: null,
    });
    return recordUnsent(db, message, { error, dueMs: retryMs });
  }

  /** @returns an error code, or null when the message was delivered */
  async #deliver(message: DueMessage): Promise<string | null> {
    const { clock, config } = this.#deps;
    const key = { secret: config.auth.apiKeySecret, origin: findPublicOrigin(config) };
    const link = buildAnswerUrl(key, message);
    if (message.url !== null) {
      const body = JSON.stringify(buildChatBody(message, link));
      const result = await postMessage(
        { guarded: this.#guarded, clock },
        { url: message.url, headers: {}, body },
      );
      return result.errorCode;
    }
    const mailer = await (this.#mailer ??= openMailer(config));
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
