/** Sends e-mail by the operator's SMTP server. */
import type { Config } from '../../base/config/config.ts';

/** A server that does not respond must not hold a slot of the sender. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

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
export async function openMailer({ mail }: Pick<Config, 'mail'>): Promise<Mailer | null> {
  if (mail === null) return null;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url: mail.smtpUrl, ...TIMEOUTS }, { from: mail.from });
  return {
    // An object is one recipient, where a text could be a list of them.
    send: async ({ to, subject, text, messageId }) =>
      void (await transport.sendMail({ to: { name: '', address: to }, subject, text, messageId })),
    close: () => transport.close(),
  };
}
