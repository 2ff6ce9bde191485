/** Sends e-mail by the operator's SMTP server. */
import type { Clock, Timer } from '../../base/clock.ts';
import type { Config } from '../../base/config/config.ts';

/** A server that does not respond must not hold a slot of the sender. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
/** For a whole message: a server may answer again and again, and never take it. */
export const MAIL_MS = 60_000;
const QUESTION_TIMEOUTS = { connectionTimeout: 4_000, greetingTimeout: 4_000, socketTimeout: 4_000 };

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same at every attempt: mail servers deliver a message once that comes again after a crash. */
  readonly messageId: string;
}

export interface Mailer {
  /** @throws when the server refuses the message or does not respond */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Opens the mailer; its client is loaded only where e-mail is configured. @returns null without an SMTP server */
export async function openMailer({ mail }: Pick<Config, 'mail'>, clock: Clock): Promise<Mailer | null> {
  if (mail === null) return null;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url: mail.smtpUrl, ...TIMEOUTS }, { from: mail.from });
  return {
    // An object is one recipient, where a text could be a list of them.
    async send({ to, subject, text, messageId }) {
      const sent = transport.sendMail({ to: { name: '', address: to }, subject, text, messageId });
      let timer: Timer | undefined;
      const limit = new Promise<never>((_, reject) => {
        timer = clock.setTimeout(() => reject(new Error('The mail server takes too long')), MAIL_MS);
      });
      await Promise.race([sent, limit]).finally(() => timer !== undefined && clock.clearTimeout(timer));
    },
    close: () => transport.close(),
  };
}

/**
 * Signs in at the operator's SMTP server without sending anything.
 * @throws when the server does not respond, or refuses the credentials
 */
export async function askMailServer(mail: NonNullable<Config['mail']>): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url: mail.smtpUrl, ...QUESTION_TIMEOUTS }, { from: mail.from });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
