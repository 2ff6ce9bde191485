/** Wire shapes of evaluations. */
import { z } from 'zod';
import {
  completedAt,
  createdAt,
  createdBy,
  nextCursor,
  owningOrganizationId,
  startedAt,
  uniqueId,
} from '../../../platform/http/fields.ts';
import { cursor, cursors, eitherCursor, integer, limit } from '../../../platform/http/paginate.ts';
import { bodyWarnings } from '../../../platform/http/unknown-fields.ts';
import { json, jsonObject, moment, uuid } from '../../../platform/http/wire.ts';
import { graderList } from './graders.ts';

/** Definitions, repetitions, and trials of one evaluation: guesses that keep it below an hour. */
const MAX_DEFINITIONS = 3;
const MAX_REPETITIONS = 10;
export const MAX_TRIALS = 2_000;
const MAX_CREDITS = 1_000_000;

const VERDICT = z.enum(['passed', 'failed', 'cannot_tell']).meta({
  description:
    '`passed`: all graders pass; `failed`: one does not, or the run fails; `cannot_tell`: see `doubt`',
});

export const newEvaluation = z
  .object({
    set: uuid.meta({ description: 'Id of the saved set, whose cases are evaluated' }),
    definitions: z.array(z.string().min(1).max(255)).min(1).max(MAX_DEFINITIONS).default(['draft']).meta({
      description:
        'Definitions of the workflow of the set: `draft`, `live`, or the id or version of a deployment',
    }),
    trials: z
      .int()
      .min(1)
      .max(MAX_REPETITIONS)
      .default(1)
      .meta({ description: `How often each case is tried; at most ${MAX_TRIALS} trials in all` }),
    graders: graderList,
    max_credits: z.int().min(0).max(MAX_CREDITS).default(0).meta({
      description:
        'Credits that all runs and judges may use together. With 0 recorded cases are rehearsed alone, and managed models are not called',
    }),
  })
  .meta({ id: 'CreateEvaluation' });
export type NewEvaluationBody = z.output<typeof newEvaluation>;

const nullableNumber = z.number().nullable();
const result = z
  .looseObject({
    definition: z
      .union([z.enum(['draft', 'live']), uuid])
      .meta({ description: 'The definition: `draft`, `live`, or the id of a deployment' }),
    definition_hash: z.string().meta({ description: 'SHA-256 of the definition, in hex' }),
    done: z.int().meta({ description: 'Number of trials that are done' }),
    passed: z.int().meta({ description: 'Number of trials that have passed' }),
    failed: z.int().meta({ description: 'Number of trials that have failed' }),
    cannot_tell: z.int().meta({ description: 'Number of trials of which nothing can be told' }),
    pass_rate: nullableNumber.meta({
      description:
        'Share of the trials done that have passed; what cannot be told has not. Null: none is done',
    }),
    interval: z
      .looseObject({
        low: z.number().meta({ description: 'Lower bound, 0 to 1' }),
        high: z.number().meta({ description: 'Upper bound, 0 to 1' }),
      })
      .nullable()
      .meta({
        description:
          "Wilson's score interval of the pass rate at 95 %, by the number of cases: trials of one case are not independent",
      }),
    trial_variance: nullableNumber.meta({
      description: 'Sample variance of the pass rate over the trials; null: fewer than two',
    }),
    credits: z.number().meta({ description: 'Credits that its runs and judges have used' }),
    p50_ms: nullableNumber.meta({
      description: 'Median duration of its runs, in milliseconds; null: none ran',
    }),
    p95_ms: nullableNumber.meta({ description: '95th percentile of the durations of its runs' }),
    marked: z.int().meta({ description: 'Number of judged outputs that people have marked' }),
    judge_agreement: nullableNumber.meta({
      description: 'Share of the marked outputs on which the judging model agrees; null: none is marked',
    }),
  })
  .meta({ id: 'EvaluationResult' });

