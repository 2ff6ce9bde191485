/** The fields of an agent's tool. */
import type { Field } from '../form-field.ts';
import { FILTERS } from '../search-fields.ts';
import { toolFace } from '../tool/face.ts';

/** The fields of a tool node that an agent's tool has too: the agent waits for what it calls, and has switches of its own. */
const SHARED: readonly Field[] = toolFace.fields.filter(
  ({ ptr }) => !['/kind', '/parameters', '/wait', '/idempotent'].includes(ptr),
);

export const AGENT_TOOL: readonly Field[] = [
  { ptr: '/kind', label: 'Type', widget: 'select' },
  { ptr: '/name', label: 'Name', widget: 'text' },
  { ptr: '/description', label: 'Description', widget: 'text' },
  ...SHARED,
  {
    ptr: '/parameters',
    label: 'Parameters',
    widget: 'inputs',
    description: 'The model fills in what you leave empty.',
    when: [{ ptr: '/kind', is: ['integration'] }],
  },
  { ptr: '/knowledge_base_ids', label: 'Knowledge bases', widget: 'bases' },
  { ptr: '/top_k', label: 'Max. results', widget: 'number' },
  FILTERS,
  { ptr: '/approval', label: 'Requires approval', widget: 'select', fallback: 'never' },
];
