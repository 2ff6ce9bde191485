/** The fields of forms for what calls a model. */
import { when, type Field } from './form-field.ts';

export const PROVIDER: Field = {
  ptr: '/provider',
  label: 'Provider',
  widget: 'suggest',
  suggestions: 'providers',
  hint: 'openai',
};
export const MODEL_NAME: Field = {
  ptr: '/model',
  label: 'Model',
  widget: 'suggest',
  suggestions: 'models',
  hint: 'gpt-4.1-mini',
};
export const CREDENTIAL: Field = {
  ptr: '/credential_id',
  label: 'Credential',
  widget: 'credential',
  hint: 'Managed model',
};

/** The model and its prompt. */
export const PROMPT: readonly Field[] = [
  PROVIDER,
  MODEL_NAME,
  CREDENTIAL,
  { ptr: '/messages', label: 'Messages', widget: 'messages' },
];

/** How the model answers, and what it remembers. */
export const ANSWERING: readonly Field[] = [
  { ptr: '/parameters/temperature', label: 'Temperature', widget: 'number' },
  { ptr: '/parameters/max_output_tokens', label: 'Max. output tokens', widget: 'number' },
  {
    ptr: '/parameters/reasoning_effort',
    label: 'Reasoning effort',
    widget: 'text',
    hint: 'Default of the model',
  },
  {
    ptr: '/response_format/type',
    label: 'Response format',
    widget: 'select',
    fallback: 'text',
    labels: { json_object: 'JSON', json_schema: 'JSON with these fields' },
  },
  {
    ptr: '/response_format/schema',
    label: 'Fields of the response',
    widget: 'schema',
    ...when('/response_format/type', 'json_schema'),
  },
  {
    ptr: '/response_format/strict',
    label: 'Enforce the fields',
    widget: 'switch',
    ...when('/response_format/type', 'json_schema'),
  },
  {
    ptr: '/memory/mode',
    label: 'Memory',
    widget: 'select',
    labels: { none: 'None', thread: 'All messages of the thread', window: 'Latest messages of the thread' },
  },
  {
    ptr: '/memory/max_messages',
    label: 'Max. remembered messages',
    widget: 'number',
    ...when('/memory/mode', 'window'),
  },
  { ptr: '/stream', label: 'Stream output', widget: 'switch' },
];

/** The settings of a new model node: it sends the text of the input. */
export const NEW_PROMPT = {
  provider: 'openai',
  model: 'gpt-4.1-mini',
  messages: [{ role: 'user', content: '{{input.text}}' }],
};
