/** A workflow could refer to a workflow, credential or knowledge base that nobody has checked. */
import { expect, test } from 'vitest';
import { listReferences, listReferencesTo } from '../../../src/language/graph/template/references.ts';

const A = '1b2c3d4e-5f60-4718-8a9b-0c1d2e3f4a5b';
const B = '6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10';

const placesOf = (nodes: unknown): unknown[] =>
  listReferences({ nodes } as never).map(({ kind, id, nodeId, path }) => [kind, id, nodeId, path.join('/')]);

test('workflows are found in tools and in tools of agents, with their places, and nowhere else', () => {
  const agent = { tools: [{ kind: 'http' }, { kind: 'workflow', workflow_id: B, credential_id: A }] };
  const nodes = [
    { id: 'call', type: 'tool', config: { kind: 'workflow', workflow_id: A.toUpperCase() } },
    { id: 'bare', type: 'tool', kind: 'workflow', workflow_id: B },
    { id: 'agent', type: 'agent', config: agent },
    { id: 'data', type: 'tool', config: { kind: 'http', workflow_id: A, body: { workflow_id: B } } },
    { id: 'map', type: 'transformer', config: { kind: 'workflow', workflow_id: A } },
    { id: 'check', type: 'guardrails', config: { checks: [{ kind: 'workflow', workflow_id: A }] } },
    { id: 'odd', type: 'tool', config: { kind: 'workflow', workflow_id: 7 } },
    null,
  ];
  expect(placesOf(nodes)).toEqual([
    ['workflow', A, 'call', 'nodes/0/config/workflow_id'],
    ['workflow', B, 'bare', 'nodes/1/workflow_id'],
    ['credential', A, 'agent', 'nodes/2/config/tools/1/credential_id'],
    ['workflow', B, 'agent', 'nodes/2/config/tools/1/workflow_id'],
  ]);
});

test('credentials and knowledge bases have their places, too', () => {
  const nodes = [
    { id: 'ask', type: 'llm', config: { credential_id: A } },
    { id: 'look', type: 'knowledge', config: { knowledge_base_ids: [A, 7, B] } },
  ];
  expect(placesOf(nodes)).toEqual([
    ['credential', A, 'ask', 'nodes/0/config/credential_id'],
    ['knowledge_base', A, 'look', 'nodes/1/config/knowledge_base_ids/0'],
    ['knowledge_base', B, 'look', 'nodes/1/config/knowledge_base_ids/2'],
  ]);
  expect(placesOf('x')).toEqual([]);
});

test('bases are found in knowledge nodes and in tools of agents, and nowhere else', () => {
  const nodes = [
    { id: 'k', type: 'knowledge', config: { knowledge_base_ids: [A.toUpperCase(), 7] } },
    { id: 'bare', type: 'knowledge', knowledge_base_ids: [B] },
    {
      id: 'a',
      type: 'agent',
      config: {
        tools: [
          { kind: 'knowledge', knowledge_base_ids: [A] },
          { kind: 'http', body: { knowledge_base_ids: [B] } },
          'x',
        ],
      },
    },
    { id: 't', type: 'tool', config: { knowledge_base_ids: [A], body: { knowledge_base_ids: [B] } } },
    null,
  ];
  expect(listReferencesTo('knowledge_base', { nodes }).map(({ nodeId, id }) => ({ nodeId, id }))).toEqual([
    { nodeId: 'k', id: A },
    { nodeId: 'bare', id: B },
    { nodeId: 'a', id: A },
  ]);
  expect(listReferencesTo('knowledge_base', { nodes: 'x' })).toEqual([]);
});
