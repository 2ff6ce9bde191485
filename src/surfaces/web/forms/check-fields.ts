/** The fields of one check of guardrails. */
import type { Field } from './fields.ts';

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
