/** The face of the type `conditional`: a handle for each case, and one for the others. */
import { listNamedHandles, readText, type NodeFace } from '../face.ts';
import { CREDENTIAL, MODEL_NAME, PROVIDER } from '../model-fields.ts';

export const conditionalFace: NodeFace = {
  group: 'flow',
  label: 'Condition',
  hint: 'Choose a path by rules or by a model',
  color: 'orange',
  icon: 'split',
  keywords: 'if else switch branch router route decision filter case',
  config: {
    mode: 'rules',
    cases: [{ id: 'yes', match: 'all', rules: [{ left: '{{input.text}}', op: 'exists' }] }],
    default: 'else',
  },
  fields: [
    { ptr: '/mode', label: 'Decided by', widget: 'select' },
    { ptr: '/cases', label: 'Cases', widget: 'cases' },
    PROVIDER,
    MODEL_NAME,
    CREDENTIAL,
    { ptr: '/input', label: 'Input', widget: 'template' },
    { ptr: '/default', label: 'Default', widget: 'text' },
  ],
  listHandles: (config) => {
    const otherwise = readText(config, 'default', 'else');
    return [...listNamedHandles(config, 'cases'), { id: otherwise, label: otherwise }];
  },
  listOutputs: () => ['selected', 'matched'],
};
