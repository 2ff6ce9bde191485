/** Gmail and Google Drive. */
import { ok, type Published, type PublishedRefusal } from './published.ts';

const unauthorized = {
  status: 401,
  body: {
    error: {
      code: 401,
      message: 'Invalid Credentials',
      errors: [
        { domain: 'global', reason: 'authError', message: 'Invalid Credentials', location: 'Authorization' },
      ],
    },
  },
};
const describeError = (code: number) => ({
  error: {
    code,
    message: 'Bad Request',
    errors: [{ domain: 'global', reason: 'badRequest', message: 'Bad Request' }],
  },
});
const refuse = (code: number, reason: string) => ({
  status: code,
  body: { error: { code, message: reason, errors: [{ domain: 'usageLimits', reason, message: reason }] } },
});

/** https://developers.google.com/workspace/gmail/api/guides/handle-errors, the same for Drive. */
const listRefusals = (action: string): PublishedRefusal[] => [
  {
    title: 'the limit of a user, which is a 403',
    action,
    answer: refuse(403, 'userRateLimitExceeded'),
    code: 'http_error',
    retryable: true,
    waitMs: null,
  },
  {
    title: 'the limit of the project',
    action,
    answer: refuse(429, 'rateLimitExceeded'),
    code: 'http_error',
    retryable: true,
    waitMs: null,
  },
  {
    title: 'the limit of a day, which no retry helps',
    action,
    answer: refuse(403, 'dailyLimitExceeded'),
    code: 'http_error',
    retryable: false,
    waitMs: null,
  },
];

const MAIL = [
  'To: ada@company.example,',
  ' bob@company.example',
  'Subject: =?UTF-8?B?R3LDvMOfZQ==?=',
  'In-Reply-To: <a1@company.example>',
  'References: <a1@company.example>',
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  '',
  'PHA+SGk8L3A+',
  '',
].join('\r\n');
const ME = '/gmail/v1/users/me';
const mail = { id: '17c9', threadId: '17c8', labelIds: ['INBOX'] };

export const gmail: Published = {
  integration: 'gmail',
  authType: 'oauth2',
  data: { access_token: 'ya29.token' },
  host: 'gmail.googleapis.com',
  demands: { authorization: 'Bearer ya29.token' },
  unauthorized,
  describeError,
  actions: {
    list_messages: {
      parameters: { q: 'is:unread', maxResults: 1 },
      effect: 'pure',
      request: `GET ${ME}/messages?q=is%3Aunread&maxResults=1`,
      answer: ok({ messages: [{ id: '17c9', threadId: '17c8' }], resultSizeEstimate: 1 }),
    },
    get_message: {
      parameters: { message_id: '17c9', format: 'full' },
      effect: 'pure',
      request: `GET ${ME}/messages/17c9?format=full`,
      answer: ok({ ...mail, snippet: 'Hi', payload: { mimeType: 'text/plain' } }),
    },
    send_message: {
      parameters: {
        to: ['ada@company.example', 'bob@company.example'],
        subject: 'Grüße',
        text: '<p>Hi</p>',
        is_html: true,
        in_reply_to: '<a1@company.example>',
        thread_id: '17c8',
      },
      effect: 'at_most_once',
      request: `POST ${ME}/messages/send`,
      body: { raw: Buffer.from(MAIL).toString('base64url'), threadId: '17c8' },
      answer: ok({ id: '17ca', threadId: '17c8', labelIds: ['SENT'] }),
    },
    modify_labels: {
      parameters: { message_id: '17c9', removeLabelIds: ['UNREAD'] },
      effect: 'idempotent',
      request: `POST ${ME}/messages/17c9/modify`,
      body: { removeLabelIds: ['UNREAD'] },
      answer: ok(mail),
    },
    trash_message: {
      parameters: { message_id: '17c9' },
      effect: 'idempotent',
      request: `POST ${ME}/messages/17c9/trash`,
      body: {},
      answer: ok({ ...mail, labelIds: ['TRASH'] }),
    },
    list_labels: {
      parameters: {},
      effect: 'pure',
      request: `GET ${ME}/labels`,
      answer: ok({ labels: [{ id: 'INBOX', name: 'INBOX', type: 'system' }] }),
    },
  },
  refusals: listRefusals('send_message'),
  pages: {
    action: 'list_messages',
    parameters: { q: 'in:inbox' },
    next: { pageToken: '{{page.data.nextPageToken}}' },
    pages: [
      [`GET ${ME}/messages?q=in%3Ainbox`, null, { messages: [{ id: '1' }], nextPageToken: '0987' }],
      [`GET ${ME}/messages?q=in%3Ainbox&pageToken=0987`, null, { resultSizeEstimate: 0 }],
    ],
  },
};

