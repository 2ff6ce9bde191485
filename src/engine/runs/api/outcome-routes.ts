/** Routes of unknown outcomes: the list of those that wait for a decision, and the decision. */
import { invalid, notFound } from '../../../base/errors.ts';
import type { Scope } from '../../../platform/access/caller.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { readCreation, readCursorPage } from '../../../platform/http/cursor-page.ts';
import { routesFor, type Route, type RowExamples } from '../../../platform/http/route.ts';
import { AT, IDS } from '../../../platform/http/docs/example-ids.ts';
import { refusal, uuidParams } from '../../../platform/http/wire.ts';
import { readUnknownOutcomes, type UnknownOutcome } from '../ledger/questions/settled-outcomes.ts';
import { toReader } from '../ledger/read/run-reads.ts';
import type { StartDeps } from '../accept/start.ts';
import { findSentRequest } from '../ledger/read/sent-request.ts';
import { lookForEffect } from '../rerun/look.ts';
import { requireFailedStep, settleOutcome } from '../rerun/settle-outcome.ts';
import { started } from './examples.ts';
import { lookStarted, outcomePage, outcomeQuery, settledOutcome, settlement } from './outcome-schema.ts';

const route = routesFor<StartDeps>();
const common = { tag: 'runs', access: 'organization' } as const;

const present = (row: UnknownOutcome): object => ({ ...row, created_at: row.created_at.toISOString() });

/** @throws ApiError 404 */
async function requireSentRequest({ db }: StartDeps, scope: Scope, stepId: string): Promise<void> {
  if ((await findSentRequest(db, toReader(scope), stepId)) === null) throw notFound('Unknown outcome');
}

export const outcomeRoutes: readonly Route<StartDeps>[] = [
  route({
    ...common,
    method: 'GET',
    path: '/unknown-outcomes',
    operationId: 'listUnknownOutcomes',
    summary:
      'List the requests of failed runs of which nobody knows whether they had their effect, newest first',
    query: outcomeQuery,
    replies: { 200: outcomePage },
    async handle({ deps, scope, query }) {
      const reader = toReader(scope);
      const { rows, nextCursor, previousCursor } = await readCursorPage(deps.config.auth, query, {
        name: `unknown-outcomes/${reader.organizationId}/${reader.userId}`,
        read: (page) => readUnknownOutcomes(deps.db, reader, { page, runPk: query.run_pk ?? null }),
        readPosition: readCreation,
      });
      const cursors = { next_cursor: nextCursor, previous_cursor: previousCursor };
      return { status: 200, body: { outcomes: rows.map(present), ...cursors } };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/unknown-outcomes/:step_id/settle',
    operationId: 'settleUnknownOutcome',
    summary: 'Decide on an unknown outcome of a failed run: once, for the rerun that goes on from it',
    params: uuidParams('step_id'),
    body: settlement,
    find: ({ deps, scope, params }) => requireFailedStep(deps.db, scope, params.step_id),
    replies: { 200: settledOutcome, 409: refusal, 410: refusal },
    async handle({ deps, scope, params, body: { action, output } }) {
      if (action === 'happened' && output === undefined)
        throw invalid([{ loc: ['body', 'output'], msg: 'Field required', type: 'missing' }]);
      const given = action === 'happened' ? (output as JsonObject) : null;
      const settled = await settleOutcome(deps, scope, { stepId: params.step_id, action, output: given });
      return { status: 200, body: settled };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/unknown-outcomes/:step_id/look',
    operationId: 'lookForUnknownEffect',
    summary:
      'Look whether a request had its effect: a private run that reads with the same credential, and settles nothing',
    isGated: true,
    params: uuidParams('step_id'),
    find: ({ deps, scope, params }) => requireSentRequest(deps, scope, params.step_id),
    replies: { 200: lookStarted, 409: refusal, 503: refusal },
    handle: async ({ deps, scope, params }) => ({
      status: 200,
      body: await lookForEffect(deps, scope, params.step_id),
    }),
  }),
];

export const OUTCOME_EXAMPLES: RowExamples = {
  'GET /unknown-outcomes': {
    replies: {
      200: {
        outcomes: [
          {
            id: IDS.event,
            step_id: IDS.step,
            created_at: AT,
            door: 'http',
            target: { method: 'POST', host: 'hooks.example.com' },
            host: 'hooks.example.com',
            credential_id: IDS.credential,
            error_message: 'The request was sent, but its outcome is unknown',
            run_pk: IDS.runPk,
            run_id: IDS.run,
            workflow_id: IDS.workflow,
            workflow_name: 'Greeting',
            node_id: 'send',
            node_name: 'Send the greeting',
          },
        ],
        next_cursor: null,
        previous_cursor: null,
      },
    },
  },
  'POST /unknown-outcomes/:step_id/settle': {
    request: { action: 'happened', output: { data: { id: 41 } } },
    replies: {
      200: {
        step_id: IDS.step,
        run_pk: IDS.runPk,
        node_id: 'send',
        action: 'happened',
        settled_by: IDS.user,
        settled_at: AT,
        unsettled: 0,
      },
    },
  },
  'POST /unknown-outcomes/:step_id/look': {
    replies: {
      200: {
        ...started,
        workflow_source: 'request',
        about: 'Issues with this title that were opened since the request was sent.',
      },
    },
  },
};
