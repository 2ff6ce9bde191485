/** The links that were sent for a question: to whom, when, and why one was not sent. */
import { List, Text } from '@mantine/core';
import type { Reply } from '../../client/operations.ts';
import { moment } from '../kit/moment.ts';
import { runWords } from '../words-runs.ts';

const { links: said } = runWords;

export type AnswerLink = Reply<'listInterrupts'>['interrupts'][number]['links'][number];

/** Names the chat of a link; `slack-2` is the second channel of its kind. */
const nameChat = (channel: keyof typeof said.channels, address: string): string =>
  `${said.channels[channel]} ${/-(\d+)$/.exec(address)?.[1] ?? ''}`.trimEnd();

function describeLink({ channel, address, sent_at: sentAt, sent_count: count, error }: AnswerLink): string {
  const to = channel === 'email' ? address : nameChat(channel, address);
  const sent = sentAt === null ? [] : [said.sent(to, moment(sentAt), count)];
  const failed = error === null ? [] : [said.failed(to, said.errors[error] ?? error)];
  const parts = [...sent, ...failed];
  return parts.length === 0 ? said.pending(to) : parts.join(' ');
}

export const AnswerLinks = ({ links }: { readonly links: readonly AnswerLink[] }) =>
  links.length === 0 ? null : (
    <div>
      <Text size="sm" fw={500}>
        {said.title}
      </Text>
      <List size="sm" aria-label={said.title}>
        {links.map((link) => (
          <List.Item
            key={`${link.channel} ${link.address}`}
            {...(link.error === null ? {} : { c: 'var(--mantine-color-error)' })}
          >
            {describeLink(link)}
          </List.Item>
        ))}
      </List>
    </div>
  );
