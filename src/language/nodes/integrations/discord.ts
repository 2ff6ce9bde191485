/** Discord: messages of a bot. */
import { describeCatalogAction } from './actions.ts';
import { apiKey } from './auth-schemes.ts';
import type { Integration } from './integration.ts';
import { tooMany } from './service-rules.ts';

const snowflake = { type: 'string', pattern: '^[0-9]{1,20}$' };
const content = { type: 'string', minLength: 1, maxLength: 2_000 };
const message = { id: { type: 'string' }, channel_id: { type: 'string' }, content: { type: 'string' } };

export const discord: Integration = {
  name: 'discord',
  displayName: 'Discord',
  description: 'Sends and edits messages of a Discord bot.',
  version: '1.0.0',
  category: 'communication',
  docsUrl: 'https://discord.com/developers/docs/reference',
  tags: ['chat', 'bot'],
  baseUrl: 'https://discord.com/api/v10',
  baseUrlField: null,
  auth: [apiKey({ kind: 'header', name: 'authorization', prefix: 'Bot ', field: 'api_key' })],
  actions: [
    describeCatalogAction({
      name: 'send_message',
      displayName: 'Send message',
      description: 'Posts a message to a channel.',
      method: 'POST',
      path: '/channels/{channel_id}/messages',
      input: {
        channel_id: snowflake,
        content,
        embeds: { type: 'array', items: { type: 'object' }, maxItems: 10 },
      },
      required: ['channel_id', 'content'],
      output: message,
    }),
    describeCatalogAction({
      name: 'edit_message',
      displayName: 'Edit message',
      description: 'Replaces the text of a message of the bot.',
      method: 'PATCH',
      path: '/channels/{channel_id}/messages/{message_id}',
      input: { channel_id: snowflake, message_id: snowflake, content },
      required: ['channel_id', 'message_id', 'content'],
      output: message,
      idempotent: true,
    }),
    describeCatalogAction({
      name: 'get_channel',
      displayName: 'Get channel',
      description: 'Reads a channel.',
      method: 'GET',
      path: '/channels/{channel_id}',
      input: { channel_id: snowflake },
      required: ['channel_id'],
      output: { id: { type: 'string' }, name: { type: 'string' } },
    }),
  ],
  answers: { declines: [tooMany()] },
  test: { path: '/users/@me', headers: {} },
};
