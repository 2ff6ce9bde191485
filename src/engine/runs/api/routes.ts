/** The routes of runs: start, resume, cancel, follow, rerun, and the history. */
import { readIdempotencyKey } from '../../../platform/http/idempotency-key.ts';
import { nodeParams, refusal, success, uuidParams } from '../../../platform/http/wire.ts';
import { writePieces } from '../../../platform/http/write-pieces.ts';
import { writeRecord, writeRecordByRunId, writeStepRecord, type RecordDeps } from './record.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { requirePastRun, requireRun, requireWorkflow } from '../ledger/read/require-objects.ts';
import { cancelByRunId, type CancelDeps } from '../accept/cancel.ts';
import { followRun, type FollowDeps } from '../stream/follow.ts';
import { frames } from './frames/frame-schema.ts';
import { recordQuery } from './outline-schema.ts';
import { historyQuery, historyReply } from './history-schema.ts';
import { interruptList, interruptQuery } from './question-schema.ts';
import { deleteRun } from './delete-run.ts';
import { getDefinition, listHistory, writeInterrupts, type HistoryDeps } from './history.ts';
import { comparisonReply, definitionReply, rerunBody, rerunReply, testNodeBody } from './rerun-schema.ts';
import { compareRuns } from '../rerun/compare.ts';
import { testNode } from '../rerun/test-node.ts';
import { rerun, type RerunDeps } from '../rerun/rerun.ts';
import { resumeRun, type AnswerDeps } from '../accept/resume.ts';
import {
  cancelBody,
  cancelReply,
  listenQuery,
  recordedReply,
  resumeBody,
  resumeReply,
  runStartReply,
  batchBody,
  batchReply,
  startedReply,
  waitingStartBody,
} from './schema.ts';
import { recordReply, stepReply } from './record-schema.ts';
import { MAX_KEY_LENGTH, type StartDeps } from '../accept/start.ts';
import { startAndWait, type StartAndWaitDeps } from './start-and-wait.ts';
import { startBatch } from '../accept/start-batch.ts';

/** The dependencies of these routes. */
export type RunsApiDeps = StartDeps &
  StartAndWaitDeps &
  AnswerDeps &
  CancelDeps &
  FollowDeps &
  HistoryDeps &
  RecordDeps &
  RerunDeps;
const route = routesFor<RunsApiDeps>();

const idempotencyKey = {
  'Idempotency-Key': {
    description:
      'Requests with the same key and body within 24 hours start one run and return the same response.',
    minLength: 1,
    maxLength: MAX_KEY_LENGTH,
  },
};

