/**
 * A client without our library, which applies broadcasts in the simplest way. It checks that the broadcasts alone are enough
 * to stay in sync.
 */
import jsonPatch, { type Operation } from 'fast-json-patch';
import type { FakeSocket } from './fake-network.ts';

interface Element {
  id: string;
  [key: string]: unknown;
}
interface Schema {
  nodes: Element[];
  edges: Element[];
  state_schema?: Record<string, unknown>;
  [key: string]: unknown;
}
type Payload = Record<string, unknown>;

const AUTOMATIC = JSON.stringify({ type: 'Any', reducer: 'none' });
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const tokens = (pointer: string): string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

function write(target: Payload, pointer: string, value: unknown): void {
  const path = tokens(pointer);
  const last = path.pop() ?? '';
  let at = target;
  for (const token of path) {
    if (typeof at[token] !== 'object' || at[token] === null) at[token] = {};
    at = at[token] as Payload;
  }
  if (value !== undefined) at[last] = value;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
}

function edit(target: Payload, { set, unset }: Payload): void {
  for (const pointer of (unset ?? []) as string[]) write(target, pointer, undefined);
  const entries = Object.entries((set ?? {}) as Payload).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [pointer, value] of entries) write(target, pointer, structuredClone(value));
}

/** The state's fields, in the form that the document has. */
function fieldsOf(schema: Schema): Payload {
  schema.state_schema ??= { fields: {} };
  if (Object.keys(schema.state_schema).length === 0) schema.state_schema['fields'] = {};
  return (schema.state_schema['fields'] ?? schema.state_schema) as Payload;
}

function remove(list: Element[], ids: readonly string[]): Element[] {
  return list.filter((element) => !ids.includes(element.id));
}

/** One operation, by the name that it has as an event to the server. */
function apply(schema: Schema, type: string, body: Payload): void {
  switch (type) {
    case 'node:add': {
      const node = structuredClone(body['node']) as Element;
      schema.nodes.splice((body['index'] as number | undefined) ?? schema.nodes.length, 0, node);
      const fields = fieldsOf(schema);
      if (!(node.id in fields)) fields[node.id] = { type: 'Any', reducer: 'none' };
      return;
    }
    case 'node:move':
      return apply(schema, 'nodes:move', { moves: [body] });
    case 'nodes:move':
      for (const { nodeId, position } of body['moves'] as { nodeId: string; position: unknown }[]) {
        const node = schema.nodes.find((one) => one.id === nodeId);
        if (nodeId === '__start__') schema['start_position'] = position;
        else if (node !== undefined) node['position'] = position;
      }
      return;
    case 'node:update':
      return edit(schema.nodes.find((node) => node.id === body['nodeId']) ?? {}, body);
    case 'node:delete': {
      const gone = body['nodeIds'] as string[];
      schema.nodes = remove(schema.nodes, gone);
      schema.edges = schema.edges.filter(
        (edge) => !gone.includes(edge['source'] as string) && !gone.includes(edge['target'] as string),
      );
      const isEmpty = Object.keys(schema.state_schema ?? {}).length === 0;
      const fields = isEmpty ? {} : fieldsOf(schema);
      for (const id of gone) if (sorted(fields[id]) === sorted(JSON.parse(AUTOMATIC))) delete fields[id];
      return;
    }
    case 'edge:add': {
      const edge = structuredClone(body['edge']) as Element;
      schema.edges.splice((body['index'] as number | undefined) ?? schema.edges.length, 0, edge);
      return;
    }
    case 'edge:update':
      return edit(schema.edges.find((edge) => edge.id === body['edgeId']) ?? {}, body);
    case 'edge:delete':
      schema.edges = remove(schema.edges, body['edgeIds'] as string[]);
      return;
    case 'state-schema:update': {
      const fields = fieldsOf(schema);
      for (const name of (body['unset'] ?? []) as string[]) delete fields[name];
      Object.assign(fields, structuredClone(body['set'] ?? {}));
      return;
    }
    case 'config:update':
    case 'metadata:update': {
      const key = type === 'config:update' ? 'config' : 'metadata';
      schema[key] ??= {};
      return edit(schema[key] as Payload, body);
    }
    case 'workflow:update':
      for (const key of ['entry_point', 'input_parameters', 'end_points', 'start_position']) {
        if (body[key] === null) delete schema[key];
        else if (body[key] !== undefined) schema[key] = structuredClone(body[key]);
      }
      return;
    default:
      for (const op of body['ops'] as Payload[]) apply(schema, op['type'] as string, op);
  }
}

const EVENTS: Readonly<Record<string, string>> = {
  'node:added': 'node:add',
  'node:moved': 'node:move',
  'nodes:moved': 'nodes:move',
  'node:updated': 'node:update',
  'node:deleted': 'node:delete',
  'edge:added': 'edge:add',
  'edge:updated': 'edge:update',
  'edge:deleted': 'edge:delete',
  'state-schema:updated': 'state-schema:update',
  'config:updated': 'config:update',
  'metadata:updated': 'metadata:update',
  'workflow:updated': 'workflow:update',
  'batch:applied': 'batch',
};

export class BareClient {
  readonly socket: FakeSocket;
  readonly #workflowId: string;
  schema: Schema | null = null;
  version = 0;
  readonly #sent = new Map<string, { readonly type: string; readonly body: Payload }>();

  constructor(socket: FakeSocket, workflowId: string, retry: (work: () => void) => void) {
    this.socket = socket;
    this.#workflowId = workflowId;
    socket.on('connect', () => this.join());
    socket.on('disconnect', () => {
      this.schema = null;
    });
    socket.on('workflow:joined', (payload) => {
      const joined = payload as Payload;
      this.schema = structuredClone(joined['schema']) as Schema;
      this.version = joined['version'] as number;
    });
    socket.on('workflow:join-error', () => retry(() => this.join()));
    for (const event of ['workflow:moved', 'conflict']) socket.on(event, () => this.#again());
    socket.on('ack', (payload) => this.#onAck(payload as Payload));
    socket.on('workflow:external-sync', (payload) => this.#onExternal(payload as Payload));
    for (const [event, type] of Object.entries(EVENTS)) {
      socket.on(event, (payload) => this.#advance(type, payload as Payload, payload as Payload));
    }
  }

  join(): void {
    this.socket.emit('workflow:join', { workflowId: this.#workflowId });
  }

  #again(): void {
    this.schema = null;
    this.socket.emit('workflow:leave', { workflowId: this.#workflowId });
    this.join();
  }

  send(type: string, opId: string, body: Payload): void {
    if (this.schema === null) return;
    this.#sent.set(opId, { type, body });
    this.socket.emit(type, { workflowId: this.#workflowId, opId, version: this.version, ...body });
  }

  #onAck(ack: Payload): void {
    const sent = this.#sent.get(ack['opId'] as string);
    if (sent === undefined || ack['duplicate'] === true || ack['noop'] === true) return;
    this.#advance(sent.type, (ack['normalized'] ?? sent.body) as Payload, ack);
  }

  #advance(type: string, body: Payload, { version }: Payload): void {
    if (this.schema === null || (version as number) <= this.version) return;
    apply(this.schema, type, body);
    this.version = version as number;
  }

  #onExternal(payload: Payload): void {
    if (this.schema === null) return;
    if (payload['full'] === true) return this.#again();
    const patches = structuredClone(payload['patches']) as Operation[];
    this.schema = jsonPatch.applyPatch(this.schema, patches).newDocument;
  }
}
