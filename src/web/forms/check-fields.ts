/** The fields of one check of guardrails. */
import { when, type Field } from './fields.ts';

const PII = ['EMAIL', 'PHONE', 'CREDIT_CARD', 'SSN', 'IBAN', 'IP_ADDRESS'];
/** Checks that find places in the text, which can be masked. */
const FINDS = ['pii', 'secret_keys', 'keywords', 'regex', 'urls'];
/** Checks that a model makes. */
const JUDGES = ['moderation', 'jailbreak', 'topic', 'grounding', 'custom'];
const MEASURES = ['json_schema', 'max_length'];

export const CHECK: readonly Field[] = [
  {
    ptr: '/type',
    label: 'Check for',
    widget: 'select',
    options: [...FINDS, ...MEASURES, ...JUDGES],
  },
  {
    ptr: '/entities',
    label: 'Personal data',
    widget: 'choices',
    options: PII,
    fallback: PII,
    ...when('type', 'pii'),
  },
  {
    ptr: '/keywords',
    label: 'Words and phrases (one per line)',
    widget: 'lines',
    ...when('type', 'keywords'),
  },
  {
    ptr: '/case_sensitive',
    label: 'Match case',
    widget: 'switch',
    fallback: false,
    ...when('type', 'keywords'),
  },
  { ptr: '/pattern', label: 'Regular expression', widget: 'text', ...when('type', 'regex') },
  {
    ptr: '/expect',
    label: 'The text must',
    widget: 'select',
    options: ['no_match', 'match'],
    fallback: 'no_match',
    ...when('type', 'regex'),
  },
  {
    ptr: '/allowed_hosts',
    label: 'Allowed hosts (one per line)',
    widget: 'lines',
    ...when('type', 'urls'),
  },
  {
    ptr: '/allowed_schemes',
    label: 'Allowed URL schemes (one per line)',
    widget: 'lines',
    hint: 'Default: https and http',
    ...when('type', 'urls'),
  },
  {
    ptr: '/allow_subdomains',
    label: 'Include subdomains',
    widget: 'switch',
    fallback: true,
    ...when('type', 'urls'),
  },
  { ptr: '/schema', label: 'JSON Schema', widget: 'json', ...when('type', 'json_schema') },
  { ptr: '/max', label: 'Max. characters', widget: 'number', ...when('type', 'max_length') },
  {
    ptr: '/categories',
    label: 'Categories (one per line)',
    widget: 'lines',
    hint: 'Default: all categories',
    ...when('type', 'moderation'),
  },
  { ptr: '/topics', label: 'Topics (one per line)', widget: 'lines', ...when('type', 'topic') },
  { ptr: '/knowledge_base_ids', label: 'Knowledge bases', widget: 'bases', ...when('type', 'grounding') },
  { ptr: '/top_k', label: 'Max. results', widget: 'number', hint: '5', ...when('type', 'grounding') },
  { ptr: '/instructions', label: 'Instructions for the model', widget: 'text', ...when('type', 'custom') },
  {
    ptr: '/threshold',
    label: 'Threshold (0 to 1)',
    widget: 'number',
    hint: '0.7',
    ...when('type', ...JUDGES),
  },
  {
    ptr: '/action',
    label: 'Action',
    widget: 'select',
    options: ['block', 'mask', 'flag'],
    fallback: 'block',
    ...when('type', ...FINDS),
  },
  {
    ptr: '/action',
    label: 'Action',
    widget: 'select',
    options: ['block', 'flag'],
    fallback: 'block',
    ...when('type', ...MEASURES, ...JUDGES),
  },
];
