/**
 * Five people edit while REST updates, the Composer and activations save the same workflow: each save must be counted and
 * broadcast once, and no edit may be lost.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registers } from '../../../src/base/observe/metrics.ts';
import { saveComposed } from '../../../src/features/workflows/compose.ts';
import type { Tenant } from '../../support/api-server.ts';
import { startChaosProxy, through, type ChaosProxy } from '../../support/chaos-proxy.ts';
import { noteFigures } from '../../support/figures.ts';
import { eventually, sleep } from '../../support/waiting.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import { expectHistoryOf } from './support/history.ts';
import type { Payload, Peer } from './support/peer.ts';

const WORK_MS = Number(process.env['CANVAS_WRITERS_MS'] ?? 4_000);
const PEOPLE = 5;

let proxy: ChaosProxy;
let canvas: Canvas;
let tenant: Tenant;
let userId: string;
beforeAll(async () => {
  canvas = await startCanvas({
    async databaseUrl(url) {
      const { hostname, port } = new URL(url);
      proxy = await startChaosProxy({ host: hostname, port: Number(port) });
      return through(proxy, url);
    },
  });
  tenant = await canvas.api.tenant();
  const [member] = await canvas.api.deps.db.query<{ userId: string }>(
    'SELECT user_id AS "userId" FROM memberships WHERE organization_id = $1',
    [tenant.org],
  );
  userId = member?.userId ?? '';
});
afterAll(async () => {
  proxy.heal();
  await canvas.close();
  await proxy.close();
});

/** Saves of rooms that somebody else's save had overtaken, in this process so far. */
async function lostTries(): Promise<number> {
  const told = await registers[0]?.getSingleMetricAsString('realtime_save_seconds');
  return Number(/_count\{outcome="external"\} (\d+)/.exec(told ?? '')?.[1] ?? 0);
}

/** Repeats `work` at a fixed rate, or as fast as it is done, until the time is over. @returns how often */
async function every(ms: number, until: number, work: (round: number) => Promise<void>): Promise<number> {
  let round = 0;
  for (let at = performance.now(); performance.now() < until; at = Math.max(at + ms, performance.now())) {
    await sleep(at - performance.now());
    round += 1;
    await work(round);
  }
  return round;
}

const updateOverRest = async (workflowId: string, round: number): Promise<void> => {
  const body = round % 2 === 0 ? { tags: [`t${round}`] } : { description: `outside ${round}` };
  expect((await tenant.call('PATCH', `/workflows/${workflowId}`, { body })).status).toBe(200);
};

/** The Composer reads, thinks, and saves what it made with what others saved meanwhile. */
async function compose(workflowId: string, round: number): Promise<void> {
  const { workflow_schema: definition, edit_version: editVersion } = await canvas.record(tenant, workflowId);
  const id = `composed_${round}`;
  const node = {
    id,
    type: 'transformer',
    name: id,
    position: { x: round, y: 9 },
    config: { mode: 'map', fields: { n: 1 } },
  };
  const edges = [
    { id: `to-${id}`, source: 'b', target: id },
    { id: `from-${id}`, source: id, target: '__end__' },
  ];
  await sleep(30);
  const outcome = await saveComposed(canvas.api.deps.db, {
    organizationId: tenant.org,
    userId,
    threadId: null,
    stepId: randomUUID(),
    base: { workflowId, editVersion, definition },
    definition: {
      ...definition,
      nodes: [...definition.nodes, node],
      edges: [...definition.edges, ...edges],
    },
  });
  expect(outcome).toMatchObject({ kind: 'saved' });
}

