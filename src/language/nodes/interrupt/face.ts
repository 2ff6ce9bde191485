/** The face of the type `interrupt`, and the fields of the parts of its config. */
import { listNamedHandles, readText, type NodeFace } from '../face.ts';
import type { Field } from '../form-field.ts';

const APPROVAL = {
  kind: 'approval',
  title: 'Continue?',
  actions: [
    { id: 'approve', label: 'Approve' },
    { id: 'reject', label: 'Reject' },
  ],
};

export const interruptFace: NodeFace = {
  group: 'people',
  label: 'Ask or wait',
  hint: 'Approval, a form, or a pause',
  color: 'pink',
  icon: 'hand',
  keywords: 'human approval form wait pause question',
  config: APPROVAL,
  presets: [
    {
      key: 'approval',
      label: 'Approval',
      hint: 'A person approves or rejects',
      icon: 'hand',
      keywords: 'human review confirm accept reject ask sign off',
      config: APPROVAL,
    },
    {
      key: 'form',
      label: 'Form',
      hint: 'A person fills in fields',
      icon: 'form',
      keywords: 'human input question ask survey data entry',
      config: {
        kind: 'input',
        title: 'Fill in',
        form: { type: 'object', properties: { text: { type: 'string', title: 'Text' } } },
      },
    },
    {
      key: 'callback',
      label: 'Callback',
      hint: 'Another service continues the run with a request',
      icon: 'clock',
      keywords: 'webhook wait external async notify url',
      config: { kind: 'callback', title: 'Callback' },
    },
    {
      key: 'wait',
      label: 'Wait',
      hint: 'Pause for a time or until a moment',
      icon: 'clock',
      keywords: 'delay sleep pause timer schedule later',
      config: { kind: 'wait', duration_seconds: 60 },
    },
  ],
  fields: [
    { ptr: '/kind', label: 'Type', widget: 'select' },
    { ptr: '/title', label: 'Title', widget: 'template' },
    { ptr: '/message', label: 'Message', widget: 'template' },
    { ptr: '/actions', label: 'Answers', widget: 'actions' },
    { ptr: '/payload', label: 'Data to show', widget: 'pairs', pairs: 'body' },
    { ptr: '/form', label: 'Form', widget: 'schema' },
    {
      ptr: '/assignees/roles',
      label: 'Roles that may answer',
      widget: 'choices',
      options: ['owner', 'admin', 'member'],
    },
    {
      ptr: '/assignees/emails',
      label: 'People who may answer',
      hint: 'Email addresses, one per line. Without roles and people, every member may answer.',
      widget: 'lines',
    },
    { ptr: '/required_responses', label: 'Required answers', widget: 'number' },
    { ptr: '/notify', label: 'Send links to chats', widget: 'chats' },
    { ptr: '/remind_after_seconds', label: 'Remind after (seconds)', widget: 'number' },
    { ptr: '/escalate_to', label: 'Escalate to', hint: 'Email addresses, one per line.', widget: 'lines' },
    { ptr: '/escalate_after_seconds', label: 'Escalate after (seconds)', widget: 'number' },
    {
      ptr: '/timeout_seconds',
      label: 'Timeout (seconds)',
      widget: 'number',
    },
    {
      ptr: '/on_timeout',
      label: 'On timeout',
      widget: 'select',
      labels: { fail: 'Fail the node', branch: 'Go to the timeout branch', default: 'Use a default answer' },
    },
    {
      ptr: '/default_response/action',
      label: 'Default answer',
      widget: 'answer',
      when: [
        { ptr: '/on_timeout', is: ['default'] },
        { ptr: '/kind', is: ['approval'] },
      ],
    },
    {
      ptr: '/default_response/data',
      label: 'Data of the default answer',
      widget: 'pairs',
      pairs: 'body',
      when: [{ ptr: '/on_timeout', is: ['default'] }],
    },
    { ptr: '/duration_seconds', label: 'Duration (seconds)', widget: 'number' },
    { ptr: '/until', label: 'Wait until', widget: 'template' },
  ],
  listHandles: (config) => {
    const actions = readText(config, 'kind') === 'approval' ? listNamedHandles(config, 'actions') : [];
    const timeout = readText(config, 'on_timeout') === 'branch' ? [{ id: 'timeout', label: 'timeout' }] : [];
    return actions.length === 0 ? [{ id: 'default', label: '' }, ...timeout] : [...actions, ...timeout];
  },
  listOutputs: () => ['action', 'data', 'responded_by', 'responded_at', 'timed_out'],
  declaredOutput: { part: 'data', schema: ['form'] },
};

/** The fields of an answer of an approval; its id is the branch, which edges name. */
export const ANSWER: readonly Field[] = [{ ptr: '/label', label: 'Label', widget: 'text' }];

/** One chat that gets a link to a question. */
export const CHAT: readonly Field[] = [
  {
    ptr: '/kind',
    label: 'Chat',
    widget: 'select',
    options: ['slack', 'teams', 'discord'],
    labels: { slack: 'Slack', teams: 'Microsoft Teams', discord: 'Discord' },
  },
  { ptr: '/credential_id', label: 'Credential', widget: 'credential', hint: 'A chat webhook' },
  { ptr: '/url', label: 'Webhook URL', widget: 'template', hint: 'Instead of a credential' },
];