export const runRoutes: readonly Route<RunsApiDeps>[] = [
  route({
    method: 'POST',
    path: '/workflows/run',
    tag: 'runs',
    operationId: 'startRun',
    summary: 'Run the live deployment of a workflow, or an inline definition',
    access: 'organization',
    isGated: true,
    headers: {
      ...idempotencyKey,
      Prefer:
        '`wait=30` waits up to 30 seconds for the result (RFC 7240), as `wait` does in the body, which wins.',
    },
    body: waitingStartBody,
    replies: {
      200: startedReply,
      202: runStartReply,
      404: refusal,
      409: refusal,
      410: refusal,
      503: refusal,
    },
    handle: ({ deps, scope, body: { wait, ...body }, ctx }) =>
      startAndWait(deps, scope, { body, idempotencyKey: readIdempotencyKey(ctx), wait, ctx }),
  }),
  route({
    method: 'POST',
    path: '/workflows/run/batch',
    tag: 'runs',
    operationId: 'startRunBatch',
    summary: 'Run the live deployment of a workflow once for each of up to 1,000 inputs',
    access: 'organization',
    isGated: true,
    headers: idempotencyKey,
    body: batchBody,
    replies: { 200: batchReply, 404: refusal, 409: refusal, 503: refusal },
    handle: async ({ deps, scope, body, ctx }) => ({
      status: 200,
      body: await startBatch(deps, scope, { body, idempotencyKey: readIdempotencyKey(ctx) }),
    }),
  }),
  route({
    method: 'GET',
    path: '/workflows/listen/:run_id',
    tag: 'runs',
    operationId: 'listenToRun',
    summary: 'Stream the events of a run',
    access: 'organization',
    params: uuidParams('run_id'),
    headers: {
      'Last-Event-ID':
        'The `seq` of the last event that was seen; the stream goes on after it. Non-numeric values are ignored; `after_seq` takes precedence.',
    },
    query: listenQuery,
    replies: { 200: { events: frames }, 204: 'empty' },
    handle: ({ deps, scope, params, query, ctx }) =>
      followRun(deps, scope, { ctx, runId: params.run_id, afterSeq: query.after_seq }),
  }),
  route({
    method: 'POST',
    path: '/workflows/resume/:run_id',
    tag: 'runs',
    operationId: 'resumeRun',
    summary: 'Answer the questions of an interrupted run',
    access: 'organization',
    isGated: true,
    params: uuidParams('run_id'),
    body: resumeBody,
    find: ({ deps, scope, params }) => requireRun(deps.db, scope, params.run_id),
    replies: { 200: resumeReply, 202: recordedReply, 409: refusal, 410: refusal },
    handle: async ({ deps, scope, params, body }) => {
      const reply = await resumeRun(deps, scope, { runId: params.run_id, body });
      return { status: reply['status'] === 'interrupted' ? 202 : 200, body: reply };
    },
  }),
  route({
    method: 'POST',
    path: '/workflows/cancel/:run_id',
    tag: 'runs',
    operationId: 'cancelRun',
    isRepeatable: true,
    summary: 'Cancel a run',
    access: 'organization',
    params: uuidParams('run_id'),
    body: cancelBody,
    find: ({ deps, scope, params }) => requireRun(deps.db, scope, params.run_id),
    bodyOptional: true,
    replies: { 200: cancelReply },
    handle: async ({ deps, scope, params, body }) => ({
      status: 200,
      body: await cancelByRunId(deps, scope, { runId: params.run_id, reason: body.reason ?? null }),
    }),
  }),
  route({
    method: 'GET',
    path: '/workflow-runs',
    tag: 'runs',
    operationId: 'listRuns',
    summary: 'List the runs in the history, newest first',
    access: 'organization',
    query: historyQuery,
    replies: { 200: historyReply },
    handle: async ({ deps, scope, query }) => ({ status: 200, body: await listHistory(deps, scope, query) }),
  }),
  route({
    method: 'GET',
    path: '/interrupts',
    tag: 'runs',
    operationId: 'listInterrupts',
    summary: 'List the open questions of the organization, newest first',
    access: 'organization',
    query: interruptQuery,
    replies: { 200: interruptList },
    handle: ({ deps, scope, query, ctx }) =>
      writePieces(ctx, (signal) => writeInterrupts(deps, scope, { query, signal })),
  }),
  route({
    method: 'GET',
    path: '/workflow-runs/:run_pk',
    tag: 'runs',
    operationId: 'getRun',
    summary: 'Retrieve the record of a run by its id in the history',
    access: 'organization',
    params: uuidParams('run_pk'),
    query: recordQuery,
    replies: { 200: recordReply },
    handle: ({ deps, scope, params, query: { max_steps: maxSteps }, ctx }) =>
      writePieces(ctx, (signal) => writeRecord(deps, scope, { runPk: params.run_pk, maxSteps, signal }), {
        // Outlines of many steps are alike, and a page reads them again and again while the run goes on.
        canCompress: maxSteps !== undefined,
      }),
  }),
  route({
    method: 'DELETE',
    path: '/workflow-runs/:run_pk',
    tag: 'runs',
    operationId: 'deleteRun',
    summary: 'Delete an ended run, with its segments, its sub-workflows, and their messages',
    access: 'organization',
    params: uuidParams('run_pk'),
    replies: { 200: success, 409: refusal },
    async handle({ deps, scope, params }) {
      await deleteRun(deps, scope, params.run_pk);
      return { status: 200, body: { success: true, message: 'Run deleted' } };
    },
  }),
  route({
    method: 'GET',
    path: '/workflows/runs/:run_id',
    tag: 'runs',
    operationId: 'getRunByRunId',
    summary: 'Retrieve the record of a run by the `run_id` of its start or resume',
    access: 'organization',
    params: uuidParams('run_id'),
    replies: { 200: recordReply },
    handle: ({ deps, scope, params, ctx }) =>
      writePieces(ctx, (signal) => writeRecordByRunId(deps, scope, { runId: params.run_id, signal })),
  }),
  route({
    method: 'GET',
    path: '/workflow-runs/:run_pk/definition',
    tag: 'runs',
    operationId: 'getRunDefinition',
    summary: 'Retrieve the definition of a run',
    access: 'organization',
    params: uuidParams('run_pk'),
    replies: { 200: definitionReply },
    handle: async ({ deps, scope, params }) => ({
      status: 200,
      body: await getDefinition(deps, scope, params.run_pk),
    }),
  }),
  route({
    method: 'GET',
    path: '/workflow-runs/:run_pk/compare/:other_run_pk',
    tag: 'runs',
    operationId: 'compareRuns',
    summary: 'Compare two runs node by node',
    access: 'organization',
    params: uuidParams('run_pk', 'other_run_pk'),
    replies: { 200: comparisonReply },
    handle: async ({ deps, scope, params }) => ({
      status: 200,
      body: await compareRuns(deps, scope, [params.run_pk, params.other_run_pk]),
    }),
  }),
  route({
    method: 'POST',
    path: '/workflows/:workflow_id/nodes/:node_id/test',
    tag: 'runs',
    operationId: 'testNode',
    summary: 'Run a single node of the draft, as a private run',
    access: 'organization',
    isGated: true,
    params: nodeParams,
    headers: idempotencyKey,
    body: testNodeBody,
    find: ({ deps, scope, params }) => requireWorkflow(deps.db, scope, params.workflow_id),
    bodyOptional: true,
    replies: { 200: runStartReply, 409: refusal, 503: refusal },
    handle: async ({ deps, scope, params, body, ctx }) => ({
      status: 200,
      body: await testNode(deps, scope, {
        workflowId: params.workflow_id,
        nodeId: params.node_id,
        body,
        idempotencyKey: readIdempotencyKey(ctx),
      }),
    }),
  }),
  route({
    method: 'POST',
    path: '/workflow-runs/:run_pk/rerun',
    tag: 'runs',
    operationId: 'rerunRun',
    summary: 'Rerun a run from any of its nodes, reusing the outputs of the others',
    access: 'organization',
    isGated: true,
    params: uuidParams('run_pk'),
    headers: idempotencyKey,
    body: rerunBody,
    find: ({ deps, scope, params }) => requirePastRun(deps.db, scope, params.run_pk),
    bodyOptional: true,
    replies: { 200: rerunReply, 409: refusal, 503: refusal },
    handle: async ({ deps, scope, params, body, ctx }) => ({
      status: 200,
      body: await rerun(deps, scope, { runPk: params.run_pk, body, idempotencyKey: readIdempotencyKey(ctx) }),
    }),
  }),
  route({
    method: 'GET',
    path: '/workflow-runs/:run_pk/steps/:step_id',
    tag: 'runs',
    operationId: 'getRunStep',
    summary: 'Retrieve a step with its full input and output',
    access: 'organization',
    params: uuidParams('run_pk', 'step_id'),
    replies: { 200: stepReply },
    handle: ({ deps, scope, params, ctx }) =>
      writePieces(ctx, (signal) =>
        writeStepRecord(deps, scope, { runPk: params.run_pk, stepId: params.step_id, signal }),
      ),
  }),
];