const FILES = '/drive/v3/files';
const ALL = 'supportsAllDrives=true';
const LIST = `${FILES}?${ALL}&includeItemsFromAllDrives=true`;
const file = { kind: 'drive#file', id: '1AbC', name: 'Offer', mimeType: 'application/pdf' };

export const googleDrive: Published = {
  integration: 'google_drive',
  authType: 'oauth2',
  data: { access_token: 'ya29.token' },
  host: 'www.googleapis.com',
  demands: { authorization: 'Bearer ya29.token' },
  unauthorized,
  describeError,
  actions: {
    list_files: {
      parameters: { q: "name = 'Offer'", pageSize: 1 },
      effect: 'pure',
      request: `GET ${LIST}&q=name+%3D+%27Offer%27&pageSize=1`,
      answer: ok({ kind: 'drive#fileList', files: [file] }),
    },
    get_file: {
      parameters: { file_id: '1AbC', fields: 'id,name' },
      effect: 'pure',
      request: `GET ${FILES}/1AbC?${ALL}&fields=id%2Cname`,
      answer: ok({ id: '1AbC', name: 'Offer' }),
    },
    download_file: {
      parameters: { file_id: '1AbC' },
      effect: 'pure',
      request: `GET ${FILES}/1AbC?${ALL}&alt=media`,
      answer: { status: 200, headers: { 'content-type': 'application/pdf' }, body: '%PDF\u0000' },
      output: { base64: 'JVBERgA=', media_type: 'application/pdf', size: 5 },
    },
    create_folder: {
      parameters: { name: 'Offers', parents: ['root'] },
      effect: 'at_most_once',
      request: `POST ${FILES}?${ALL}`,
      body: { mimeType: 'application/vnd.google-apps.folder', name: 'Offers', parents: ['root'] },
      answer: ok({ ...file, name: 'Offers', mimeType: 'application/vnd.google-apps.folder' }),
    },
    copy_file: {
      parameters: { file_id: '1AbC', name: 'Copy' },
      effect: 'at_most_once',
      request: `POST ${FILES}/1AbC/copy?${ALL}`,
      body: { name: 'Copy' },
      answer: ok({ ...file, id: '2', name: 'Copy' }),
    },
    update_file: {
      parameters: { file_id: '1AbC', name: 'New', addParents: '9', removeParents: '8' },
      effect: 'idempotent',
      request: `PATCH ${FILES}/1AbC?${ALL}&addParents=9&removeParents=8`,
      body: { name: 'New' },
      answer: ok({ ...file, name: 'New' }),
    },
    share_file: {
      parameters: {
        file_id: '1AbC',
        role: 'reader',
        type: 'user',
        emailAddress: 'ada@company.example',
        sendNotificationEmail: false,
      },
      effect: 'at_most_once',
      request: `POST ${FILES}/1AbC/permissions?${ALL}&sendNotificationEmail=false`,
      body: { role: 'reader', type: 'user', emailAddress: 'ada@company.example' },
      answer: ok({ kind: 'drive#permission', id: '77', role: 'reader', type: 'user' }),
    },
  },
  refusals: listRefusals('copy_file'),
  pages: {
    action: 'list_files',
    parameters: {},
    next: { pageToken: '{{page.data.nextPageToken}}' },
    pages: [
      [`GET ${LIST}`, null, { files: [file], nextPageToken: '~!!~AI9' }],
      [`GET ${LIST}&pageToken=%7E%21%21%7EAI9`, null, { files: [] }],
    ],
  },
};
