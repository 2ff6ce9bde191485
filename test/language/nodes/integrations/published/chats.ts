/** Telegram, Slack and Discord. */
import { ok, type Published } from './published.ts';

const message = { message_id: 365, chat: { id: 7, type: 'private' }, date: 1_796_000_000, text: 'hi' };
const telegramError = (error_code: number) => ({
  ok: false,
  error_code,
  description: 'Bad Request: chat not found',
});

/** https://core.telegram.org/bots/api#making-requests, #responseparameters */
export const telegram: Published = {
  integration: 'telegram',
  authType: 'api_key',
  data: { bot_token: '123456:ABC-DEF' },
  host: 'api.telegram.org',
  demands: {},
  // The token is in the path, so a wrong one is another path.
  unauthorized: { status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } },
  describeError: telegramError,
  actions: {
    send_message: {
      parameters: { chat_id: 7, text: 'hi', parse_mode: 'HTML' },
      effect: 'at_most_once',
      request: 'POST /bot123456:ABC-DEF/sendMessage',
      body: { chat_id: 7, text: 'hi', parse_mode: 'HTML' },
      answer: ok({ ok: true, result: message }),
    },
    send_photo: {
      parameters: { chat_id: '@channel', photo: 'https://company.example/a.png' },
      effect: 'at_most_once',
      request: 'POST /bot123456:ABC-DEF/sendPhoto',
      body: { chat_id: '@channel', photo: 'https://company.example/a.png' },
      answer: ok({ ok: true, result: { message_id: 366 } }),
    },
    edit_message: {
      parameters: { chat_id: 7, message_id: 365, text: 'ho' },
      effect: 'at_most_once',
      request: 'POST /bot123456:ABC-DEF/editMessageText',
      body: { chat_id: 7, message_id: 365, text: 'ho' },
      answer: ok({ ok: true, result: { ...message, text: 'ho' } }),
    },
    delete_message: {
      parameters: { chat_id: 7, message_id: 365 },
      effect: 'at_most_once',
      request: 'POST /bot123456:ABC-DEF/deleteMessage',
      body: { chat_id: 7, message_id: 365 },
      answer: ok({ ok: true, result: true }),
    },
    get_chat: {
      parameters: { chat_id: '@channel' },
      effect: 'pure',
      request: 'GET /bot123456:ABC-DEF/getChat?chat_id=%40channel',
      answer: ok({ ok: true, result: { id: -100_1, type: 'channel' } }),
    },
  },
  refusals: [
    {
      title: 'too many messages, with the wait in the body alone',
      action: 'send_message',
      answer: {
        status: 429,
        body: {
          ok: false,
          error_code: 429,
          description: 'Too Many Requests: retry after 35',
          parameters: { retry_after: 35 },
        },
      },
      code: 'http_error',
      retryable: true,
      waitMs: 35_000,
    },
  ],
};

/** https://api.slack.com/web#slack-web-api__evaluating-responses, https://api.slack.com/apis/rate-limits */
export const slack: Published = {
  integration: 'slack',
  authType: 'bearer',
  data: { access_token: 'xoxb-123' },
  host: 'slack.com',
  demands: { authorization: 'Bearer xoxb-123' },
  unauthorized: ok({ ok: false, error: 'not_authed' }),
  describeError: () => ({ ok: false, error: 'internal_error' }),
  actions: {
    send_message: {
      parameters: { channel: 'C123ABC456', text: 'hi', thread_ts: '1503435956.000247' },
      effect: 'at_most_once',
      request: 'POST /api/chat.postMessage',
      body: { channel: 'C123ABC456', text: 'hi', thread_ts: '1503435956.000247' },
      answer: ok({ ok: true, channel: 'C123ABC456', ts: '1503435957.000001', message: { text: 'hi' } }),
    },
  },
  refusals: [
    {
      title: 'a channel that does not exist, with status 200',
      action: 'send_message',
      answer: ok({ ok: false, error: 'channel_not_found' }),
      code: 'integration_error',
      message: 'The service returned an error: channel_not_found',
      retryable: false,
      waitMs: null,
    },
    {
      title: 'too many messages',
      action: 'send_message',
      answer: { status: 429, headers: { 'retry-after': '30' }, body: { ok: false, error: 'ratelimited' } },
      code: 'http_error',
      retryable: true,
      waitMs: 30_000,
    },
    {
      title: 'too many messages, with status 200',
      action: 'send_message',
      answer: ok({ ok: false, error: 'ratelimited' }),
      code: 'integration_error',
      retryable: true,
      waitMs: null,
    },
  ],
};

const discordMessage = { id: '334385199974967042', channel_id: '290926798999357250', content: 'hi' };

/** https://discord.com/developers/docs/topics/rate-limits, https://discord.com/developers/docs/reference#error-messages */
export const discord: Published = {
  integration: 'discord',
  authType: 'api_key',
  data: { api_key: 'MTk4.Cl2FMQ' },
  host: 'discord.com',
  demands: { authorization: 'Bot MTk4.Cl2FMQ' },
  unauthorized: { status: 401, body: { message: '401: Unauthorized', code: 0 } },
  describeError: () => ({ code: 50_035, errors: {}, message: 'Invalid Form Body' }),
  actions: {
    send_message: {
      parameters: { channel_id: '290926798999357250', content: 'hi' },
      effect: 'at_most_once',
      request: 'POST /api/v10/channels/290926798999357250/messages',
      body: { content: 'hi' },
      answer: ok(discordMessage),
    },
    edit_message: {
      parameters: { channel_id: '290926798999357250', message_id: '334385199974967042', content: 'ho' },
      effect: 'idempotent',
      request: 'PATCH /api/v10/channels/290926798999357250/messages/334385199974967042',
      body: { content: 'ho' },
      answer: ok({ ...discordMessage, content: 'ho' }),
    },
    get_channel: {
      parameters: { channel_id: '290926798999357250' },
      effect: 'pure',
      request: 'GET /api/v10/channels/290926798999357250',
      answer: ok({ id: '290926798999357250', name: 'general', type: 0 }),
    },
  },
  refusals: [
    {
      title: 'too many messages',
      action: 'send_message',
      answer: {
        status: 429,
        headers: {
          'retry-after': '65',
          'x-ratelimit-limit': '10',
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset-after': '64.57',
          'x-ratelimit-scope': 'user',
        },
        body: { message: 'You are being rate limited.', retry_after: 64.57, global: false },
      },
      code: 'http_error',
      retryable: true,
      waitMs: 65_000,
    },
  ],
};
