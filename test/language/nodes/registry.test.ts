/** A kind of node would be offered that cannot be checked, described or run. */
import { describe, expect, test } from 'vitest';
import { validate } from '../../../src/language/graph/checks/validate.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { findFace, NODE_TYPES, type NodeType } from '../../../src/language/nodes/faces.ts';
import { getKind, kindRules, nodeKinds } from '../../../src/language/nodes/registry.ts';
import { runNode, type Fakes } from './support/node-call.ts';

/** What the author of a new node has to choose. */
const CHOICES: Partial<Record<NodeType, JsonObject>> = {
  knowledge: { knowledge_base_ids: ['6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10'] },
};
/** Run turn by turn by the engine: not by one call of `run`. */
const BY_TURNS: readonly NodeType[] = ['agent'];

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const roots = { input: { text: 'hi' } };
const fakes: Fakes = {
  roots,
  http: () => Promise.resolve({ status: 200, headers: {}, text: 'ok' }),
  model: () => Promise.resolve({ content: 'a', reasoning: null, model: 'm', finishReason: 'stop', usage }),
  sandbox: () => Promise.resolve({ value: 1, logs: [] }),
  knowledge: () => Promise.resolve([{ content: 'found' }]),
};

test('every node type has exactly one kind', () => {
  expect(nodeKinds.map(({ type }) => type).toSorted()).toEqual([...NODE_TYPES].toSorted());
});

describe.each(NODE_TYPES)('%s', (type) => {
  const sample = { ...findFace(type)!.config, ...CHOICES[type] };
  test('refuses an empty config, and names the wrong field', () => {
    const problems = kindRules.problems(type, {});
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems)
      expect(problem).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), path: expect.any(Array) });
  });
  test.each([
    [{ nonsense: 1 }],
    [{ mode: 7, kind: [], checks: 'x', cases: {}, messages: null, code: 1, url: {} }],
  ])('never throws on a config of wrong types: %j', (config) => {
    expect(kindRules.problems(type, config).length).toBeGreaterThan(0);
  });
  test('keeps reading a config with keys that it does not know', () => {
    expect(kindRules.problems(type, { ...sample, canvas_color: 'red' })).toEqual([]);
  });
  test('has a usable policy', () => {
    const policy = kindRules.policy(type, sample);
    expect(policy.timeoutMs).toBeGreaterThan(0);
    expect(policy.maxAttempts).toBeGreaterThanOrEqual(1);
    // What is folded runs in a short local activity, again after every crash.
    if (policy.placement === 'fold')
      expect(policy).toMatchObject({ effect: 'pure', timeoutMs: 5_000, maxAttempts: 1 });
    if (policy.effect === 'at_most_once') expect(policy.maxAttempts).toBe(1);
    expect(policy.handles).not.toContain('error');
  });
  const runsAtOnce = !BY_TURNS.includes(type);
  test.runIf(runsAtOnce)(
    'answers with one of the four outcomes, in JSON, by a handle of its policy',
    async () => {
      const result = await runNode(getKind(type), sample, fakes);
      expect(['completed', 'interrupted', 'waiting', 'child']).toContain(result.outcome);
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      const handle = result.outcome === 'completed' ? result.handle : undefined;
      if (handle !== undefined) expect(kindRules.policy(type, sample).handles).toContain(handle);
    },
  );
  test.runIf(runsAtOnce)('passes its abort signal to everything that it calls', async () => {
    const signal = AbortSignal.abort();
    const seen: AbortSignal[] = [];
    await runNode(getKind(type), sample, {
      roots,
      signal,
      http: (request) => (seen.push(request.signal), Promise.resolve({ status: 200, headers: {}, text: '' })),
      model: (request) => (
        seen.push(request.signal),
        Promise.resolve({ content: '', reasoning: null, model: '', finishReason: 'stop', usage })
      ),
      sandbox: (job) => (seen.push(job.signal), Promise.resolve({ value: 1, logs: [] })),
      knowledge: (request) => (seen.push(request.signal), Promise.resolve([])),
    });
    expect(seen.every((given) => given === signal)).toBe(true);
    if (kindRules.policy(type, sample).placement === 'activity') expect(seen).toHaveLength(1);
  });
});

test.each<[string, JsonObject, string | null]>([
  ['a POST', { kind: 'http', method: 'POST', url: 'https://api.example.com' }, 'may have had its effect'],
  [
    'a POST that is idempotent',
    { kind: 'http', method: 'POST', url: 'https://api.example.com', idempotent: true },
    null,
  ],
  [
    'a POST with retry_when',
    { kind: 'http', method: 'POST', url: 'https://api.example.com', retry_when: [] },
    null,
  ],
  ['a GET', { kind: 'http', url: 'https://api.example.com' }, null],
  [
    'a sub-workflow',
    { kind: 'workflow', workflow_id: '1b2c3d4e-5f60-4718-8a9b-0c1d2e3f4a5b' },
    'not run again',
  ],
  ['a transformer', { mode: 'map', fields: {} }, 'no failure that may pass'],
])('max_attempts of %s is a warning where it cannot apply', (_, config, reason) => {
  const type = 'kind' in config ? 'tool' : 'transformer';
  const nodes = (attempts: number): JsonObject => ({
    nodes: [{ id: 'n', type, config, retry: { max_attempts: attempts } }],
    edges: [{ source: '__start__', target: 'n' }],
  });
  const problems = validate(nodes(3), kindRules);
  const found = problems.find(({ code }) => code === 'retry_without_effect');
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (reason === null) expect(found).toBeUndefined();
  else
    expect(found).toMatchObject({ severity: 'warning', message: expect.stringContaining(reason) as string });
  expect(validate(nodes(1), kindRules).map(({ code }) => code)).not.toContain('retry_without_effect');
});

test.each([
  [120, undefined, false],
  [121, undefined, true],
  [30, 30_000, false],
  [31, 30_000, true],
  ['{{response.data.wait}}', 1_000, false],
])('retry_after %s beside timeout_ms %s', (after, timeoutMs, isShortened) => {
  const config = { kind: 'http', url: 'https://api.example.com', retry_after: after };
  const problems = validate(
    {
      nodes: [
        { id: 'n', type: 'tool', config, ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }) },
      ],
      edges: [{ source: '__start__', target: 'n' }],
    },
    kindRules,
  );
  expect(problems.filter(({ message }) => message.includes('retry_after is shortened to'))).toHaveLength(
    isShortened ? 1 : 0,
  );
});
