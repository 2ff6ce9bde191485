/**
 * The starter workflow of a new account (SPEC API-jwt, seeded defaults). It answers a text in a few steps, each of another
 * node type, and needs only `input.text`.
 */
import type { Sql } from '../../base/db/client.ts';
import type { AccountOwner } from '../../platform/access/provision.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { deployWorkflow } from './deployments/service.ts';
import { buildNewFields } from './service.ts';
import { insertWorkflow } from './store.ts';

const NAME = 'Starter workflow';
const DESCRIPTION = 'Masks personal data in a text, answers it, and files the answer by its length.';
/** Answers of more words than this are filed as long. */
const LONG_WORDS = 40;

/** Builds a node from its id, type and name, its position on the canvas, and its configuration. */
const node = (
  [id, type, name]: readonly [id: string, type: string, name: string],
  [x, y]: readonly [x: number, y: number],
  config: JsonObject,
): JsonObject => ({ id, type, name, position: { x, y }, config });

const edge = (source: string, target: string, handle?: string): JsonObject => ({
  id: `${source}-${handle ?? 'default'}-${target}`,
  source,
  target,
  ...(handle === undefined ? {} : { source_handle: handle }),
});

/** Builds an `llm` node for the managed model, or a `function` node when there is none. */
function answerNode(model: string | null): JsonObject {
  const place = [800, 160] as const;
  if (model === null) {
    return node(['answer', 'function', 'Answer'], place, {
      language: 'javascript',
      code: 'export default ({ text }) => ({ content: `You wrote: ${text}` })',
      arguments: { text: '{{screen.text}}' },
    });
  }
  return node(['answer', 'llm', 'Answer'], place, {
    provider: 'openai',
    model,
    credential_id: null,
    messages: [
      { role: 'system', content: 'You answer in two or three friendly sentences.' },
      { role: 'user', content: '{{screen.text}}' },
    ],
    parameters: { max_output_tokens: 300 },
    stream: true,
  });
}

const reply = (length: 'long' | 'short', name: string, y: number): JsonObject =>
  node([`${length}_reply`, 'transformer', name], [1_760, y], {
    mode: 'map',
    fields: {
      reply: '{{answer.content}}',
      length,
      words: '{{measure.words}}',
      masked: '{{screen.violations | length}}',
    },
  });

/** @param model name of the managed model, or null when the deployment has none */
export function starterDefinition(model: string | null): JsonObject {
  return {
    metadata: { name: NAME, description: DESCRIPTION, version: '1.0.0', tags: ['starter'] },
    config: {},
    state_schema: { fields: {} },
    nodes: [
      node(['prepare', 'transformer', 'Prepare'], [160, 160], {
        mode: 'map',
        fields: { text: '{{input.text}}' },
      }),
      node(['screen', 'guardrails', 'Mask personal data'], [480, 160], {
        input: '{{prepare.text}}',
        checks: [{ type: 'pii', entities: ['EMAIL', 'PHONE'], action: 'mask' }],
        on_check_error: 'fail',
      }),
      answerNode(model),
      node(['measure', 'function', 'Count words'], [1_120, 160], {
        language: 'javascript',
        code: 'export default ({ text }) => ({ words: text.split(/\\s+/).filter(Boolean).length })',
        arguments: { text: '{{answer.content}}' },
      }),
      node(['sort', 'conditional', 'Long or short?'], [1_440, 160], {
        mode: 'rules',
        cases: [
          {
            id: 'long',
            label: 'Long',
            match: 'all',
            rules: [{ left: '{{measure.words}}', op: 'gt', right: LONG_WORDS }],
          },
        ],
        default: 'else',
      }),
      reply('long', 'Long reply', 60),
      reply('short', 'Short reply', 260),
    ],
    edges: [
      edge('__start__', 'prepare'),
      edge('prepare', 'screen'),
      edge('screen', 'answer', 'pass'),
      edge('answer', 'measure'),
      edge('measure', 'sort'),
      edge('sort', 'long_reply', 'long'),
      edge('sort', 'short_reply', 'else'),
      edge('long_reply', '__end__'),
      edge('short_reply', '__end__'),
    ],
    entry_point: '__start__',
    input_parameters: [{ name: 'text', type: 'string', required: true, description: 'What to answer' }],
    start_position: { x: 0, y: 160 },
  };
}

/**
 * Gives an organization its starter workflow with a live deployment, inside the caller's transaction.
 * @param model name of the managed model, or null when the deployment has none
 */
export async function seedStarter(tx: Sql, owner: AccountOwner, model: string | null): Promise<void> {
  const fields = buildNewFields({
    workflow_schema: starterDefinition(model),
    status: 'active',
    input: {
      text: 'Hello! I am new here, you can reach me at newcomer@example.com. What can a workflow do?',
    },
  });
  const workflow = await insertWorkflow(tx, owner, fields);
  await deployWorkflow(tx, workflow, { userId: owner.userId, note: 'Deployed with the account' });
}
