/** The incoming webhook of a channel, to which interrupts send answer links: whoever has its address can write into the channel. */
import { describeFields } from './auth-schemes.ts';
import type { Integration } from './integration.ts';

/** Its address is the secret, and may have a query: that of Teams carries its signature there. */
const url = {
  type: 'string',
  title: 'Webhook URL',
  format: 'uri',
  minLength: 12,
  maxLength: 2048,
  pattern: '^https?://[^/?#@\\s]+/[^#\\s]+$',
  'x-secret': true,
};

export const chatWebhook: Integration = {
  name: 'chat_webhook',
  displayName: 'Chat webhook',
  description: 'The incoming webhook of a channel in Slack, Teams or Discord, for links to questions.',
  version: '1.0.0',
  category: 'communication',
  docsUrl: null,
  tags: ['slack', 'teams', 'discord'],
  baseUrl: null,
  baseUrlField: 'url',
  auth: [
    {
      type: 'none',
      required: true,
      scopes: [],
      schema: describeFields({ url }, ['url']),
      placements: [],
    },
  ],
  actions: [],
  test: null,
};