export const evaluation = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    workflow_id: uuid.meta({ description: 'Id of the workflow' }),
    set_id: uuid.meta({ description: 'Id of the saved set' }),
    graders: z.array(json).meta({ description: 'As they were given' }),
    trials: z.int().meta({ description: 'How often each case is tried' }),
    max_credits: z.number().meta({ description: 'Credits that all runs may use together' }),
    status: z
      .enum(['pending', 'running', 'completed', 'cancelled'])
      .meta({ description: 'A cancelled one keeps what it has found' }),
    total: z.int().meta({ description: 'Number of its trials' }),
    done: z.int().meta({ description: 'Number of trials that are done' }),
    created_by: createdBy,
    created_at: createdAt,
    started_at: startedAt,
    completed_at: completedAt,
    expires_at: moment.meta({ description: 'When it is deleted, ISO 8601 UTC' }),
    warnings: bodyWarnings,
  })
  .meta({ id: 'Evaluation' });
export const evaluationWithResults = evaluation
  .extend({
    results: z
      .array(result)
      .meta({ description: 'One for each definition, in the order in which they were given' }),
  })
  .meta({ id: 'EvaluationWithResults' });

export const evaluationQuery = z.object({
  workflow_id: uuid.optional().meta({ description: 'Only evaluations of this workflow' }),
  set_id: uuid.optional().meta({ description: 'Only evaluations of this set' }),
  limit: limit(50),
  cursor,
});
export const evaluationList = z
  .looseObject({
    evaluations: z.array(evaluation).meta({ description: 'Evaluations, newest first' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'EvaluationList' });

const grade = z
  .looseObject({
    grader: z.int().meta({ description: 'Index of the grader' }),
    passed: z.boolean().nullable().meta({ description: 'Null: it cannot tell' }),
    score: nullableNumber.meta({ description: 'Score of the judging model, from 0 to 1; null for others' }),
    reason: z.string().nullable().meta({ description: 'Why, for people; null: there is nothing to say' }),
  })
  .meta({ id: 'Grade' });

export const trial = z
  .looseObject({
    number: z.int().meta({ description: 'Number of the trial in the evaluation, from 0' }),
    case_id: uuid.meta({ description: 'Id of the case' }),
    name: z.string().nullable().meta({ description: 'Name of the case; null: it was removed' }),
    run_pk: uuid
      .nullable()
      .meta({ description: 'History id of the recorded run of the case; null: it has none' }),
    input: jsonObject.nullable().meta({ description: 'Input of the case; null: that of its run' }),
    expected: json.meta({ description: 'Expected output of the case; null: none of its own' }),
    definition: z.int().meta({ description: 'Index of the definition in `results`' }),
    trial: z.int().meta({ description: 'Number of the repetition, from 1' }),
    status: z.enum(['pending', 'running', 'judging', 'done']).meta({ description: 'Progress of the trial' }),
    verdict: VERDICT.nullable().meta({
      description: 'Whether the trial has passed; null: it is not done',
    }),
    doubt: z.string().nullable().meta({
      description:
        'Why nothing can be told: `asks_people`, `case_removed`, `invalid_input`, `judge_failed`, `not_admitted`, `not_graded`, `out_of_credits`, `run_cancelled`, `run_deleted`, or as of a rehearsal; null: it tells',
    }),
    grades: z.array(grade).meta({ description: 'What the graders say; none where the run has failed' }),
    output: json.meta({ description: 'Output of the run; null: none, or larger than 16 KiB' }),
    error: jsonObject.nullable().meta({ description: 'Why the run or the trial has failed' }),
    credits: z.number().meta({ description: 'Credits that were used' }),
    duration_ms: z
      .int()
      .nullable()
      .meta({ description: 'Duration of the run in milliseconds; null: none ran' }),
    mark: z.boolean().nullable().meta({ description: 'What a person says of the output; null: nobody has' }),
    warnings: bodyWarnings,
  })
  .meta({ id: 'EvaluationTrial' });
export const trialQuery = z.object({
  verdict: VERDICT.optional().meta({ description: 'Only trials with this verdict' }),
  limit: limit(50),
  cursor: eitherCursor,
});
export const trialList = z
  .looseObject({
    trials: z.array(trial).meta({ description: 'Trials of a case beside each other, by definition' }),
    ...cursors,
  })
  .meta({ id: 'EvaluationTrialPage' });

export const markParams = z.object({
  evaluation_id: uuid.meta({ description: 'Id of the evaluation' }),
  number: integer(0, MAX_TRIALS).meta({ description: 'Number of the trial' }),
});
export const markBody = z
  .object({
    mark: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the output is good; null takes the mark away' }),
  })
  .meta({ id: 'EvaluationMark' });
