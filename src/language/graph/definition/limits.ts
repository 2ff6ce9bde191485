/** The budget of a run, as its definition sets it: `config.limits`. */
import { addError, Reader, type ProblemSink } from './reader.ts';

/** The doors whose changes a budget counts. */
export const COUNTED_DOORS = ['http', 'mcp', 'message'] as const;
type CountedDoor = (typeof COUNTED_DOORS)[number];

/** The fate of a node beyond a limit. */
export const ON_LIMIT = ['fail', 'ask'] as const;

/** The highest limit. JSON and PostgreSQL read it exactly, also in thousandths. */
export const MAX_LIMIT = 1_000_000_000;

/** Limits of one run with its sub-workflows; null, and a door that is missing: no limit. */
export interface Limits {
  /** In thousandths of a credit. */
  readonly max_credits_mc: number | null;
  readonly max_model_calls: number | null;
  readonly max_effects: Readonly<Partial<Record<CountedDoor, number>>>;
  /** `ask`: the run waits, and people may raise the limit for it. */
  readonly on_limit: (typeof ON_LIMIT)[number];
  /** The people who may; null: owners and admins of the organization. */
  readonly assignees: { readonly roles: readonly string[]; readonly user_ids: readonly string[] } | null;
}

function readEffects(reader: Reader): Limits['max_effects'] {
  const given = reader.objectAt('max_effects');
  if (given === undefined) return {};
  const path = [...reader.prefix, 'max_effects'];
  const doors = new Reader(given, reader.sink, path);
  for (const name of Object.keys(given))
    if (!COUNTED_DOORS.some((door) => door === name)) {
      const message = `: ${path.join('.')} has keys of ${COUNTED_DOORS.join(', ')} only`;
      addError(reader.sink, { code: 'invalid_value', message, path: [...path, name] });
    }
  return Object.fromEntries(
    COUNTED_DOORS.flatMap((door) => {
      const most = doors.integer(door, 0, MAX_LIMIT);
      return most === undefined ? [] : [[door, most]];
    }),
  );
}

function readAssignees(reader: Reader): Limits['assignees'] {
  const given = reader.objectAt('assignees');
  if (given === undefined) return null;
  const people = new Reader(given, reader.sink, [...reader.prefix, 'assignees']);
  const assignees = { roles: people.texts('roles') ?? [], user_ids: people.texts('user_ids') ?? [] };
  return assignees.roles.length + assignees.user_ids.length === 0 ? null : assignees;
}

/** Reads `limits` of a workflow's config; null without any. Reports what it cannot read. */
export function readLimits(config: Reader, sink: ProblemSink): Limits | null {
  const given = config.objectAt('limits');
  if (given === undefined) return null;
  const reader = new Reader(given, sink, ['limits']);
  const credits = reader.number('max_credits', 0, MAX_LIMIT);
  const limits = {
    max_credits_mc: credits === undefined ? null : Math.round(credits * 1_000),
    max_model_calls: reader.integer('max_model_calls', 0, MAX_LIMIT) ?? null,
    max_effects: readEffects(reader),
    on_limit: reader.word('on_limit', ON_LIMIT) ?? 'fail',
    assignees: readAssignees(reader),
  };
  const isEmpty =
    limits.max_credits_mc === null &&
    limits.max_model_calls === null &&
    Object.keys(limits.max_effects).length === 0;
  return isEmpty ? null : limits;
}
