/** Slack: messages to channels, with a bot's token. */
import { describeAddress, bearer, oauth2 } from './auth-schemes.ts';
import type { Integration, OAuthProvider } from './integration.ts';
import { all, tooMany, unlessTrue } from './service-rules.ts';

const message = {
  type: 'object',
  properties: {
    channel: { type: 'string', minLength: 1, description: 'Name or id of the channel' },
    text: { type: 'string', minLength: 1, maxLength: 40_000 },
    thread_ts: { type: 'string', description: 'Replies in the thread of this message' },
  },
  required: ['channel', 'text'],
  additionalProperties: false,
};

const baseUrl = { base_url: describeAddress('Base URL (GovSlack, proxies)') };
const provider: OAuthProvider = {
  authorizationUrl: 'https://slack.com/oauth/v2/authorize',
  tokenUrl: 'https://slack.com/api/oauth.v2.access',
  scopeSeparator: ',',
};

export const slack: Integration = {
  name: 'slack',
  displayName: 'Slack',
  description: 'Sends messages to Slack channels.',
  version: '1.0.0',
  category: 'communication',
  docsUrl: 'https://api.slack.com/methods',
  tags: ['chat'],
  baseUrl: 'https://slack.com/api',
  baseUrlField: 'base_url',
  auth: [bearer(['chat:write'], baseUrl), oauth2(provider, ['chat:write'], baseUrl)],
  actions: [
    {
      name: 'send_message',
      displayName: 'Send message',
      description: 'Posts a message to a channel.',
      idempotent: false,
      requiresAuth: true,
      inputSchema: message,
      outputSchema: {
        type: 'object',
        properties: { ok: { type: 'boolean' }, channel: { type: 'string' }, ts: { type: 'string' } },
      },
      request: {
        method: 'POST',
        path: '/chat.postMessage',
        query: [],
        body: ['channel', 'text', 'thread_ts'],
        headers: {},
      },
    },
  ],
  answers: {
    // Slack answers 200 also when it refuses a request.
    failures: [unlessTrue('ok', 'error')],
    declines: [
      tooMany(),
      { when: all({ left: '{{response.data.error}}', op: 'in', right: ['ratelimited', 'rate_limited'] }) },
    ],
  },
  test: null,
};
