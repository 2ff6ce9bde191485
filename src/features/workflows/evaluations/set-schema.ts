/** Wire shapes of saved sets and their cases. */
import { z } from 'zod';
import {
  createdAt,
  createdBy,
  nextCursor,
  owningOrganizationId,
  uniqueId,
  updatedAt,
} from '../../../platform/http/fields.ts';
import { cursor, limit } from '../../../platform/http/paginate.ts';
import { bodyWarnings } from '../../../platform/http/unknown-fields.ts';
import { json, jsonObject, uuid } from '../../../platform/http/wire.ts';

/** Cases of one request. */
const MAX_ADDED = 200;

const name = z.string().min(1).max(255).meta({ description: 'Name of the set; no other one has it' });
const description = z.string().max(10_000).meta({ description: 'Its purpose, for people' });
const workflowId = uuid.meta({ description: 'Id of the workflow' });

export const newSet = z
  .object({ name, description: description.default(''), workflow_id: workflowId })
  .meta({ id: 'CreateEvaluationSet' });
export const setChange = z
  .object({ name: name.optional(), description: description.optional() })
  .meta({ id: 'EvaluationSetChange' });
export const setQuery = z.object({
  workflow_id: uuid.optional().meta({ description: 'Only sets of this workflow' }),
  name: z.string().max(255).optional().meta({ description: 'Only the set with this name' }),
  limit: limit(50),
  cursor,
});

export const evaluationSet = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    workflow_id: workflowId,
    name,
    description,
    case_count: z.int().meta({ description: 'Number of its cases' }),
    bytes: z.int().meta({ description: 'Size of its inputs and expected outputs as JSON, in bytes' }),
    created_by: createdBy,
    created_at: createdAt,
    updated_at: updatedAt,
    warnings: bodyWarnings,
  })
  .meta({ id: 'EvaluationSet' });
export const setList = z
  .looseObject({
    sets: z.array(evaluationSet).meta({ description: 'Sets of the organization, newest first' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'EvaluationSetList' });

const caseFields = {
  name: z.string().max(255).meta({ description: 'Name of the case, for people' }),
  run_pk: uuid.nullable().meta({
    description:
      'History id of a recorded run, by its first segment; null: the case has an `input`. A case goes with its run',
  }),
  input: jsonObject.nullable().meta({ description: 'Input of a run; null: that of the recorded run' }),
  expected: json.meta({
    description: 'Expected output; null: none, or for a recorded run the output of its record',
  }),
};
const newCase = z
  .object({
    name: caseFields.name.default(''),
    run_pk: caseFields.run_pk.optional(),
    input: caseFields.input.optional(),
    expected: caseFields.expected.optional(),
  })
  .superRefine(({ run_pk: runPk, input }, ctx) => {
    if ((runPk ?? null) !== null && (input ?? null) === null) return;
    if ((runPk ?? null) === null && (input ?? null) !== null) return;
    ctx.addIssue({
      code: 'custom',
      path: ['input'],
      message: 'A case has either a run_pk or an input',
      params: { type: 'case_invalid' },
    });
  })
  .meta({ id: 'CreateEvaluationCase' });
export type NewCase = z.output<typeof newCase>;

export const newCases = z
  .object({
    cases: z.array(newCase).min(1).max(MAX_ADDED).meta({
      description: 'Cases, each with a recorded run or an input. Runs that the set has stay as they are',
    }),
  })
  .meta({ id: 'CreateEvaluationCases' });
export const addedCases = z
  .looseObject({
    added: z.int().meta({ description: 'Number of new cases' }),
    known: z.int().meta({ description: 'Number of runs that the set already had' }),
    case_count: z.int().meta({ description: 'Number of all its cases' }),
    warnings: bodyWarnings,
  })
  .meta({ id: 'AddedEvaluationCases' });

export const caseQuery = z.object({ limit: limit(50), cursor });
const evaluationCase = z
  .looseObject({ id: uniqueId, ...caseFields, created_by: createdBy, created_at: createdAt })
  .meta({ id: 'EvaluationCase' });
export const caseList = z
  .looseObject({
    cases: z.array(evaluationCase).meta({ description: 'Cases in the order in which they were added' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'EvaluationCaseList' });
