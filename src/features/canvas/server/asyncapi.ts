/** Builds the AsyncAPI 3.0 document of the canvas from the schemas that validate its events. */
import { z } from 'zod';
import { BROADCASTS } from '../room/operations.ts';
import { BATCH_FIELDS, ENVELOPE, GUARD, OPERATION_FIELDS, RENAME_FIELDS } from '../room/read-operation.ts';
import { EPHEMERAL_FIELDS, JOIN_FIELDS, LOCK_FIELDS, TARGET } from '../room/read-presence.ts';
import { REJECTIONS } from '../room/rejection.ts';
import { AUTH_OPTIONS, CAPABILITIES, HANDSHAKE_CODES } from './handshake.ts';
import { OPERATION_REPLY, REFUSED, REPLIES, SERVER_EVENTS } from './server-events.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Returns the JSON Schema of a payload before defaults and transformations. */
function toJsonSchema(type: z.ZodType): Schema {
  const { $schema: _draft, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  return schema;
}

/** Component keys must not contain colons. */
const toKey = (event: string): string => event.replaceAll(':', '.');
const refSchema = (name: string): Schema => ({ $ref: `#/components/schemas/${toKey(name)}` });
const toObjectSchema = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const SINGLE_EVENTS = Object.keys(OPERATION_FIELDS);
/** A part of a batch names its event in `type` and may have a guard. */
const parts = SINGLE_EVENTS.map((event) => ({
  allOf: [
    toObjectSchema({ type: { const: event } }),
    { type: 'object', properties: { if: refSchema('Guard') } },
    refSchema(`${event}.fields`),
  ],
}));
const batchFields = toJsonSchema(BATCH_FIELDS);
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
    clientId: {
      ...toJsonSchema(AUTH_OPTIONS.clientId),
      description: 'One per browser tab, kept over reloads.',
    },
    caps: { ...toJsonSchema(AUTH_OPTIONS.caps), description: `Known: ${CAPABILITIES.join(', ')}.` },
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

/** Payloads of client events. */
const CLIENT_EVENTS: Readonly<Record<string, Schema>> = {
  'workflow:join': toJsonSchema(JOIN_FIELDS),
  'workflow:leave': toJsonSchema(TARGET),
  'workflow:resync': toJsonSchema(TARGET),
  'workflow:flush': toJsonSchema(TARGET),
  'auth:refresh': toObjectSchema({ token: { type: 'string' } }),
  ...Object.fromEntries(
    [...SINGLE_EVENTS, 'node:rename', 'batch'].map((event) => [
      event,
      { allOf: [refSchema('Envelope'), refSchema(`${event}.fields`)] },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({ ...LOCK_FIELDS, ...EPHEMERAL_FIELDS }).map(([event, fields]) => [
      event,
      { allOf: [toJsonSchema(TARGET), toJsonSchema(fields)] },
    ]),
  ),
};

const findReply = (event: string): z.ZodType | undefined =>
  event in BROADCASTS ? OPERATION_REPLY : (REPLIES as Readonly<Record<string, z.ZodType>>)[event];

const toMessage = (name: string, payload: Schema): Schema => ({ name, payload });
const mapByKey = <From, To>(from: Readonly<Record<string, From>>, to: (key: string, value: From) => To) =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [toKey(key), to(key, value)]));
const channelRef = { $ref: '#/channels/canvas' };
const refMessage = (key: string): Schema => ({ $ref: `#/channels/canvas/messages/${toKey(key)}` });

/** All messages, by keys: what clients send, what they are answered, what the server sends. */
function describeMessages(): Readonly<Record<string, Schema>> {
  const replies = Object.keys(CLIENT_EVENTS).flatMap((event) => {
    const type = findReply(event);
    if (type === undefined) return [];
    const accepted = type === OPERATION_REPLY ? refSchema('OperationReply') : toJsonSchema(type);
    const reply = toMessage(`${event} (reply)`, { oneOf: [accepted, refSchema('Refused')] });
    return [[toKey(`${event}.reply`), reply]];
  });
  return {
    ...mapByKey(CLIENT_EVENTS, toMessage),
    ...mapByKey(SERVER_EVENTS, (name, type) => toMessage(name, toJsonSchema(type))),
    ...(Object.fromEntries(replies) as Readonly<Record<string, Schema>>),
    connect_error: toMessage('connect_error', toObjectSchema({ data: refSchema('ConnectError') })),
  };
}

const describeOperations = (): Schema => ({
  ...mapByKey(CLIENT_EVENTS, (event) => ({
    action: 'receive',
    channel: channelRef,
    messages: [refMessage(event)],
    ...(findReply(event) === undefined
      ? {}
      : { reply: { channel: channelRef, messages: [refMessage(`${event}.reply`)] } }),
  })),
  send: {
    action: 'send',
    channel: channelRef,
    messages: ['connect_error', ...Object.keys(SERVER_EVENTS)].map(refMessage),
  },
});

function describeSchemas(): Schema {
  const codes = Object.entries(REJECTIONS).map(([code, [retryable, text]]) => [
    code,
    { retryable, message: text },
  ]);
  const fields = Object.entries({ ...OPERATION_FIELDS, 'node:rename': RENAME_FIELDS }).map(
    ([event, type]) => [`${toKey(event)}.fields`, toJsonSchema(type)],
  );
  return {
    Auth: AUTH,
    ConnectError: CONNECT_ERROR,
    Envelope: toJsonSchema(ENVELOPE),
    Guard: toJsonSchema(GUARD),
    OperationReply: toJsonSchema(OPERATION_REPLY),
    Refused: { ...toJsonSchema(REFUSED), 'x-codes': Object.fromEntries(codes) },
    ...(Object.fromEntries(fields) as Schema),
    'batch.fields': BATCH,
  };
}

const DESCRIPTION = [
  'Co-editing of workflows over Socket.io 4, default namespace, authorised by #/components/schemas/Auth in `auth`.',
  'A message is an event with its payload as the one argument; a reply is the argument of its acknowledgement callback.',
  'Clients ignore members that they do not know.',
].join(' ');

/** Returns the document; deterministic. */
export function describeProtocol(): Schema {
  const all = describeMessages();
  return {
    asyncapi: '3.0.0',
    info: { title: 'Canvas', version: '1.0.0', description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: { canvas: { host: 'localhost:3001', pathname: '/socket.io', protocol: 'ws' } },
    channels: {
      canvas: {
        address: '/',
        messages: mapByKey(all, (key) => ({ $ref: `#/components/messages/${key}` })),
      },
    },
    operations: describeOperations(),
    components: { messages: all, schemas: describeSchemas() },
  };
}
