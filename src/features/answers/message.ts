/** The messages with a link: as an e-mail, and in the shapes that Slack, Teams and Discord take. */
import { createHash } from 'node:crypto';
import { cutText } from '../../language/graph/values/cut-text.ts';
import { formatDeadline } from './format-deadline.ts';
import type { DueMessage } from './queue.ts';

/** Discord takes 2,000 characters, of which the link needs some hundred. */
const MAX_CHAT_TEXT = 1_200;

/** A title is one line, whatever its template was given. */
const toLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function buildTitle({ title, workflowName, sentCount }: DueMessage): string {
  const line = cutText(toLine(title === '' ? `Question from ${workflowName}` : title), 150);
  return sentCount === 0 ? line : `Reminder: ${line}`;
}

/** Builds the Message-ID of an e-mail (RFC 5322, 3.6.4): a reminder is another message. @param host of the service */
export function buildMessageId({ interruptId, address, sentCount }: DueMessage, host: string): string {
  const hash = createHash('sha256').update(JSON.stringify([interruptId, address, sentCount]));
  return `<${hash.digest('hex').slice(0, 40)}@${host}>`;
}

/** Builds the text of an e-mail. */
export function buildMail(
  message: DueMessage,
  link: string,
): { readonly subject: string; readonly text: string } {
  const { message: text, workflowName, expiresAt } = message;
  const parts = [
    text,
    `Answer: ${link}`,
    expiresAt === null ? '' : `The link works until ${formatDeadline(expiresAt)}.`,
    `Do not forward this link: anyone who has it can answer. It was sent by the workflow "${toLine(workflowName)}".`,
  ];
  return { subject: buildTitle(message), text: parts.filter((part) => part !== '').join('\n\n') };
}

/** Slack reads these three as markup (https://docs.slack.dev/messaging/formatting-message-text). */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Builds the body of the request to a chat's webhook. */
export function buildChatBody(message: DueMessage, link: string): object {
  const title = buildTitle(message);
  const text = cutText(message.message, MAX_CHAT_TEXT);
  if (message.channel === 'slack') {
    const section = `*${escapeSlack(title)}*\n${escapeSlack(text)}`;
    return { text: escapeSlack(title), blocks: [toSection(section), toSection(`<${link}|Answer>`)] };
  }
  if (message.channel === 'discord') {
    // No text of a run may call everybody.
    return { content: `**${title}**\n${text}\n${link}`, allowed_mentions: { parse: [] } };
  }
  const block = (content: string, more: object = {}) => ({
    type: 'TextBlock',
    text: content,
    wrap: true,
    ...more,
  });
  const card = {
    type: 'AdaptiveCard',
    version: '1.4',
    body: [block(title, { weight: 'Bolder' }), ...(text === '' ? [] : [block(text)])],
    actions: [{ type: 'Action.OpenUrl', title: 'Answer', url: link }],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
  };
}

const toSection = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