async function deploy(workflowId: string): Promise<string> {
  const answer = await tenant.call('POST', `/workflows/${workflowId}/deploy`, { body: {} });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

/** Leaves marks until the time is over. @returns the marks */
async function leaveMarks(peer: Peer, workflowId: string, seat: number, until: number): Promise<string[]> {
  const marks: string[] = [];
  await every(100, until, async (round) => {
    // Few to each object: one with thousands of keys would be copied for each of them.
    const mark = `/marks/${seat}/${Math.floor(round / 50)}/${round}`;
    const reply = await peer.op('config:update', workflowId, { set: { [mark]: round } });
    expect(reply).toMatchObject({ ok: true });
    marks.push(mark);
  });
  return marks;
}

/** The pointers of all that is no object. */
const pointersOf = (value: Payload, at: string): string[] =>
  typeof value === 'object'
    ? Object.keys(value).flatMap((key) => pointersOf(value[key], `${at}/${key}`))
    : [at];

interface Edit {
  readonly version: number;
  readonly source: string;
}

/** The edits that a member has been told of, in the order of the wire. */
const told = (watcher: Peer): Edit[] =>
  watcher.heard.flatMap(({ name, payload }): Edit[] => {
    if (name === 'workflow:external-sync') return [{ version: payload.editVersion, source: payload.source }];
    return name === 'saved' && payload.noop !== true ? [{ version: payload.version, source: 'canvas' }] : [];
  });

describe.each([
  { notices: 'heard', restMs: 200 },
  // Nobody tells the room: each of its saves runs into somebody else's first.
  { notices: 'lost', restMs: 2_500 },
])('notices are $notices', ({ notices, restMs }) => {
  test(
    'each edit is counted once and told once, and nothing is lost',
    async () => {
      const workflowId = await canvas.workflow(tenant);
      const deployments = [await deploy(workflowId), await deploy(workflowId)];
      const watcher = await canvas.peer(tenant);
      const peers = await Promise.all(Array.from({ length: PEOPLE }, () => canvas.peer(tenant)));
      const { editVersion: base } = await watcher.join(workflowId);
      for (const peer of peers) await peer.join(workflowId);
      if (notices === 'lost') proxy.refuse('listener');
      const lostBefore = await lostTries();

      const until = performance.now() + WORK_MS;
      const [rest, composed, activated, ...marks] = await Promise.all([
        every(restMs, until, (round) => updateOverRest(workflowId, round)),
        every(restMs * 5, until, (round) => compose(workflowId, round)),
        every(restMs * 5, until, async (round) => {
          // The second one is live at the beginning; activating what is live changes nothing.
          const path = `/workflows/${workflowId}/deployments/${deployments[(round + 1) % 2]}/activate`;
          expect((await tenant.call('PUT', path)).status).toBe(200);
        }),
        ...peers.map((peer, seat) => leaveMarks(peer, workflowId, seat, until)),
      ]);
      await watcher.wait('saved');
      proxy.heal();
      await expect.poll(() => watcher.flush(workflowId), { timeout: 20_000 }).toMatchObject({ ok: true });

      const record = await canvas.record(tenant, workflowId);
      // Nobody's save may come after the last ones from outside: those are found by looking.
      await eventually('the last edit to be told', 20_000, () => {
        const last = told(watcher).at(-1)?.version;
        return last === record.edit_version || null;
      });
      const history = await canvas.api.deps.db.query<Edit>(
        `SELECT edit_version AS version, source FROM workflow_edits
       WHERE workflow_id = $1 AND edit_version > $2 ORDER BY edit_version`,
        [workflowId, base],
      );
      expect(history.map(({ version }) => version)).toEqual(
        Array.from({ length: record.edit_version - base }, (_, index) => base + index + 1),
      );
      // Both kinds in one order, each version once: a try that lost has told nothing, and nothing was told twice.
      expect(told(watcher)).toEqual(history);
      const count = (source: string): number => history.filter((edit) => edit.source === source).length;
      expect([count('rest'), count('composer'), count('activation')]).toEqual([rest, composed, activated]);
      expect(count('canvas')).toBe(record.edit_version - base - rest - composed - activated);
      const lost = (await lostTries()) - lostBefore;
      if (notices === 'lost') expect(lost).toBeGreaterThan(0);
      for (const peer of [watcher, ...peers]) {
        const trouble = ['conflict', 'operation:rejected', 'persistence:degraded'];
        expect(peer.heard.filter(({ name }) => trouble.includes(name))).toEqual([]);
        expect(peer.of('workflow:external-sync').flatMap(({ dropped }: Payload) => dropped ?? [])).toEqual(
          [],
        );
      }

      const { config, nodes } = record.workflow_schema;
      expect(pointersOf(config.marks, '/marks').toSorted()).toEqual(marks.flat().toSorted());
      expect(nodes.map(({ id }: Payload) => id)).toEqual([
        'a',
        'b',
        ...Array.from({ length: composed }, (_, index) => `composed_${index + 1}`),
      ]);
      const lastOf = (isOf: (round: number) => boolean): number =>
        Math.max(...Array.from({ length: rest }, (_, index) => index + 1).filter(isOf));
      expect(record.description).toBe(`outside ${lastOf((round) => round % 2 === 1)}`);
      if (rest > 1) expect(record.tags).toEqual([`t${lastOf((round) => round % 2 === 0)}`]);
      await expectHistoryOf(canvas.api.deps.db, workflowId);
      noteFigures(`writers from outside for ${WORK_MS} ms, notices ${notices}`, {
        edits: marks.flat().length,
        'saves of the room': count('canvas'),
        rest,
        composed,
        activated,
        'tries that lost': lost,
      });
    },
    WORK_MS + 60_000,
  );
});
