/** Gmail: mails of a person who signs in, or of people that a service account stands for. */
import { describeCatalogAction } from './actions.ts';
import { oauth2, serviceAccount } from './auth-schemes.ts';
import { GOOGLE, GOOGLE_RULES } from './google.ts';
import type { Integration } from './integration.ts';
import { ADDRESS, ADDRESSES } from './mail-message.ts';

const message_id = { type: 'string', pattern: '^[A-Za-z0-9]{1,64}$' };
const labels = { type: 'array', items: { type: 'string' }, maxItems: 100 };
const message = { id: { type: 'string' }, threadId: { type: 'string' }, labelIds: labels };
const SCOPES = ['https://www.googleapis.com/auth/gmail.modify'];

export const gmail: Integration = {
  name: 'gmail',
  displayName: 'Gmail',
  description: 'Finds, reads, labels and sends mails.',
  version: '1.0.0',
  category: 'communication',
  docsUrl: 'https://developers.google.com/workspace/gmail/api/reference/rest',
  tags: ['mail', 'google'],
  baseUrl: 'https://gmail.googleapis.com/gmail/v1/users/me',
  baseUrlField: null,
  auth: [oauth2(GOOGLE, SCOPES), serviceAccount(GOOGLE, SCOPES)],
  actions: [
    describeCatalogAction({
      name: 'list_messages',
      displayName: 'List messages',
      description: 'Lists the ids of mails that a search finds; `nextPageToken` leads to the next page.',
      method: 'GET',
      path: '/messages',
      input: {
        q: { type: 'string', maxLength: 2_000, description: 'As in the search of Gmail: is:unread from:ada' },
        labelIds: { type: 'string', description: 'Id of a label' },
        maxResults: { type: 'integer', minimum: 1, maximum: 500 },
        pageToken: { type: 'string' },
      },
      required: [],
      output: {
        messages: { type: 'array', items: { type: 'object', properties: message } },
        nextPageToken: { type: 'string' },
        resultSizeEstimate: { type: 'integer' },
      },
    }),
    describeCatalogAction({
      name: 'get_message',
      displayName: 'Get message',
      description: 'Reads a mail.',
      method: 'GET',
      path: '/messages/{message_id}',
      input: { message_id, format: { type: 'string', enum: ['minimal', 'full', 'raw', 'metadata'] } },
      required: ['message_id'],
      output: { ...message, snippet: { type: 'string' }, payload: { type: 'object' } },
    }),
    describeCatalogAction({
      name: 'send_message',
      displayName: 'Send message',
      description: 'Sends a mail.',
      method: 'POST',
      path: '/messages/send',
      input: {
        to: ADDRESSES,
        cc: ADDRESSES,
        bcc: ADDRESSES,
        reply_to: ADDRESS,
        subject: { type: 'string', maxLength: 998, pattern: '^[^\\r\\n]*$' },
        text: { type: 'string', maxLength: 1_000_000 },
        is_html: { type: 'boolean', description: 'The text is HTML' },
        in_reply_to: {
          type: 'string',
          pattern: '^<[!-~]{1,250}>$',
          description: 'Message-ID of the mail that this one answers',
        },
        thread_id: { ...message_id, description: 'Thread of an answer' },
      },
      required: ['to', 'subject', 'text'],
      output: message,
      request: { mailField: 'raw', bodyPaths: { thread_id: ['threadId'] } },
      verify: {
        action: 'list_messages',
        parameters: {
          q: `in:sent newer_than:1d subject:"{{input.parameters.subject | replace: '"', ' '}}"`,
          maxResults: 10,
        },
        source: '{{read.data.messages | default([])}}',
        found: { match: 'all', rules: [{ left: '{{item.id}}', op: 'exists' }] },
        about: 'Mails with this subject that were sent in the last day, to anybody.',
      },
    }),
    describeCatalogAction({
      name: 'modify_labels',
      displayName: 'Change labels',
      description: 'Adds and removes labels of a mail; removing UNREAD marks it as read.',
      method: 'POST',
      path: '/messages/{message_id}/modify',
      input: { message_id, addLabelIds: labels, removeLabelIds: labels },
      required: ['message_id'],
      output: message,
      idempotent: true,
    }),
    describeCatalogAction({
      name: 'trash_message',
      displayName: 'Move to trash',
      description: 'Moves a mail to the trash.',
      method: 'POST',
      path: '/messages/{message_id}/trash',
      input: { message_id },
      required: ['message_id'],
      output: message,
      idempotent: true,
    }),
    describeCatalogAction({
      name: 'list_labels',
      displayName: 'List labels',
      description: 'Lists the labels.',
      method: 'GET',
      path: '/labels',
      input: {},
      required: [],
      output: { labels: { type: 'array', items: { type: 'object' } } },
    }),
  ],
  answers: GOOGLE_RULES,
  test: { path: '/profile', headers: {} },
};
