/** A run would hang when its sub-workflow is refused, for want of credits or by a limit. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { MAX_CHILD_DEPTH, type ChildRunRefused } from '../../src/engine/runs/accept/child-run.ts';
import { chain, node, transform } from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithModel } from '../support/engine-with-servers.ts';
import { deploy, runBy } from '../support/journeys.ts';
import type { ModelServer } from '../support/model-server.ts';
import { setTerms } from '../support/money.ts';
import { stepsOf } from '../support/records.ts';

let engine: TestEngine;
let model: ModelServer;
beforeAll(async () => {
  ({ engine, model } = await startEngineWithModel());
});
beforeEach(() => setTerms(engine.db, engine.organizationId, { plan: 'enterprise' }));
afterAll(() => engine.close());

/** A tool that runs a workflow, as a node has it and as an agent offers it. */
type Wanted = JsonObject & { readonly workflow_id: string };
/** A run, or the deepest of several, whose sub-workflow is refused. @param use the definition that calls the workflow */
type Refused = (use: (wanted: Wanted) => JsonObject) => Promise<Played>;

const aWorkflow = (): Promise<string> => deploy(engine, chain(transform('t')));

const unknown: Refused = (use) => engine.play(use({ workflow_id: randomUUID() }));

const foreign: Refused = async (use) => {
  const [other] = await engine.db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Other', 'other-' || gen_random_uuid()) RETURNING id`,
  );
  const workflow_id = await aWorkflow();
  const moved = [workflow_id, other?.id];
  await engine.db.query('UPDATE workflows SET organization_id = $2 WHERE id = $1', moved);
  return engine.play(use({ workflow_id }));
};

const notLive: Refused = async (use) => {
  const workflow_id = await aWorkflow();
  await engine.db.query('UPDATE deployments SET is_live = false WHERE workflow_id = $1', [workflow_id]);
  return engine.play(use({ workflow_id }));
};

const anotherVersion: Refused = async (use) =>
  engine.play(use({ workflow_id: await aWorkflow(), deployment: '9.0.0' }));

const incomplete: Refused = async (use) => {
  const input_parameters = [{ name: 'order', required: true }];
  return engine.play(
    use({ workflow_id: await deploy(engine, { ...chain(transform('t')), input_parameters }) }),
  );
};

const tooDeep: Refused = async (use) => {
  const self = await deploy(engine, (workflowId) => use({ workflow_id: workflowId }));
  await engine.play(use({ workflow_id: self }), {}, {}, 50_000);
  const [deepest] = await engine.db.query<{ id: string }>(
    'SELECT id FROM runs WHERE workflow_id = $1 AND child_depth = $2',
    [self, MAX_CHILD_DEPTH],
  );
  return engine.follow(await runBy(engine, 'id', deepest?.id ?? ''));
};

/** The run itself is one under way. */
const tooMany: Refused = async (use) => {
  const workflow_id = await aWorkflow();
  await setTerms(engine.db, engine.organizationId, { plan: 'free', entitlements: { runs_under_way: 1 } });
  return engine.play(use({ workflow_id }));
};

const REASONS: Readonly<Record<ChildRunRefused['code'], readonly (readonly [string, Refused])[]>> = {
  workflow_not_found: [
    ['there is no such workflow', unknown],
    ['the workflow is of another organization', foreign],
  ],
  workflow_not_deployed: [
    ['no deployment is live', notLive],
    ['there is no such deployment', anotherVersion],
  ],
  sub_workflow_too_deep: [['it would nest too deep', tooDeep]],
  invalid_input: [['a required parameter is missing', incomplete]],
  too_many_runs: [['the organization has as many runs under way as it may', tooMany]],
};
const refusals = Object.entries(REASONS).flatMap(([code, cases]) =>
  cases.map(([why, refused]) => ({ why, code, refused })),
);

const sub = (wanted: Wanted, envelope: JsonObject = {}): JsonObject =>
  node('s', 'tool', { kind: 'workflow', ...wanted }, envelope);
