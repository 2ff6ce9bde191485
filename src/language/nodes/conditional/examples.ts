/** Examples of nodes of the type `conditional`. */
import type { JsonObject } from '../../graph/values/value.ts';
import { MODEL } from '../example-values.ts';

export const CONDITIONAL_EXAMPLES: readonly JsonObject[] = [
  {
    id: 'route',
    type: 'conditional',
    config: {
      mode: 'rules',
      cases: [{ id: 'urgent', rules: [{ left: '{{classify.data.score}}', op: 'gte', right: 0.8 }] }],
      default: 'else',
    },
  },
  {
    id: 'choose',
    type: 'conditional',
    config: {
      mode: 'llm',
      ...MODEL,
      input: '{{input.text}}',
      cases: [{ id: 'refund', description: 'Wants money back' }],
    },
  },
];
