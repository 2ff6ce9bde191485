/** The route of a run as a case, with its shape. */
import { z } from 'zod';
import { AT, IDS } from '../../../platform/http/docs/example-ids.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import {
  json,
  jsonObject,
  moment,
  refusal,
  savedDefinition,
  uuidParams,
} from '../../../platform/http/wire.ts';
import { writePieces } from '../../../platform/http/write-pieces.ts';
import { writeCase } from './case.ts';
import type { RecordDeps } from './record.ts';
import { runId } from '../../../platform/http/fields.ts';
import {
  nodeId,
  runPk,
  selectedHandle,
  stepStatus,
  threadId,
  visit,
  workflowId,
  workflowName,
} from './fields.ts';

const step = z
  .looseObject({
    node_id: nodeId,
    visit,
    item_index: z.int().meta({ description: 'Index of the item of a mapped node; -1: the node itself' }),
    status: stepStatus,
    handle: selectedHandle,
    taken: z
      .array(z.int())
      .nullable()
      .meta({ description: 'Positions of the out-edges that were taken; null: it has not ended' }),
    output: json.meta({ description: 'The output' }),
    error: jsonObject.nullable().meta({ description: 'The error of a failure; null: none' }),
  })
  .meta({ id: 'RunCaseStep' });

const caseReply = z
  .looseObject({
    case: z.literal(1).meta({ description: 'Version of the format' }),
    workflow: workflowName,
    definition_hash: z
      .string()
      .nullable()
      .meta({ description: 'SHA-256 of the stored definition, in hex; null in a case that was updated' }),
    definition: savedDefinition.meta({ description: 'The stored definition' }),
    run: z
      .looseObject({
        run_id: runId,
        run_pk: runPk,
        thread_id: threadId,
        workflow_id: workflowId,
        workflow_name: workflowName,
        trigger_type: z.string().meta({ description: 'What started the run, such as `api`' }),
        started_at: moment.meta({ description: 'When it was accepted, ISO 8601 UTC' }),
        recursion_limit: z.int().meta({ description: 'The most executions on one path' }),
        redacted_paths: z
          .array(z.string())
          .meta({ description: 'Paths whose values are redacted, those of the run and those of today' }),
      })
      .meta({ description: 'Facts of the run that its templates read' }),
    input: z
      .looseObject({
        workflow: jsonObject
          .nullable()
          .meta({ description: 'The default input of the workflow; null: none' }),
        run: jsonObject.nullable().meta({ description: 'The input of the start; null: none' }),
        merged: jsonObject.meta({ description: 'Both merged: the input of the run' }),
      })
      .meta({ description: 'Its inputs' }),
    steps: z.array(step).meta({ description: 'In the order of their ends' }),
  })
  .meta({ id: 'RunCase' });

const example = {
  case: 1,
  workflow: 'Greeting',
  definition_hash: '6c9a2f0f7d1e4b0c8f3a5d7e9b1c2d4f6a8b0c2d4e6f8a0b1c3d5e7f9a1b3c5d',
  definition: { nodes: [{ id: 'hello', type: 'transformer', config: {} }], edges: [] },
  run: {
    run_id: IDS.run,
    run_pk: IDS.runPk,
    thread_id: IDS.thread,
    workflow_id: IDS.workflow,
    workflow_name: 'Greeting',
    trigger_type: 'api',
    started_at: AT,
    recursion_limit: 100,
    redacted_paths: [],
  },
  input: { workflow: null, run: { name: 'Ada' }, merged: { name: 'Ada' } },
  steps: [
    {
      node_id: 'hello',
      visit: 1,
      item_index: -1,
      status: 'succeeded',
      handle: 'default',
      taken: [0],
      output: 'Hello Ada',
      error: null,
    },
  ],
};

const route = routesFor<RecordDeps>();
export const caseRoutes: readonly Route<RecordDeps>[] = [
  route({
    method: 'GET',
    path: '/workflow-runs/:run_pk/case',
    tag: 'runs',
    operationId: 'getRunCase',
    summary:
      'Retrieve an ended run as a case, which the command line walks without the service: its definition, input, and the end of each execution',
    access: 'organization',
    params: uuidParams('run_pk'),
    example: { replies: { 200: example } },
    replies: { 200: caseReply, 409: refusal },
    handle: ({ deps, scope, params, ctx }) =>
      writePieces(ctx, (signal) => writeCase(deps, scope, { runPk: params.run_pk, signal }), {
        canCompress: true,
      }),
  }),
];
