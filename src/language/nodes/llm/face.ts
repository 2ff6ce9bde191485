/** The face of the type `llm`. */
import type { NodeFace } from '../face.ts';
import { ANSWERING, NEW_PROMPT, PROMPT } from '../model-fields.ts';

export const llmFace: NodeFace = {
  group: 'models',
  label: 'LLM',
  hint: 'Call a model once',
  color: 'violet',
  icon: 'sparkles',
  keywords: 'ai gpt chatgpt claude model prompt openai anthropic generate text summarize translate classify',
  config: NEW_PROMPT,
  canConfirm: true,
  fields: [...PROMPT, ...ANSWERING],
  listOutputs: () => ['content', 'data', 'usage'],
  declaredOutput: { part: 'data', schema: ['response_format', 'schema'] },
};
