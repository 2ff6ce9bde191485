/** The ticket with which a realtime process relays an authorized client to the process that owns its room. */
import { z } from 'zod';
import { readSignedText, readWithSecrets, signText } from '../../../platform/access/signed-text.ts';
import { systemClock } from '../../../base/clock.ts';
import type { Config } from '../../../base/config/config.ts';
import type { AuthorizedClient } from './handshake.ts';

const PURPOSE = 'realtime-relay';
/** The connection begins at once; the rest is for clocks that differ. */
const LIFE_MS = 60_000;

const CLIENT = z.object({
  caller: z.object({
    userId: z.string(),
    subject: z.string(),
    email: z.string(),
    role: z.string(),
    via: z.object({
      kind: z.literal('jwt'),
      sessionId: z.string().nullable(),
      isEmailVerified: z.boolean(),
    }),
  }),
  organizationId: z.string(),
  clientId: z.string().optional(),
  capabilities: z.array(z.string()),
});
const TICKET = CLIENT.extend({ endsAtMs: z.number() });

/** A client as the relaying process has authorized it: a person with a token, as every client of the canvas. */
export type RelayedClient = z.output<typeof CLIENT>;

export type RelaySecrets = Pick<Config['auth'], 'apiKeySecret' | 'otherApiKeySecret'>;

/** Signs a ticket for one connection. */
export function signRelayTicket({ apiKeySecret }: RelaySecrets, client: AuthorizedClient): string {
  const { scope, clientId, capabilities } = client;
  const { caller, organizationId } = scope;
  const relayed = CLIENT.parse({ caller, organizationId, clientId, capabilities: [...capabilities] });
  const ticket = { ...relayed, endsAtMs: systemClock.now() + LIFE_MS };
  return signText(apiKeySecret, PURPOSE, JSON.stringify(ticket));
}

/** Reads a ticket; null when it is missing, expired, or not of a process of this service. */
export function readRelayTicket(secrets: RelaySecrets, given: unknown): RelayedClient | null {
  if (typeof given !== 'string') return null;
  const text = readWithSecrets(secrets, (secret) => readSignedText(secret, PURPOSE, given));
  if (text === null) return null;
  const ticket = TICKET.parse(JSON.parse(text));
  return ticket.endsAtMs < systemClock.now() ? null : ticket;
}
