/** Shapes of rehearsals on the wire. */
import { z } from 'zod';
import { VERDICTS } from '../../../engine/runs/rehearse/compare-walks.ts';
import {
  completedAt,
  createdAt,
  createdBy,
  owningOrganizationId,
  startedAt,
  uniqueId,
} from '../../../platform/http/fields.ts';
import { cursors, eitherCursor, limit } from '../../../platform/http/paginate.ts';
import { bodyWarnings } from '../../../platform/http/unknown-fields.ts';
import { anyMoment, json, moment, uuid } from '../../../platform/http/wire.ts';

/** Runs of one rehearsal. */
const MAX_RUNS = 500;
const DEFAULT_RUNS = 200;

const verdict = z.enum(VERDICTS).meta({
  description:
    'What the definition would have done: `same`: the same way, effects and output; `other_output`; `branches`: another edge is taken; `new_effect`: something is sent of which nothing is recorded; `sends_other`: another request that changes something; `fails`, where the run did not; `cannot_tell`: see `doubt`',
});
const source = z.union([z.enum(['draft', 'live']), uuid]).meta({
  description:
    'The definition, as it was when the rehearsal was requested: the draft, the live deployment, or that of the deployment with this id',
});

const runSelection = z.object({
  last: z
    .int()
    .min(1)
    .max(MAX_RUNS)
    .default(DEFAULT_RUNS)
    .meta({ description: 'Number of the newest of these runs to walk; without effect beside `run_pks`' }),
  status: z
    .enum(['succeeded', 'completed', 'failed'])
    .optional()
    .meta({ description: 'Only runs in this status; `completed` is an alias of `succeeded`' }),
  from: anyMoment.optional().meta({ description: 'Only runs created at this time or later' }),
  to: anyMoment.optional().meta({ description: 'Only runs created before this time' }),
  deployment_id: uuid
    .optional()
    .meta({ description: 'Only runs of this deployment: another definition is compared with this version' }),
  run_pks: z.array(uuid).min(1).max(MAX_RUNS).optional().meta({
    description: 'Only these runs, by their history ids; those that may not be walked are left out',
  }),
  set: uuid.optional().meta({
    description: 'Only the recorded runs of this saved set of the workflow; `run_pks` takes precedence',
  }),
});
export type RunSelection = z.output<typeof runSelection>;

export const newRehearsal = z
  .object({
    definition: z.string().min(1).max(255).default('draft').meta({
      description:
        'The definition that the runs are walked in: `draft`, `live`, or the id or version of a deployment',
    }),
    runs: runSelection.default({ last: DEFAULT_RUNS }).meta({
      description:
        'The recorded runs: the newest of the workflow that have ended, private and ephemeral ones left out. Filters look at its newest 10,000',
    }),
  })
  .meta({ id: 'CreateRehearsal' });

export const rehearsal = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    workflow_id: uuid.meta({ description: 'Id of the workflow' }),
    definition: source,
    definition_hash: z.string().meta({ description: 'SHA-256 of the definition, in hex' }),
    status: z
      .enum(['pending', 'running', 'completed', 'cancelled'])
      .meta({ description: 'A cancelled one keeps what it has found' }),
    total: z.int().meta({ description: 'Number of its runs' }),
    walked: z.int().meta({ description: 'Number of runs that are walked' }),
    counts: z.record(z.string(), z.int()).meta({ description: 'Number of runs by verdict' }),
    created_by: createdBy,
    created_at: createdAt,
    started_at: startedAt,
    completed_at: completedAt,
    expires_at: moment.meta({ description: 'When it is deleted, ISO 8601 UTC' }),
    warnings: bodyWarnings,
  })
  .meta({ id: 'Rehearsal' });

const difference = z
  .looseObject({
    kind: z.enum(['sends', 'asks', 'new_effect', 'reads', 'answer', 'fails', 'branches', 'output']).meta({
      description:
        '`sends`: another request that changes something; `asks`: another search, prompt or reading request; `new_effect`: nothing of the kind is recorded; `reads`: the answer of the same request is read in another way; `answer`: the answer of a person does not fit any more; `fails`; `branches`: another handle is selected; `output`: of the run',
    }),
    node_id: z.string().nullable().meta({ description: 'Id of the node; null for the run itself' }),
    visit: z.int().meta({ description: 'Number of the execution of the node, from 1; 0 for the run itself' }),
    item_index: z.int().meta({ description: 'Index of the item of a mapped node; -1: none' }),
    before: json.meta({
      description: 'The request, handle, error or output of the run; null: none, or too large',
    }),
    after: json.meta({ description: 'The same in the rehearsal' }),
    places: z.array(z.string()).meta({ description: 'JSON pointers of what differs, at most 20' }),
  })
  .meta({ id: 'RehearsalDifference' });

const firstChange = z
  .looseObject({
    node_id: z.string().meta({ description: 'Id of the node' }),
    visit: z.int().meta({ description: 'Number of the execution of the node' }),
    before: json.meta({ description: 'Its output in the run; null: none, or too large' }),
    after: json.meta({ description: 'The same in the rehearsal' }),
    places: z.array(z.string()).meta({ description: 'JSON pointers of what differs in its output' }),
  })
  .nullable()
  .meta({ description: 'The first node, in the order of the walk, whose output is another one; null: none' });

const found = {
  run_pk: uuid.meta({ description: 'History id of the run' }),
  verdict,
  doubt: z.string().nullable().meta({
    description:
      'Why the record does not tell: `not_reproduced`, `not_ended`, `asks_other`, `reads_other`, `answer_not_accepted`, `values_deleted`, `definition_not_kept`, `too_large`, `too_long` or `not_walked`; null: it tells',
  }),
  group: z.string().meta({ description: 'Runs with the same differences have the same group' }),
  differences: z.array(difference).meta({ description: 'In the order of the walk, at most 50' }),
  first_change: firstChange,
};

export const rehearsalWithGroups = rehearsal
  .extend({
    groups: z
      .array(
        z
          .looseObject({ ...found, runs: z.int().meta({ description: 'Number of runs in the group' }) })
          .meta({ id: 'RehearsalGroup' }),
      )
      .meta({
        description:
          'Runs with the same differences, the largest group first, at most 100; each with one of its runs',
      }),
  })
  .meta({ id: 'RehearsalWithGroups' });
export const rehearsalList = z
  .looseObject({ rehearsals: z.array(rehearsal).meta({ description: 'The 50 newest, newest first' }) })
  .meta({ id: 'RehearsalList' });
export const runQuery = z.object({
  verdict: z.enum(VERDICTS).optional().meta({ description: 'Only runs with this verdict' }),
  group: z.string().min(1).max(64).optional().meta({ description: 'Only runs of this group' }),
  limit: limit(50),
  cursor: eitherCursor,
});
export const rehearsedRuns = z
  .looseObject({
    runs: z
      .array(
        z
          .looseObject({
            ...found,
            created_at: moment.meta({ description: 'When the run was started, ISO 8601 UTC' }),
          })
          .meta({ id: 'RehearsedRun' }),
      )
      .meta({ description: 'The runs, newest first' }),
    ...cursors,
  })
  .meta({ id: 'RehearsedRunPage' });
