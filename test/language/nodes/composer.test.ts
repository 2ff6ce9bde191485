/** The Composer would misread a model's answer, or give up on one that can be repaired. */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { composer } from '../../../src/language/nodes/composer.ts';
import { kindRules, systemRules } from '../../../src/language/nodes/registry.ts';
import type { Composition, CompositionOutcome } from '../../../src/language/nodes/tools.ts';
import { runNode } from './support/node-call.ts';

const definition = { nodes: [], edges: [] };
const config = {
  answer: '{{answer}}',
  workflow_id: '{{about.workflow_id}}',
  edit_version: '{{about.edit_version}}',
  definition: '{{about.definition}}',
  round: '{{round}}',
  rounds: 3,
};
const about: JsonObject = { workflow_id: 'w', edit_version: 4, definition };

/** Runs the node over an answer; what it wanted saved. */
async function composed(
  answer: Json,
  roots: JsonObject = {},
  outcome: CompositionOutcome = { kind: 'saved', workflowId: 'w', editVersion: 5 },
) {
  const saved: Composition[] = [];
  const compose = (composition: Composition): Promise<CompositionOutcome> => {
    saved.push(composition);
    return Promise.resolve(outcome);
  };
  const result = await runNode(composer, config, { roots: { answer, about, round: 0, ...roots }, compose });
  if (result.outcome !== 'completed') throw new Error(result.outcome);
  return { handle: result.handle, output: result.output as JsonObject, saved };
}
const text = (value: unknown): string => JSON.stringify(value);

describe('an answer', () => {
  test.each([
    ['as asked for', text({ summary: 'Done', workflow_schema: definition }), 'Done'],
    ['in a fence', '```json\n' + text({ summary: 'Done', workflow_schema: definition }) + '\n```', 'Done'],
    [
      'in a fence among others',
      '```no language\n```' +
        '\n'.repeat(100_000) +
        '```json\n' +
        text({ summary: 'Done', workflow_schema: definition }) +
        '```',
      'Done',
    ],
    ['in words', `Here: ${text({ summary: 'Done', workflow_schema: definition })} Enjoy!`, 'Done'],
    ['that is the definition alone', text(definition), 'Saved'],
  ])('%s is saved', async (_, answer, content) => {
    const { handle, output, saved } = await composed(answer);
    expect(handle).toBe('done');
    expect(output).toEqual({ saved: true, content, workflow_id: 'w', edit_version: 5 });
    expect(saved).toMatchObject([{ stepId: 's1', definition, base: { workflowId: 'w', editVersion: 4 } }]);
  });

  test('without a workflow is a message alone', async () => {
    const { handle, output, saved } = await composed(text({ summary: 'Which one?', workflow_schema: null }));
    expect([handle, output['saved'], output['content'], saved]).toEqual(['done', false, 'Which one?', []]);
  });

  test.each([
    ['', 'not a JSON object'],
    ['[1]', 'not a JSON object'],
    ['{"summary":"x","workflow_schema":', 'not a JSON object'],
    [text({ workflow_schema: 5 }), 'workflow_schema must be an object'],
    [text({ workflow_schema: null }), 'workflow_schema must be an object'],
    ['{"workflow_schema":{"__proto__":{}}}', '__proto__'],
    ['{"workflow_schema":{"nodes":[{"__proto__":{}}]}}', '__proto__'],
    [text({ workflow_schema: { nodes: ['\0'] } }), 'NUL'],
    [text({ workflow_schema: { nodes: ['\ud800'] } }), 'halves of characters'],
    [`{"workflow_schema":${'['.repeat(100)}${']'.repeat(100)}}`, 'nested deeper'],
  ])('%j goes back with the problem: %s', async (answer, problem) => {
    const { handle, output, saved } = await composed(answer);
    expect(handle).toBe('again');
    expect(output['feedback']).toContain(problem);
    expect(saved).toEqual([]);
  });

  test('that the rules refuse goes back with all that they say', async () => {
    const refused = { kind: 'invalid', problems: ['one', 'two'] } as const;
    const { handle, output } = await composed(text({ workflow_schema: definition }), {}, refused);
    expect(handle).toBe('again');
    expect(output).toMatchObject({ saved: false, problems: ['one', 'two'] });
    expect(output['feedback']).toContain('- one\n- two');
  });

  test('of the last round is the end', async () => {
    const last = composed('no', { round: 2 });
    await expect(last).rejects.toMatchObject({ code: 'composition_invalid', retryable: false });
  });
});

test('a new workflow has no base', async () => {
  const none = { workflow_id: null, edit_version: null, definition: null };
  const { saved } = await composed(text({ workflow_schema: definition }), { about: none });
  expect(saved[0]?.base).toBeNull();
});

test('only the service itself has the node', () => {
  expect([kindRules.has('composer'), systemRules.has('composer')]).toEqual([false, true]);
});
