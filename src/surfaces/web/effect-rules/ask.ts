/** Whom a rule asks, as the fields of its form. */
import type { EffectRule } from '../../client/openapi.ts';
import type { Body } from '../../client/operations.ts';

type Known = EffectRule['confirm'];
type Given = NonNullable<Body<'createEffectRule'>['confirm']>;

export interface Ask {
  readonly roles: readonly string[];
  readonly required: number;
  /** Null: no limit. */
  readonly hours: number | null;
  readonly message: string;
}

const HOUR = 3_600;

export const readAsk = (known: Known): Ask => ({
  roles: known?.assignees?.roles ?? [],
  required: known?.required_responses ?? 1,
  hours: typeof known?.timeout_seconds === 'number' ? known.timeout_seconds / HOUR : null,
  message: known?.message ?? '',
});

/** @param known people whom the form does not show stay */
export const writeAsk = ({ roles, required, hours, message }: Ask, known: Known): Given => ({
  assignees: { roles: [...roles], user_ids: known?.assignees?.user_ids ?? [] },
  required_responses: required,
  ...(hours === null ? {} : { timeout_seconds: Math.max(1, Math.round(hours * HOUR)) }),
  message,
});
