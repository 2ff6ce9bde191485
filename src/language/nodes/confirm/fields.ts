/** The fields of an approval before a request leaves, in the form of its node. */
import type { Field } from '../form-field.ts';

export const CONFIRM: readonly Field[] = [
  { ptr: '/confirm/message', label: 'Message to the people', widget: 'template' },
  {
    ptr: '/confirm/assignees/roles',
    label: 'Roles that may approve',
    widget: 'choices',
    options: ['owner', 'admin', 'member'],
  },
  {
    ptr: '/confirm/assignees/emails',
    label: 'People who may approve',
    hint: 'Email addresses, one per line; each gets a link. Without roles and people, every member may approve.',
    widget: 'lines',
  },
  { ptr: '/confirm/required_responses', label: 'Required approvals', widget: 'number' },
  { ptr: '/confirm/notify', label: 'Send links for approval to chats', widget: 'chats' },
  {
    ptr: '/confirm/timeout_seconds',
    label: 'Time to approve (seconds)',
    description: 'After it the node fails, and nothing is sent.',
    hint: 'No limit',
    widget: 'number',
  },
  {
    ptr: '/confirm/editable',
    label: 'Values that people may change',
    hint: 'Paths, one per line, such as body.amount.',
    widget: 'lines',
  },
];
