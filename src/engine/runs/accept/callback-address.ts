/** The address of a callback: who has it can answer one visit of one node of one run, and nothing else. */
import { readSignedText, signText } from '../../../platform/access/signed-text.ts';
import type { CallbackPlace } from '../ledger/questions/callback-answers.ts';

const PURPOSE = 'callback';

/** The signed text of a place. The node comes last, because its id may be any text. */
const PLACE = /^([0-9a-f-]{36})\/([0-9a-f-]{36})\/(\d{1,9})\/([^]+)$/;

/**
 * Builds the URL at which the outside answers a callback. It is the same at each attempt and exists before the node waits, so that
 * an earlier node can hand it on.
 */
export function buildCallbackUrl(
  { secret, origin }: { readonly secret: string; readonly origin: string },
  { organizationId, rootRunPk, visit, nodeId }: CallbackPlace,
): string {
  const token = signText(secret, PURPOSE, `${organizationId}/${rootRunPk}/${visit}/${nodeId}`);
  return new URL(`/callbacks/${token}`, origin).href;
}

/** Reads the place of a callback from the token of its address; null for a forged one. */
export function readCallbackToken(secret: string, token: string): CallbackPlace | null {
  const text = readSignedText(secret, PURPOSE, token);
  const [, organizationId, rootRunPk, visit, nodeId] = (text === null ? null : PLACE.exec(text)) ?? [];
  if (organizationId === undefined || rootRunPk === undefined || nodeId === undefined) return null;
  return { organizationId, rootRunPk, visit: Number(visit), nodeId };
}
