/** Microsoft Graph: mail, calendar, files and Teams of people who sign in. */
import { describeCatalogAction } from './actions.ts';
import { oauth2 } from './auth-schemes.ts';
import type { Integration, OAuthProvider } from './integration.ts';
import { ADDRESSES } from './mail-message.ts';
import { tooMany } from './service-rules.ts';

const id = { type: 'string', minLength: 1, maxLength: 512 };
const time = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,16}$',
  description: '2030-03-01T09:00:00',
};
const time_zone = { type: 'string', minLength: 1, maxLength: 64, description: 'Such as Europe/Berlin' };
const content_type = { type: 'string', enum: ['text', 'html'] };
const subject = { type: 'string', maxLength: 255 };
const list = {
  value: { type: 'array', items: { type: 'object' } },
  '@odata.nextLink': { type: 'string', description: 'Has the `skip` of the next page' },
};
const paging = {
  top: { type: 'integer', minimum: 1, maximum: 1_000 },
  skip: { type: 'integer', minimum: 0 },
  select: { type: 'string', description: 'Names of fields, separated by commas' },
  filter: { type: 'string', maxLength: 4_000 },
  orderby: { type: 'string' },
};
const queryNames = { top: '$top', skip: '$skip', select: '$select', filter: '$filter', orderby: '$orderby' };
const ADDRESS_PATH = ['emailAddress', 'address'];
const SCOPES = [
  'offline_access',
  'User.Read',
  'Mail.ReadWrite',
  'Mail.Send',
  'Calendars.ReadWrite',
  'Files.Read',
];

const provider: OAuthProvider = {
  authorizationUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
  tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
  scopeSeparator: ' ',
};

export const microsoftGraph: Integration = {
  name: 'microsoft_graph',
  displayName: 'Microsoft Graph',
  description: 'Mail, calendar, files and Teams of Microsoft 365.',
  version: '1.0.0',
  category: 'productivity',
  docsUrl: 'https://learn.microsoft.com/graph/api/overview',
  tags: ['mail', 'calendar', 'files', 'teams'],
  baseUrl: 'https://graph.microsoft.com/v1.0',
  baseUrlField: null,
  auth: [oauth2(provider, SCOPES)],
  actions: [
    describeCatalogAction({
      name: 'list_messages',
      displayName: 'List messages',
      description: 'Lists mails of a folder.',
      method: 'GET',
      path: '/me/mailFolders/{folder}/messages',
      input: { folder: { ...id, description: 'inbox, sentitems, or the id of a folder' }, ...paging },
      required: ['folder'],
      output: list,
      request: { queryNames },
    }),
    describeCatalogAction({
      name: 'get_message',
      displayName: 'Get message',
      description: 'Reads a mail.',
      method: 'GET',
      path: '/me/messages/{message_id}',
      input: { message_id: id, select: paging.select },
      required: ['message_id'],
      output: { id: { type: 'string' }, subject: { type: 'string' }, body: { type: 'object' } },
      request: { queryNames },
    }),
    describeCatalogAction({
      name: 'send_mail',
      displayName: 'Send mail',
      description: 'Sends a mail and keeps it in the sent items.',
      method: 'POST',
      path: '/me/sendMail',
      input: {
        to: ADDRESSES,
        cc: ADDRESSES,
        bcc: ADDRESSES,
        subject,
        text: { type: 'string', maxLength: 1_000_000 },
        content_type,
      },
      required: ['to', 'subject', 'text'],
      output: {},
      request: {
        constant: { message: { body: { contentType: 'text' } }, saveToSentItems: true },
        bodyPaths: {
          to: ['message', 'toRecipients'],
          cc: ['message', 'ccRecipients'],
          bcc: ['message', 'bccRecipients'],
          subject: ['message', 'subject'],
          text: ['message', 'body', 'content'],
          content_type: ['message', 'body', 'contentType'],
        },
        itemPaths: { to: ADDRESS_PATH, cc: ADDRESS_PATH, bcc: ADDRESS_PATH },
      },
      verify: {
        action: 'list_messages',
        parameters: {
          folder: 'sentitems',
          filter: 'sentDateTime ge {{input.since}}',
          orderby: 'sentDateTime desc',
          top: 100,
        },
        source: '{{read.data.value}}',
        found: {
          match: 'all',
          rules: [{ left: '{{item.subject}}', op: 'eq', right: '{{input.parameters.subject}}' }],
        },
        about:
          'Mails with this subject among the newest 100 that were sent since the request. A mail is there some seconds after it was accepted.',
      },
    }),
    describeCatalogAction({
      name: 'list_events',
      displayName: 'List events',
      description: 'Lists the events of the calendar between two times (UTC).',
      method: 'GET',
      path: '/me/calendarView',
      input: { startDateTime: time, endDateTime: time, ...paging },
      required: ['startDateTime', 'endDateTime'],
      output: list,
      request: { queryNames },
    }),
    describeCatalogAction({
      name: 'create_event',
      displayName: 'Create event',
      description: 'Creates an event in the calendar and invites its attendees.',
      method: 'POST',
      path: '/me/events',
      input: {
        subject,
        start: time,
        end: time,
        time_zone,
        text: { type: 'string', maxLength: 100_000 },
        content_type,
        location: { type: 'string', maxLength: 255 },
        attendees: ADDRESSES,
      },
      required: ['subject', 'start', 'end', 'time_zone'],
      output: { id: { type: 'string' }, webLink: { type: 'string' } },
      // `transactionId` lets the server avoid a second event when a request is sent again.
      idempotent: true,
      request: {
        bodyPaths: {
          start: ['start', 'dateTime'],
          end: ['end', 'dateTime'],
          time_zone: ['start', 'timeZone'],
          text: ['body', 'content'],
          content_type: ['body', 'contentType'],
          location: ['location', 'displayName'],
        },
        secondPaths: { time_zone: ['end', 'timeZone'] },
        itemPaths: { attendees: ADDRESS_PATH },
        repetitionKey: { in: 'body', name: 'transactionId' },
      },
    }),
    describeCatalogAction({
      name: 'list_drive_items',
      displayName: 'List files',
      description: 'Lists the files of a folder of OneDrive.',
      method: 'GET',
      path: '/me/drive/items/{folder_id}/children',
      input: {
        folder_id: { ...id, description: 'root, or the id of a folder' },
        top: paging.top,
        select: paging.select,
      },
      required: ['folder_id'],
      output: list,
      request: { queryNames },
    }),
    describeCatalogAction({
      name: 'send_channel_message',
      displayName: 'Send message to channel',
      description: 'Posts a message to a channel of Teams.',
      method: 'POST',
      path: '/teams/{team_id}/channels/{channel_id}/messages',
      input: {
        team_id: id,
        channel_id: id,
        text: { type: 'string', minLength: 1, maxLength: 28_000 },
        content_type,
      },
      required: ['team_id', 'channel_id', 'text'],
      output: { id: { type: 'string' }, webUrl: { type: ['string', 'null'] } },
      request: { bodyPaths: { text: ['body', 'content'], content_type: ['body', 'contentType'] } },
    }),
  ],
  answers: { declines: [tooMany()] },
  test: { path: '/me', headers: {} },
};
