/** Signs requests to endpoints as Standard Webhooks says: https://www.standardwebhooks.com. */
import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks: between 24 and 64 bytes. */
const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** Creates a secret: base64 after `whsec_`. */
export const createSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

interface SignedMessage {
  readonly id: string;
  readonly nowMs: number;
  readonly body: string;
}

/** Returns the headers that prove a message, with one signature for each secret: several during a rotation. */
export function signMessage(
  secrets: readonly string[],
  { id, nowMs, body }: SignedMessage,
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(nowMs / 1_000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': signatures.join(' '),
  };
}
