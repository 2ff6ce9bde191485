/** A webhook or a schedule that the definition of a workflow names: how it is shown, and what people may do with it. */
import { z } from 'zod';
import { conflict } from '../../base/errors.ts';

/** The trigger that a webhook or a schedule is. */
export const shownTrigger = z
  .looseObject({
    id: z.string().meta({ description: 'Id of the trigger: its key in `config.triggers` of the definition' }),
    is_live: z.boolean().meta({
      description:
        'Whether the live version of the workflow has it; without it, it is disabled, and starts no runs',
    }),
  })
  .nullable()
  .meta({ id: 'DefinedTrigger' })
  .meta({ description: 'The trigger of the definition that it is; null: people made it' });

/** A row that may belong to a trigger. */
interface DefinedRow {
  /** Null: people made it. */
  readonly triggerId: string | null;
  /** Null while the live version has the trigger. */
  readonly enabledWhenLive: boolean | null;
}

/**
 * Presents the trigger of a row; null: people made it. `is_live` tells whether the live version of the workflow has it.
 */
export const presentTrigger = ({ triggerId, enabledWhenLive }: DefinedRow): object | null =>
  triggerId === null ? null : { id: triggerId, is_live: enabledWhenLive === null };

/**
 * Requires that a change is of what belongs to the environment.
 * @param own the fields that do
 * @throws ApiError 409 for another field, and while no live version has the trigger
 */
export function requireChangeable(
  what: 'webhook' | 'schedule',
  { triggerId, enabledWhenLive }: DefinedRow,
  change: object,
  own: readonly string[],
): void {
  if (triggerId === null) return;
  const given = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const defined = given.filter((name) => !own.includes(name));
  if (defined.length > 0)
    throw conflict(
      'defined_by_workflow',
      `The ${what} is the trigger ${triggerId} of its workflow, which says what ${defined.join(', ')} is. Change the definition and deploy it`,
    );
  if (enabledWhenLive !== null && given.includes('enabled'))
    throw conflict(
      'trigger_not_live',
      `The live version of the workflow has no trigger ${triggerId}. Deploy one that has it`,
    );
}

/** @throws ApiError 409 while the live version has the trigger of the row */
export function requireDeletable(
  what: 'webhook' | 'schedule',
  { triggerId, enabledWhenLive }: DefinedRow,
): void {
  if (triggerId === null || enabledWhenLive !== null) return;
  throw conflict(
    'defined_by_workflow',
    `The ${what} is the trigger ${triggerId} of the live version of its workflow. Deploy one without it first`,
  );
}
