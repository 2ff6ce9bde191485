/** A workflow could use a knowledge base that nobody has checked, or one that is in use could be deleted. */
import { expect, test } from 'vitest';
import { listKnowledgeReferences } from '../../src/graph/knowledge-references.ts';

const A = '1b2c3d4e-5f60-4718-8a9b-0c1d2e3f4a5b';
const B = '6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10';

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
  expect(listKnowledgeReferences({ nodes })).toEqual([
    { nodeId: 'k', knowledgeBaseId: A },
    { nodeId: 'bare', knowledgeBaseId: B },
    { nodeId: 'a', knowledgeBaseId: A },
  ]);
  expect(listKnowledgeReferences({ nodes: 'x' })).toEqual([]);
});