/** The types of the frames in their order, of nodes with their ids. */
const story = ({ frames }: Played): string[] =>
  frames.map(({ type, node_id }) => (node_id === undefined ? type : `${type} ${String(node_id)}`));

describe('a sub-workflow node that is refused', () => {
  test.each(refusals)('because $why begins, and fails with $code', async ({ code, refused }) => {
    const played = await refused((wanted) => chain(sub(wanted)));
    expect(played.error).toMatchObject({ code, node_id: 's' });
    expect(story(played)).toEqual(['run_started', 'node_started s', 'node_failed s', 'run_failed']);
    const [began, failed] = [played.of('node_started', 's')[0], played.of('node_failed', 's')[0]];
    expect(failed).toMatchObject({ step_id: began?.['step_id'], attempt: 1, handled: false });
    expect(await stepsOf(engine.db, played.accepted.runPk, 's')).toMatchObject([
      { status: 'failed', attempts: [{ attempt: 1, status: 'failed', error: { code } }], child_run_pk: null },
    ]);
  });

  test('because its input is none begins, and fails with invalid_input', async () => {
    const played = await engine.play(
      chain(sub({ workflow_id: await aWorkflow(), input: '{{input.text}}' })),
      {
        text: 'x',
      },
    );
    expect(played.error).toMatchObject({ code: 'invalid_input', node_id: 's' });
    expect(story(played)).toEqual(['run_started', 'node_started s', 'node_failed s', 'run_failed']);
  });

  test('and handles that goes on behind its failure', async () => {
    const handled = sub({ workflow_id: randomUUID() }, { on_error: 'continue' });
    const played = await engine.play(chain(handled, transform('t', { code: '{{s.error.code}}' })));
    expect(played.output).toEqual({ code: 'workflow_not_found' });
    expect(story(played)).toEqual([
      'run_started',
      'node_started s',
      'node_failed s',
      'node_started t',
      'node_completed t',
      'run_completed',
    ]);
  });

  test('for each of its items begins each of them before it fails', async () => {
    const forEach = { items: [1, 2], max_concurrency: 1, on_item_error: 'continue' };
    const played = await engine.play(chain(sub({ workflow_id: randomUUID() }, { for_each: forEach })));
    expect(played.output).toMatchObject({ count: 2, errors: [{ index: 0 }, { index: 1 }] });
    const items = played.frames
      .filter(({ item_index }) => item_index !== undefined)
      .map(({ type, item_index }) => `${type} ${String(item_index)}`);
    expect(items).toEqual(['node_started 0', 'node_failed 0', 'node_started 1', 'node_failed 1']);
  });
});

describe("an agent's call of a sub-workflow that is refused", () => {
  test.each(refusals)(
    'because $why begins, ends with $code, and the agent goes on',
    async ({ code, refused }) => {
      const call = { toolCalls: [{ id: 'c1', name: 'child', arguments: {} }] };
      // Each run of a chain of runs asks, and then ends.
      const turns = Array.from({ length: MAX_CHILD_DEPTH + 1 });
      model.script(...turns.map(() => call), { text: ['Done'] });
      const played = await refused((wanted) =>
        chain(
          node('a', 'agent', {
            provider: 'openai',
            model: 'test-model',
            messages: [{ role: 'user', content: 'Go' }],
            max_tool_calls: 1,
            tools: [{ kind: 'workflow', name: 'child', description: 'Runs it', ...wanted }],
          }),
        ),
      );
      const calls = played.of('tool_call', 'a');
      expect(calls.slice(0, 2)).toMatchObject([
        { name: 'child', phase: 'start', status: 'running' },
        { name: 'child', phase: 'end', status: 'failed' },
      ]);
      const [step] = await stepsOf(engine.db, played.accepted.runPk, 'a');
      expect(step?.tool_calls).toMatchObject([{ name: 'child', error: { code } }]);
    },
  );
});
