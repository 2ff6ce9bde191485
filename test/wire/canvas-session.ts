/** One session of the canvas over Socket.io: two people on one workflow, each with all that they hear. */
import { io, type Socket } from 'socket.io-client';
import { eventually } from '../support/waiting.ts';
import { canvas as definition } from './definitions.ts';
import { signIn, type Person } from './people.ts';
import { HEALTH_KEY, type Processes } from './processes.ts';
import { Transcript } from './transcript.ts';

const PATIENCE_MS = 20_000;
/** A room saves by its own clock: these come sooner or later between the others, and are recorded where they are waited for. */
const BY_THE_CLOCK: ReadonlySet<string> = new Set(['workflow:saved', 'save:status', 'workflow:save-status']);

/** A client that notes every event it hears and every answer it gets. */
class Tab {
  readonly #heard: { readonly event: string; readonly args: readonly unknown[] }[] = [];
  readonly #socket: Socket;
  readonly #transcript: Transcript;
  readonly #name: string;
  #noted = 0;

  constructor(socket: Socket, transcript: Transcript, name: string) {
    this.#socket = socket;
    this.#transcript = transcript;
    this.#name = name;
    socket.onAny((event: string, ...args: unknown[]) => void this.#heard.push({ event, args }));
  }

  /** Opens a connection; a refused one is noted, and null is returned. */
  static async open(
    { url, transcript, name }: { url: string; transcript: Transcript; name: string },
    auth: Readonly<Record<string, unknown>>,
  ): Promise<Tab | null> {
    const socket = io(url, {
      auth: { ...auth },
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
    });
    const tab = new Tab(socket, transcript, name);
    const error = await new Promise<(Error & { data?: unknown }) | null>((resolve) => {
      socket.once('connect', () => resolve(null));
      socket.once('connect_error', resolve);
    });
    if (error === null) return tab;
    socket.disconnect();
    transcript.note({ tab: name, refused: error.message, data: error.data });
    return null;
  }

  /** Sends an event and notes its answer. */
  async ask(
    event: string,
    payload: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const answer: unknown = await this.#socket.timeout(PATIENCE_MS).emitWithAck(event, payload);
    this.#transcript.note({ tab: this.#name, event, payload, answer });
    return answer as Readonly<Record<string, unknown>>;
  }

  tell(event: string, payload: Readonly<Record<string, unknown>>): void {
    this.#socket.emit(event, payload);
    this.#transcript.note({ tab: this.#name, event, payload });
  }

  /** Waits for an event since the last `hears`, and notes all that came up to it. @returns its payload */
  async hears(event: string): Promise<Readonly<Record<string, unknown>>> {
    const at = await eventually(`${this.#name} to hear ${event}`, PATIENCE_MS, () => {
      const found = this.#heard.findIndex((one, index) => index >= this.#noted && one.event === event);
      return found === -1 ? null : found;
    });
    for (const { event: name, args } of this.#heard.slice(this.#noted, at + 1)) {
      if (name === event || !BY_THE_CLOCK.has(name))
        this.#transcript.note({ tab: this.#name, hears: name, args });
    }
    this.#noted = at + 1;
    return this.#heard[at]?.args[0] as Readonly<Record<string, unknown>>;
  }

  close(): void {
    this.#socket.disconnect();
  }
}

async function handshakes(processes: Processes, transcript: Transcript, ann: Person): Promise<void> {
  const at = { url: processes.realtimeUrl, transcript, name: 'refused' };
  await Tab.open(at, {});
  await Tab.open(at, { token: 'nonsense', organizationId: ann.org });
  await Tab.open(at, { token: ann.token });
  await Tab.open(at, { token: ann.token, organizationId: 'x' });
  const past = Math.floor(Date.now() / 1000) - 600;
  await Tab.open(at, { token: await processes.identity.mint({ exp: past }), organizationId: ann.org });
  await Tab.open(at, { token: ann.token, organizationId: '00000000-0000-4000-8000-000000000000' });
}

async function plainHttp(processes: Processes, ann: Person): Promise<void> {
  const transcript = new Transcript(processes.realtimeUrl, false);
  await transcript.call('GET', '/health', {}, false);
  await transcript.call('GET', '/nowhere');
  await transcript.call('GET', '/metrics');
  await transcript.call('GET', '/admin/stats');
  await transcript.call('GET', '/admin/stats', { headers: { 'x-api-key': 'wrong' } });
  await transcript.call('GET', '/admin/stats', { headers: { 'x-api-key': HEALTH_KEY }, as: ann });
  await transcript.call('GET', '/socket.io/?EIO=4&transport=nonsense');
  transcript.finish('canvas-http');
}

/** Two people join, edit, lock, point, err, leave; and a save from outside. */
export async function canvas(processes: Processes): Promise<void> {
  const transcript = new Transcript(processes.apiUrl);
  const ann = await signIn(processes, 'ann');
  const ben = await signIn(processes, 'ben');
  await processes.sql.query(
    `INSERT INTO memberships (user_id, organization_id, role)
     SELECT user_id, $2, 'admin' FROM memberships WHERE organization_id = $1`,
    [ben.org, ann.org],
  );
  await plainHttp(processes, ann);
  await handshakes(processes, transcript, ann);
  const body = { name: 'Canvas', workflow_schema: definition() };
  const workflowId: string = (await transcript.send('POST', '/workflows', { as: ann, body })).body.id;
  const at = { url: processes.realtimeUrl, transcript };
  const one = await Tab.open(
    { ...at, name: 'ann' },
    { token: ann.token, organizationId: ann.org, clientId: 'ann-1' },
  );
  const two = await Tab.open(
    { ...at, name: 'ben' },
    { token: ben.token, organizationId: ann.org, clientId: 'ben-1' },
  );
  if (one === null || two === null) throw new Error('a tab was refused');
  let count = 0;
  const op = async (event: string, payload: object): Promise<Readonly<Record<string, unknown>>> => {
    count += 1;
    return one.ask(event, { workflowId, opId: `ann-1:${count}`, ...payload });
  };
  /** An operation that is taken: its author hears the ack, the other one the broadcast. */
  const edit = async (event: string, told: string, payload: object): Promise<void> => {
    await op(event, payload);
    await one.hears('ack');
    await two.hears(told);
  };
  const err = async (event: string, payload: object): Promise<void> => {
    await op(event, payload);
    await one.hears('operation:rejected');
  };

  await one.ask('workflow:join', { workflowId: 'nonsense' });
  await one.ask('workflow:join', { workflowId: '00000000-0000-4000-8000-000000000000' });
  await one.ask('workflow:join', { workflowId });
  await one.hears('workflow:joined');
  await two.ask('workflow:join', { workflowId });
  await two.hears('workflow:joined');
  await one.hears('presence:joined');

  await edit('node:move', 'node:moved', { nodeId: 'a', position: { x: 5, y: 1 } });
  await edit('nodes:move', 'nodes:moved', { moves: [{ nodeId: 'b', position: { x: 7, y: 2 } }] });
  const added = {
    id: 'c',
    type: 'transformer',
    name: 'c',
    position: { x: 1, y: 1 },
    config: { mode: 'map', fields: {} },
  };
  await edit('node:add', 'node:added', { node: added });
  await edit('node:update', 'node:updated', {
    nodeId: 'c',
    set: { '/config/fields/x': [1, null] },
    unset: ['/gone'],
  });
  await edit('node:update', 'node:updated', { nodeId: 'c', changes: { name: 'See' } });
  await edit('edge:add', 'edge:added', { edge: { id: 'b-c', source: 'b', target: 'c' } });
  await edit('edge:update', 'edge:updated', { edgeId: 'b-c', set: { '/label': 'on' } });
  await edit('state-schema:update', 'state-schema:updated', {
    set: { log: { type: 'array', reducer: 'add' } },
  });
  await edit('config:update', 'config:updated', { set: { '/colour': 'red' } });
  await edit('metadata:update', 'metadata:updated', { set: { '/description': 'Edited' } });
  await edit('workflow:update', 'workflow:updated', { entry_point: 'a' });
  await edit('batch', 'batch:applied', {
    reason: 'paste',
    ops: [
      { type: 'node:move', nodeId: 'c', position: { x: 9, y: 9 } },
      { type: 'edge:delete', edgeId: 'b-c' },
      { type: 'node:delete', nodeId: 'nope' },
    ],
  });
  await edit('node:delete', 'node:deleted', { nodeId: 'c' });
  await one.ask('node:move', { workflowId, opId: 'ann-1:1', nodeId: 'a', position: { x: 5, y: 1 } });
  await one.hears('ack');

  await err('node:move', { nodeId: 'nope', position: { x: 1, y: 1 } });
  await err('node:move', { nodeId: '__end__', position: { x: 1, y: 1 } });
  await err('node:update', { nodeId: 'a', set: { '/id': 'c' } });
  await err('node:add', { node: { id: 'a', type: 'llm' } });
  await err('edge:add', { edge: { id: 'e', source: 'a', target: 'nope' } });
  await err('workflow:update', { colour: 'red' });
  await err('batch', { reason: 'other', mode: 'atomic', ops: [{ type: 'node:fly' }] });
  await err('node:fly', { nodeId: 'a' });

  const lock = await one.ask('node:lock', { workflowId, nodeId: 'a' });
  await two.hears('node:locked');
  await two.ask('node:lock', { workflowId, nodeId: 'a' });
  await two.ask('node:update', { workflowId, opId: 'ben-1:1', nodeId: 'a', changes: { name: 'mine' } });
  await one.ask('node:lock-renew', { workflowId, locks: [{ nodeId: 'a', token: lock['token'] }] });
  await one.ask('node:unlock', { workflowId, nodeId: 'a', token: lock['token'] });
  await two.hears('node:unlocked');

  two.tell('cursor:move', { workflowId, x: 1, y: 2, zoom: 1 });
  await one.hears('cursor:moved');
  two.tell('selection:update', { workflowId, nodeIds: ['a'], edgeIds: [] });
  await one.hears('selection:updated');
  two.tell('node:drag', { workflowId, moves: [{ nodeId: 'a', position: { x: 3, y: 3 } }] });
  await one.hears('node:dragging');
  two.tell('presence:update', { workflowId, state: 'idle' });
  await one.hears('presence:updated');

  await one.ask('workflow:flush', { workflowId });
  await one.ask('workflow:resync', { workflowId });
  await one.hears('workflow:snapshot');
  await transcript.call('PATCH', `/workflows/${workflowId}`, { as: ann, body: { name: 'Renamed' } });
  await two.hears('workflow:external-sync');
  await two.ask('auth:refresh', { token: 'nonsense' });
  await two.ask('workflow:leave', { workflowId });
  await one.hears('presence:left');
  await transcript.call('GET', `/workflows/${workflowId}`, { as: ann });
  one.close();
  two.close();
  transcript.finish('canvas');
}
