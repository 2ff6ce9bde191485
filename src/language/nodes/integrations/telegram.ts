/** Telegram: a bot, whose token stands in the path of its URLs (Telegram documentation, "Making requests"). */
import { describeCatalogAction } from './actions.ts';
import { describeFields } from './auth-schemes.ts';
import type { Action, Integration } from './integration.ts';
import { all, hasStatus, unlessTrue } from './service-rules.ts';

const chat_id = { type: ['integer', 'string'], description: 'Id of the chat, or @name of a channel' };
const message_id = { type: 'integer', minimum: 1 };
const text = { type: 'string', minLength: 1, maxLength: 4_096 };
const parse_mode = { type: 'string', enum: ['HTML', 'MarkdownV2'] };
const answer = { ok: { type: 'boolean' }, result: {} };

const describeMethod = (form: Omit<Parameters<typeof describeCatalogAction>[0], 'output'>): Action =>
  describeCatalogAction({ ...form, output: answer });

export const telegram: Integration = {
  name: 'telegram',
  displayName: 'Telegram',
  description: 'Sends and reads messages of a Telegram bot.',
  version: '1.0.0',
  category: 'communication',
  docsUrl: 'https://core.telegram.org/bots/api',
  tags: ['chat', 'bot'],
  baseUrl: 'https://api.telegram.org/bot{bot_token}',
  baseUrlField: null,
  auth: [
    {
      type: 'api_key',
      required: true,
      scopes: [],
      schema: describeFields(
        {
          bot_token: {
            type: 'string',
            title: 'Token of the bot',
            minLength: 8,
            maxLength: 256,
            pattern: '^[A-Za-z0-9_:-]+$',
            'x-secret': true,
          },
        },
        ['bot_token'],
      ),
      placements: [],
    },
  ],
  actions: [
    describeMethod({
      name: 'send_message',
      displayName: 'Send message',
      description: 'Sends a text to a chat.',
      method: 'POST',
      path: '/sendMessage',
      input: {
        chat_id,
        text,
        parse_mode,
        reply_markup: { type: 'object' },
        disable_notification: { type: 'boolean' },
      },
      required: ['chat_id', 'text'],
    }),
    describeMethod({
      name: 'send_photo',
      displayName: 'Send photo',
      description: 'Sends a photo by its URL or file id.',
      method: 'POST',
      path: '/sendPhoto',
      input: {
        chat_id,
        photo: { type: 'string', minLength: 1 },
        caption: { type: 'string', maxLength: 1_024 },
        parse_mode,
      },
      required: ['chat_id', 'photo'],
    }),
    describeMethod({
      name: 'edit_message',
      displayName: 'Edit message',
      description: 'Replaces the text of a message of the bot.',
      method: 'POST',
      path: '/editMessageText',
      input: { chat_id, message_id, text, parse_mode },
      required: ['chat_id', 'message_id', 'text'],
    }),
    describeMethod({
      name: 'delete_message',
      displayName: 'Delete message',
      description: 'Deletes a message.',
      method: 'POST',
      path: '/deleteMessage',
      input: { chat_id, message_id },
      required: ['chat_id', 'message_id'],
    }),
    describeMethod({
      name: 'get_chat',
      displayName: 'Get chat',
      description: 'Reads a chat.',
      method: 'GET',
      path: '/getChat',
      input: { chat_id },
      required: ['chat_id'],
    }),
  ],
  answers: {
    // Both say so in the body beside the status ("Making requests").
    failures: [unlessTrue('ok', 'description')],
    declines: [{ when: all(hasStatus(429)), after: '{{response.data.parameters.retry_after}}' }],
  },
  test: { path: '/getMe', headers: {} },
};
