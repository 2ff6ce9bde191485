/** The people without an account whom an interrupt asks: their links, reminders, and whom it asks when nobody answers. */
import { z } from 'zod';
import type { AnswerRecipient, NodeCall } from './kind.ts';
import { NodeError } from './kind.ts';

/** A shorter interval is a wrong unit. */
const MIN_REMIND_SECONDS = 60;
const MAX_SECONDS = 366 * 86_400;
const MAX_ADDRESSES = 20;
/** One address: neither a list nor a name, so a template cannot add recipients. */
const ADDRESS = /^[^\s@<>()[\],;:"\\]{1,64}@[^\s@<>()[\],;:"\\]{1,185}\.[^\s@<>()[\],;:"\\.]{2,63}$/;

const text = z.string().min(1).max(1_000);

/** Settings of an interrupt beside its question. */
export const recipientFields = {
  notify: z
    .array(z.object({ kind: z.enum(['slack', 'teams', 'discord']), url: text }))
    .max(3)
    .default([]),
  remind_after_seconds: z.int().min(MIN_REMIND_SECONDS).max(MAX_SECONDS).nullish(),
  escalate_to: z.array(text).max(MAX_ADDRESSES).default([]),
  escalate_after_seconds: z.int().min(1).max(MAX_SECONDS).default(86_400),
};

interface RecipientConfig {
  readonly assignees: { readonly emails: readonly string[] };
  readonly notify: readonly { readonly kind: 'slack' | 'teams' | 'discord'; readonly url: string }[];
  readonly remind_after_seconds?: number | null | undefined;
  readonly escalate_to: readonly string[];
  readonly escalate_after_seconds: number;
}

function renderAddress(call: Pick<NodeCall<unknown>, 'renderText'>, template: string): string {
  const address = call.renderText(template).trim().toLowerCase();
  if (!ADDRESS.test(address))
    throw new NodeError('invalid_assignee', 'An address of the assignees is not an e-mail address');
  return address;
}

function renderUrl(call: Pick<NodeCall<unknown>, 'renderText'>, template: string): string {
  const url = call.renderText(template).trim();
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new NodeError('invalid_assignee', 'A webhook of notify is not an HTTP URL');
  return url;
}

/** Lists who gets a link, and when. @throws NodeError `invalid_assignee` */
export function listRecipients(
  call: Pick<NodeCall<unknown>, 'renderText'>,
  config: RecipientConfig,
): AnswerRecipient[] {
  const remindSeconds = config.remind_after_seconds ?? null;
  const toMail =
    (afterSeconds: number) =>
    (template: string): AnswerRecipient => ({
      address: renderAddress(call, template),
      channel: 'email',
      url: null,
      afterSeconds,
      remindSeconds,
    });
  const chats = config.notify.map(({ kind, url }): AnswerRecipient => ({
    address: kind,
    channel: kind,
    url: renderUrl(call, url),
    afterSeconds: 0,
    remindSeconds,
  }));
  return [
    ...config.assignees.emails.map(toMail(0)),
    ...chats,
    ...config.escalate_to.map(toMail(config.escalate_after_seconds)),
  ];
}
