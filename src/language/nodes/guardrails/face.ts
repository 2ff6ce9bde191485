/** The face of the type `guardrails`, and the fields of one of its checks. */
import type { NodeFace } from '../face.ts';
import type { Field } from '../form-field.ts';
import { CREDENTIAL, MODEL_NAME, PROVIDER } from '../model-fields.ts';

export const guardrailsFace: NodeFace = {
  group: 'data',
  label: 'Guardrails',
  hint: 'Check text before it is used',
  color: 'red',
  icon: 'shield',
  keywords: 'moderation pii safety filter mask validate check',
  config: {
    input: '{{input.text}}',
    checks: [{ type: 'pii', entities: ['EMAIL'], action: 'mask' }],
  },
  fields: [
    { ptr: '/input', label: 'Input', widget: 'template' },
    { ptr: '/checks', label: 'Checks', widget: 'checks' },
    { ptr: '/context', label: 'Context', widget: 'template' },
    { ...PROVIDER, label: 'Judge provider' },
    { ...MODEL_NAME, label: 'Judge model' },
    CREDENTIAL,
  ],
  listHandles: () => ['pass', 'fail'].map((id) => ({ id, label: id })),
  listOutputs: () => ['passed', 'text', 'violations'],
};

export const CHECK: readonly Field[] = [
  {
    ptr: '/type',
    label: 'Check for',
    widget: 'select',
  },
  {
    ptr: '/entities',
    label: 'Personal data',
    widget: 'choices',
  },
  {
    ptr: '/keywords',
    label: 'Words and phrases (one per line)',
    widget: 'lines',
  },
  {
    ptr: '/case_sensitive',
    label: 'Match case',
    widget: 'switch',
  },
  { ptr: '/pattern', label: 'Regular expression', widget: 'text' },
  {
    ptr: '/expect',
    label: 'The text must',
    widget: 'select',
  },
  {
    ptr: '/allowed_hosts',
    label: 'Allowed hosts (one per line)',
    widget: 'lines',
  },
  {
    ptr: '/allowed_schemes',
    label: 'Allowed URL schemes (one per line)',
    widget: 'lines',
    hint: 'Default: https and http',
  },
  {
    ptr: '/allow_subdomains',
    label: 'Include subdomains',
    widget: 'switch',
  },
  { ptr: '/schema', label: 'JSON Schema', widget: 'json' },
  { ptr: '/max', label: 'Max. characters', widget: 'number' },
  {
    ptr: '/categories',
    label: 'Categories (one per line)',
    widget: 'lines',
    hint: 'Default: all categories',
  },
  { ptr: '/topics', label: 'Topics (one per line)', widget: 'lines' },
  { ptr: '/knowledge_base_ids', label: 'Knowledge bases', widget: 'bases' },
  { ptr: '/top_k', label: 'Max. results', widget: 'number' },
  { ptr: '/instructions', label: 'Instructions for the model', widget: 'text' },
  {
    ptr: '/threshold',
    label: 'Threshold (0 to 1)',
    widget: 'number',
  },
  {
    ptr: '/action',
    label: 'Action',
    widget: 'select',
  },
];
