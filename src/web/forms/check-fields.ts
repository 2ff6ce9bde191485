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
    label: 'What is looked for',
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
    label: 'Words and phrases, one in a line',
    widget: 'lines',
    ...when('type', 'keywords'),
  },
  {
    ptr: '/case_sensitive',
    label: 'Capitals matter',
    widget: 'switch',
    fallback: false,
    ...when('type', 'keywords'),
  },
  { ptr: '/pattern', label: 'Regular expression', widget: 'text', ...when('type', 'regex') },
  {
    ptr: '/expect',
    label: 'The text should',
    widget: 'select',
    options: ['no_match', 'match'],
    fallback: 'no_match',
    ...when('type', 'regex'),
  },
  {
    ptr: '/allowed_hosts',
    label: 'Hosts that are allowed, one in a line',
    widget: 'lines',
    ...when('type', 'urls'),
  },
  {
    ptr: '/allowed_schemes',
    label: 'Schemes that are allowed, one in a line',
    widget: 'lines',
    hint: 'https and http, unless you name others',
    ...when('type', 'urls'),
  },
  {
    ptr: '/allow_subdomains',
    label: 'And their subdomains',
    widget: 'switch',
    fallback: true,
    ...when('type', 'urls'),
  },
  { ptr: '/schema', label: 'JSON Schema', widget: 'json', ...when('type', 'json_schema') },
  { ptr: '/max', label: 'Most characters', widget: 'number', ...when('type', 'max_length') },
  {
    ptr: '/categories',
    label: 'Categories, one in a line',
    widget: 'lines',
    hint: 'The usual ones, unless you name others',
    ...when('type', 'moderation'),
  },
  { ptr: '/topics', label: 'Topics, one in a line', widget: 'lines', ...when('type', 'topic') },
  { ptr: '/knowledge_base_ids', label: 'Knowledge bases', widget: 'bases', ...when('type', 'grounding') },
  { ptr: '/top_k', label: 'Most results', widget: 'number', hint: '5', ...when('type', 'grounding') },
  { ptr: '/instructions', label: 'What the model judges', widget: 'text', ...when('type', 'custom') },
  {
    ptr: '/threshold',
    label: 'Threshold, 0 to 1',
    widget: 'number',
    hint: '0.7',
    ...when('type', ...JUDGES),
  },
  {
    ptr: '/action',
    label: 'Then',
    widget: 'select',
    options: ['block', 'mask', 'flag'],
    fallback: 'block',
    ...when('type', ...FINDS),
  },
  {
    ptr: '/action',
    label: 'Then',
    widget: 'select',
    options: ['block', 'flag'],
    fallback: 'block',
    ...when('type', ...MEASURES, ...JUDGES),
  },
];
