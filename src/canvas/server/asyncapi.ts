/** The protocol of the canvas as an AsyncAPI 3.0 document, made of the schemas that read what clients send. */
import { z } from 'zod';
import { BROADCASTS } from '../room/operations.ts';
import { BATCH_FIELDS, ENVELOPE, GUARD, OPERATION_FIELDS } from '../room/read-operation.ts';
import { EPHEMERAL_FIELDS, JOIN_FIELDS, LOCK_FIELDS, TARGET } from '../room/read-presence.ts';
import { REFUSALS } from '../room/rejection.ts';
import { AUTH_OPTIONS, CAPABILITIES, HANDSHAKE_CODES } from './handshake.ts';
import { OPERATION_REPLY, REFUSED, REPLIES, SERVER_EVENTS } from './server-events.ts';

type Schema = Readonly<Record<string, unknown>>;

/** JSON Schema of what is sent, before defaults and transformations. */
function schemaOf(type: z.ZodType): Schema {
  const { $schema: _draft, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  return schema;
}

/** Keys of components may not have colons. */
const keyOf = (event: string): string => event.replaceAll(':', '.');
const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${keyOf(name)}` });
const requires = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const SINGLE_EVENTS = Object.keys(OPERATION_FIELDS);
/** A part of a batch has its event's name in `type`, and may have a guard. */
const parts = SINGLE_EVENTS.map((event) => ({
  allOf: [
    requires({ type: { const: event } }),
    { type: 'object', properties: { if: schemaRef('Guard') } },
    schemaRef(`${event}.fields`),
  ],
}));
const batchFields = schemaOf(BATCH_FIELDS);
const BATCH: Schema = {
  ...batchFields,
  properties: {
    ...(batchFields['properties'] as Schema),
    ops: { type: 'array', minItems: 1, maxItems: 1_000, items: { oneOf: parts } },
  },
};

const AUTH: Schema = {
  type: 'object',
  required: ['token', 'organizationId'],
  properties: {
    token: { type: 'string', description: 'A JWT, with or without `Bearer `.' },
    organizationId: { type: 'string', format: 'uuid' },
    clientId: { ...schemaOf(AUTH_OPTIONS.clientId), description: 'One per browser tab, kept over reloads.' },
    caps: { ...schemaOf(AUTH_OPTIONS.caps), description: `Known: ${CAPABILITIES.join(', ')}.` },
  },
};
const CONNECT_ERROR: Schema = {
  type: 'object',
  properties: {
    code: { enum: Object.keys(HANDSHAKE_CODES) },
    message: { type: 'string' },
    retryable: { type: 'boolean' },
    retryAfterMs: { type: 'integer' },
  },
  required: ['code', 'message', 'retryable'],
  'x-retryable': Object.entries(HANDSHAKE_CODES).flatMap(([code, isRetryable]) =>
    isRetryable ? [code] : [],
  ),
};

/** Payloads of what clients send, by event. */
const CLIENT_EVENTS: Readonly<Record<string, Schema>> = {
  'workflow:join': schemaOf(JOIN_FIELDS),
  'workflow:leave': schemaOf(TARGET),
  'workflow:resync': schemaOf(TARGET),
  'workflow:flush': schemaOf(TARGET),
  'auth:refresh': requires({ token: { type: 'string' } }),
  ...Object.fromEntries(
    [...SINGLE_EVENTS, 'batch'].map((event) => [
      event,
      { allOf: [schemaRef('Envelope'), schemaRef(`${event}.fields`)] },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({ ...LOCK_FIELDS, ...EPHEMERAL_FIELDS }).map(([event, fields]) => [
      event,
      { allOf: [schemaOf(TARGET), schemaOf(fields)] },
    ]),
  ),
};

const replyOf = (event: string): z.ZodType | undefined =>
  event in BROADCASTS ? OPERATION_REPLY : (REPLIES as Readonly<Record<string, z.ZodType>>)[event];

const message = (name: string, payload: Schema): Schema => ({ name, payload });
const mapped = <From, To>(from: Readonly<Record<string, From>>, to: (key: string, value: From) => To) =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [keyOf(key), to(key, value)]));
const channelRef = { $ref: '#/channels/canvas' };
const messageRef = (key: string): Schema => ({ $ref: `#/channels/canvas/messages/${keyOf(key)}` });

/** All messages, by keys: what clients send, what they are answered, what the server sends. */
function messages(): Readonly<Record<string, Schema>> {
  const replies = Object.keys(CLIENT_EVENTS).flatMap((event) => {
    const type = replyOf(event);
    if (type === undefined) return [];
    const accepted = type === OPERATION_REPLY ? schemaRef('OperationReply') : schemaOf(type);
    const reply = message(`${event} (reply)`, { oneOf: [accepted, schemaRef('Refused')] });
    return [[keyOf(`${event}.reply`), reply]];
  });
  return {
    ...mapped(CLIENT_EVENTS, message),
    ...mapped(SERVER_EVENTS, (name, type) => message(name, schemaOf(type))),
    ...(Object.fromEntries(replies) as Readonly<Record<string, Schema>>),
    connect_error: message('connect_error', requires({ data: schemaRef('ConnectError') })),
  };
}

const operations = (): Schema => ({
  ...mapped(CLIENT_EVENTS, (event) => ({
    action: 'receive',
    channel: channelRef,
    messages: [messageRef(event)],
    ...(replyOf(event) === undefined
      ? {}
      : { reply: { channel: channelRef, messages: [messageRef(`${event}.reply`)] } }),
  })),
  send: {
    action: 'send',
    channel: channelRef,
    messages: ['connect_error', ...Object.keys(SERVER_EVENTS)].map(messageRef),
  },
});

function schemas(): Schema {
  const codes = Object.entries(REFUSALS).map(([code, [retryable, text]]) => [
    code,
    { retryable, message: text },
  ]);
  const fields = Object.entries(OPERATION_FIELDS).map(([event, type]) => [
    `${keyOf(event)}.fields`,
    schemaOf(type),
  ]);
  return {
    Auth: AUTH,
    ConnectError: CONNECT_ERROR,
    Envelope: schemaOf(ENVELOPE),
    Guard: schemaOf(GUARD),
    OperationReply: schemaOf(OPERATION_REPLY),
    Refused: { ...schemaOf(REFUSED), 'x-codes': Object.fromEntries(codes) },
    ...(Object.fromEntries(fields) as Schema),
    'batch.fields': BATCH,
  };
}

const DESCRIPTION = [
  'Co-editing of workflows over Socket.io 4, default namespace, authorised by #/components/schemas/Auth in `auth`.',
  'A message is an event with its payload as the one argument; a reply is the argument of its acknowledgement callback.',
  'Clients ignore members that they do not know.',
].join(' ');

/** @returns the document; the same for the same code */
export function asyncApi(): Schema {
  const all = messages();
  return {
    asyncapi: '3.0.0',
    info: { title: 'Canvas', version: '1.0.0', description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: { canvas: { host: 'localhost:3001', pathname: '/socket.io', protocol: 'ws' } },
    channels: {
      canvas: {
        address: '/',
        messages: mapped(all, (key) => ({ $ref: `#/components/messages/${key}` })),
      },
    },
    operations: operations(),
    components: { messages: all, schemas: schemas() },
  };
}
