/** A mail server that answers for ever would keep a slot of the sender, and the shutdown of its process. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { MAIL_MS, openMailer } from '../../../src/features/answers/mail.ts';
import { systemClock, type Clock } from '../../../src/base/clock.ts';

test('a message that its server neither takes nor refuses is given up after a minute', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 hello\r\n');
    // An answer that goes on: a line for each byte that it could wait for.
    socket.on('data', () => socket.write('250-still thinking\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const limits: (() => void)[] = [];
  const clock: Clock = {
    ...systemClock,
    setTimeout(work, ms) {
      expect(ms).toBe(MAIL_MS);
      limits.push(work);
      return work;
    },
    clearTimeout: () => void limits.pop(),
  };
  const mailer = await openMailer(
    { mail: { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'a@b.example' } },
    clock,
  );
  const heard = once(server, 'connection');
  const sent = mailer?.send({ to: 'c@d.example', subject: 's', text: 't', messageId: '<m@b.example>' });
  await heard;
  const failed = expect(sent).rejects.toThrow('takes too long');
  limits[0]?.();
  await failed;
  expect(limits).toEqual([]);
  mailer?.close();
  server.close();
});
