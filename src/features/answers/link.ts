/** A link at which one person answers one question without an account. */
import { readSignedText, signText } from '../../platform/access/signed-text.ts';

const PURPOSE = 'answer';

export interface AnswerLink {
  readonly organizationId: string;
  readonly rootRunPk: string;
  readonly interruptId: string;
  /** An e-mail address in lower case; or the kind of a chat, with a number from the second of the kind on: `slack-2`. */
  readonly address: string;
}

const LINK = /^([0-9a-f-]{36})\/([0-9a-f-]{36})\/([\w-]{1,64})\/(.{1,254})$/;

/** Builds the URL of a link. It ends with its question, so it needs no expiry of its own. */
export function buildAnswerUrl(
  { secret, origin }: { readonly secret: string; readonly origin: string },
  { organizationId, rootRunPk, interruptId, address }: AnswerLink,
): string {
  const token = signText(secret, PURPOSE, `${organizationId}/${rootRunPk}/${interruptId}/${address}`);
  return new URL(`/answers/${token}`, origin).href;
}

/** Reads the link of a token; null for a forged one. */
export function readAnswerToken(secret: string, token: string): AnswerLink | null {
  const text = readSignedText(secret, PURPOSE, token);
  const [, organizationId, rootRunPk, interruptId, address] = (text === null ? null : LINK.exec(text)) ?? [];
  if (organizationId === undefined || rootRunPk === undefined) return null;
  if (interruptId === undefined || address === undefined) return null;
  return { organizationId, rootRunPk, interruptId, address };
}
