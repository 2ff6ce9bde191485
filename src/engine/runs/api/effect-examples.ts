/** OpenAPI examples of the ledger of effects. */
import type { RowExamples } from '../../../platform/http/route.ts';
import { AT, IDS } from '../../../platform/http/docs/example-ids.ts';

const EFFECT = {
  id: IDS.event,
  created_at: AT,
  door: 'http',
  target: { method: 'POST', host: 'hooks.example.com' },
  host: 'hooks.example.com',
  effect: 'at_most_once',
  credential_id: IDS.credential,
  outcome: 'done',
  error_code: null,
  digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  approved_by_interrupt_id: null,
  run_pk: IDS.runPk,
  run_id: IDS.run,
  workflow_id: IDS.workflow,
  workflow_name: 'Greeting',
  created_by: IDS.user,
  step_id: IDS.step,
  node_id: 'send',
  node_name: 'Send the greeting',
  attempt: 1,
};

export const EFFECT_EXAMPLES: RowExamples = {
  'GET /effects': { replies: { 200: { effects: [EFFECT], next_cursor: null, previous_cursor: null } } },
  'GET /effects/export': { replies: { 200: `${JSON.stringify(EFFECT)}\n` } },
};
