/** The people without an account whom an interrupt asks: their links, reminders, and whom it asks when nobody answers. */
import { z } from 'zod';
import { BY_CREDENTIAL, toPattern, type PatternOf } from '../effect.ts';
import type { AnswerRecipient, NodeCall, Question } from '../kind.ts';
import { NodeError } from '../kind.ts';
import { addProblem, orNull } from '../read-config.ts';

/** A shorter interval is a wrong unit. */
const MIN_REMIND_SECONDS = 60;
const MAX_SECONDS = 366 * 86_400;
const MAX_ADDRESSES = 20;
/** One address: neither a list nor a name, so a template cannot add recipients. */
const ADDRESS = /^[^\s@<>()[\],;:"\\]{1,64}@[^\s@<>()[\],;:"\\]{1,185}\.[^\s@<>()[\],;:"\\.]{2,63}$/;

const text = z.string().min(1).max(1_000);

/** A channel: by a credential with the address of its webhook, or by the address itself, which then stands in the definition. */
const chat = z
  .object({
    kind: z.enum(['slack', 'teams', 'discord']).meta({ description: 'The chat' }),
    credential_id: orNull(z.uuid()).meta({
      description: 'A credential of the integration `chat_webhook`: the incoming webhook of a channel',
    }),
    url: orNull(text).meta({
      description:
        'URL of the incoming webhook, or a template of it, instead of a credential; it stands in the definition',
    }),
  })
  .superRefine((given, ctx) => {
    if ((given.credential_id === null) === (given.url === null))
      addProblem(ctx, {
        code: 'invalid_config',
        message: 'exactly one of credential_id and url is required',
        path: ['credential_id'],
      });
  });

/** Settings of an interrupt beside its question. */
export const recipientFields = {
  notify: z.array(chat).max(3).default([]).meta({ description: 'Chats that get a link to the question' }),
  remind_after_seconds: z
    .int()
    .min(MIN_REMIND_SECONDS)
    .max(MAX_SECONDS)
    .nullish()
    .meta({ description: 'The link is sent again each time after this long, in seconds; null: never' }),
  escalate_to: z
    .array(text)
    .max(MAX_ADDRESSES)
    .default([])
    .meta({ description: 'E-mail addresses that get a link when nobody has answered, or templates of them' }),
  escalate_after_seconds: z
    .int()
    .min(1)
    .max(MAX_SECONDS)
    .default(86_400)
    .meta({ description: 'When they get it, in seconds after the question' }),
};

interface RecipientConfig {
  readonly assignees: { readonly emails: readonly string[] };
  readonly notify: readonly z.output<typeof chat>[];
  readonly remind_after_seconds?: number | null | undefined;
  readonly escalate_to: readonly string[];
  readonly escalate_after_seconds: number;
}

/** Describes the links that leave as the question opens, and those of its escalation. */
export function describeMessages({
  assignees,
  notify,
  escalate_to: escalateTo,
}: Pick<RecipientConfig, 'assignees' | 'notify' | 'escalate_to'>): PatternOf<'message'>[] {
  const effect = 'at_most_once';
  return [
    ...[...assignees.emails, ...escalateTo].map((template): PatternOf<'message'> => {
      const address = toPattern(template);
      return { door: 'message', target: { channel: 'email', address }, effect, credential_id: null };
    }),
    ...notify.map(({ kind: channel, url, credential_id }): PatternOf<'message'> => {
      const address = url === null ? BY_CREDENTIAL : toPattern(url);
      // The address of a webhook is its secret.
      const shown = typeof address === 'string' && URL.canParse(address) ? new URL(address).host : address;
      return { door: 'message', target: { channel, address: shown }, effect, credential_id };
    }),
  ];
}

function renderAddress(call: Pick<NodeCall<unknown>, 'renderText'>, template: string): string {
  const address = call.renderText(template).trim().toLowerCase();
  if (!ADDRESS.test(address))
    throw new NodeError('invalid_assignee', 'An assignee has an invalid email address');
  return address;
}

function renderUrl(call: Pick<NodeCall<unknown>, 'renderText'>, template: string): string {
  const url = call.renderText(template).trim();
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new NodeError('invalid_assignee', 'A webhook in notify is not an HTTP URL');
  return url;
}

/**
 * Lists the chats, a channel that is given twice once. Their addresses are `slack`, `slack-2`, …: the link of each is another
 * person's, who answers for it.
 */
function listChats(
  call: Pick<NodeCall<unknown>, 'renderText'>,
  notify: RecipientConfig['notify'],
): Pick<AnswerRecipient, 'address' | 'channel' | 'url' | 'credentialId'>[] {
  const rendered = notify.map(({ kind, url, credential_id: credentialId }) => ({
    kind,
    url: url === null ? null : renderUrl(call, url),
    credentialId,
  }));
  const byChannel = new Map(
    rendered.map((chat) => [JSON.stringify([chat.kind, chat.url, chat.credentialId]), chat]),
  );
  const counts = new Map<string, number>();
  return [...byChannel.values()].map(({ kind, ...chat }) => {
    const number = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, number);
    return { address: number === 1 ? kind : `${kind}-${number}`, channel: kind, ...chat };
  });
}

/** Lists who gets a link, and when. @throws NodeError `invalid_assignee`, `effect_refused`, `budget_exceeded` */
export async function listRecipients(
  call: Pick<NodeCall<unknown>, 'renderText' | 'admit' | 'spend'>,
  config: RecipientConfig,
): Promise<AnswerRecipient[]> {
  const recipients = renderRecipients(call, config);
  for (const { channel, address, url, credentialId } of recipients) {
    // The address of a webhook is its secret, and that of a credential is not known here.
    const shown = channel === 'email' ? address : url === null ? null : new URL(url).host;
    const target = { channel, address: shown };
    call.admit({ door: 'message', target, effect: 'at_most_once', credential_id: credentialId });
  }
  for (const { channel, address } of recipients) await call.spend('message', `${channel}:${address}`);
  return recipients;
}

function renderRecipients(
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
      credentialId: null,
      afterSeconds,
      remindSeconds,
    });
  return [
    ...config.assignees.emails.map(toMail(0)),
    ...listChats(call, config.notify).map((chat): AnswerRecipient => ({
      ...chat,
      afterSeconds: 0,
      remindSeconds,
    })),
    ...config.escalate_to.map(toMail(config.escalate_after_seconds)),
  ];
}

/** Names who may answer a question: the assignees of a config, and the addresses that get a link. */
export function nameAssignees(
  { roles, user_ids }: Pick<Question['assignees'], 'roles' | 'user_ids'>,
  recipients: readonly AnswerRecipient[],
): Question['assignees'] {
  const emails = recipients.flatMap(({ channel, address }) => (channel === 'email' ? [address] : []));
  return { roles, user_ids, ...(emails.length > 0 ? { emails } : {}) };
}
