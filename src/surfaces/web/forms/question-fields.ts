/** The fields of a node that asks people or waits. */
import type { Field } from './fields.ts';

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

export const INTERRUPT: readonly Field[] = [
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
];
