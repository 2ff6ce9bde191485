/** Examples of nodes of the type `guardrails`. */
import type { JsonObject } from '../../graph/values/value.ts';

export const GUARDRAILS_EXAMPLES: readonly JsonObject[] = [
  {
    id: 'screen',
    type: 'guardrails',
    config: {
      input: '{{input.text}}',
      checks: [
        { type: 'pii', entities: ['EMAIL'], action: 'mask' },
        { type: 'max_length', max: 10_000, action: 'block' },
      ],
    },
  },
];
