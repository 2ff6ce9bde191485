/** The face of the type `function`. */
import type { NodeFace } from '../face.ts';

export const functionFace: NodeFace = {
  group: 'actions',
  label: 'Function',
  hint: 'JavaScript in a sandbox',
  color: 'yellow',
  icon: 'code',
  keywords: 'code javascript js script custom program',
  config: {
    code: 'export default ({ text }) => ({ text });',
    arguments: { text: '{{input.text}}' },
  },
  fields: [
    { ptr: '/code', label: 'Code', widget: 'code' },
    { ptr: '/arguments', label: 'Arguments', widget: 'pairs', pairs: 'arguments' },
    { ptr: '/output_schema', label: 'Fields of the output', widget: 'schema' },
    { ptr: '/limits/timeout_ms', label: 'Timeout (ms)', widget: 'number' },
    { ptr: '/limits/memory_mb', label: 'Memory limit (MB)', widget: 'number' },
  ],
  declaredOutput: { part: '', schema: ['output_schema'] },
};
