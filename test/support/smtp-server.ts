/** An SMTP server on loopback that keeps what it is sent, and refuses recipients whose address begins with `refuse` or is refused now. */
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
}

export interface SmtpServer {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Resolves once a mail to the address is there. */
  waitFor(address: string): Promise<void>;
  /** Addresses that are refused until they are taken out. */
  readonly refused: Set<string>;
  close(): Promise<void>;
}

/** Decodes the text of a message: nodemailer sends plain text as it is, or as quoted-printable. */
function parseMail(raw: string, to: readonly string[]): ReceivedMail {
  const [head = '', ...body] = raw.replaceAll('\r\n', '\n').split('\n\n');
  const headers = head.replaceAll(/\n[ \t]+/g, ' ');
  const text = body.join('\n\n');
  const isQuoted = /content-transfer-encoding: quoted-printable/i.test(headers);
  return {
    to,
    subject: /^subject: (.*)$/im.exec(headers)?.[1] ?? '',
    messageId: /^message-id: (.*)$/im.exec(headers)?.[1] ?? '',
    text: isQuoted
      ? text
          .replaceAll('=\n', '')
          .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : text,
  };
}

function serve(
  socket: Socket,
  { mails, refused, onMail }: { mails: ReceivedMail[]; refused: ReadonlySet<string>; onMail: () => void },
): void {
  let [text, to, isData]: [string, string[], boolean] = ['', [], false];
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  const answer = (line: string): void => {
    const [, recipient] = /^RCPT TO:<(.*?)>/i.exec(line) ?? [];
    if (recipient !== undefined) {
      if (recipient.startsWith('refuse') || refused.has(recipient)) return say('550 no such mailbox');
      to.push(recipient);
      return say('250 ok');
    }
    if (/^DATA/i.test(line)) {
      isData = true;
      return say('354 go on');
    }
    if (/^QUIT/i.test(line)) {
      say('221 bye');
      socket.end();
      return;
    }
    say(/^EHLO/i.test(line) ? '250 loopback' : '250 ok');
  };
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    text += bytes.toString('utf8');
    for (;;) {
      const end = isData ? '\r\n.\r\n' : '\r\n';
      const at = text.indexOf(end);
      if (at < 0) return;
      const part = text.slice(0, at);
      text = text.slice(at + end.length);
      if (isData) {
        mails.push(parseMail(part, to));
        onMail();
        [to, isData] = [[], false];
        say('250 kept');
      } else answer(part);
    }
  });
  say('220 loopback');
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const refused = new Set<string>();
  const waiting = new Set<() => void>();
  const onMail = (): void => waiting.forEach((check) => check());
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    serve(socket, { mails, refused, onMail });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    refused,
    waitFor(address) {
      return new Promise((resolve) => {
        const check = (): void => {
          if (!mails.some(({ to }) => to.includes(address))) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
