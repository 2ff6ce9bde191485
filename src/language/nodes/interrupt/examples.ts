/** Examples of nodes of the type `interrupt`. */
import type { JsonObject } from '../../graph/values/value.ts';

export const INTERRUPT_EXAMPLES: readonly JsonObject[] = [
  {
    id: 'approve',
    type: 'interrupt',
    config: {
      kind: 'approval',
      title: 'Refund {{input.amount}}?',
      actions: [
        { id: 'approve', label: 'Approve' },
        { id: 'reject', label: 'Reject' },
      ],
      timeout_seconds: 259_200,
      on_timeout: 'branch',
    },
  },
  {
    id: 'address',
    type: 'interrupt',
    config: {
      kind: 'input',
      title: 'Where to?',
      form: { type: 'object', required: ['street'], properties: { street: { type: 'string' } } },
    },
  },
  { id: 'paid', type: 'interrupt', config: { kind: 'callback', title: 'Payment', timeout_seconds: 3_600 } },
  { id: 'later', type: 'interrupt', config: { kind: 'wait', duration_seconds: 3_600 } },
];
