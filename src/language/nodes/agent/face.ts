/** The face of the type `agent`. */
import type { NodeFace } from '../face.ts';
import { ANSWERING, NEW_PROMPT, PROMPT } from '../model-fields.ts';

export const agentFace: NodeFace = {
  group: 'models',
  label: 'Agent',
  hint: 'A model that uses tools',
  color: 'grape',
  icon: 'bot',
  keywords: 'ai assistant tools autonomous chatbot',
  config: { ...NEW_PROMPT, tools: [] },
  fields: [
    ...PROMPT,
    { ptr: '/tools', label: 'Tools', widget: 'tools' },
    { ptr: '/max_iterations', label: 'Max. turns', widget: 'number' },
    { ptr: '/max_tool_calls', label: 'Max. tool calls', widget: 'number' },
    { ptr: '/parallel_tool_calls', label: 'Call tools in parallel', widget: 'switch' },
    ...ANSWERING,
  ],
  listOutputs: () => ['content', 'data', 'tool_calls', 'usage'],
  declaredOutput: { part: 'data', schema: ['response_format', 'schema'] },
};
