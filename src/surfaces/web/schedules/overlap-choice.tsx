/** The overlap policy of a schedule: the choice for a time at which the previous run is still active. */
import { Select } from '@mantine/core';
import type { Reply } from '../../client/operations.ts';
import { scheduleWords } from '../words-schedules.ts';

export type Overlap = Reply<'listSchedules'>['schedules'][number]['overlap_policy'];

const OVERLAPS = Object.entries(scheduleWords.overlaps).map(([value, label]) => ({
  value: value as Overlap,
  label,
}));

interface OverlapChoiceProps {
  /** Above the field; in a table its column has the label, and `describedAs` is read out. */
  readonly label?: string;
  readonly describedAs?: string;
  readonly value: Overlap;
  readonly onChoose: (policy: Overlap) => void;
}

export const OverlapChoice = ({ label, describedAs, value, onChoose }: OverlapChoiceProps) => (
  <Select
    {...(label === undefined ? {} : { label })}
    {...(describedAs === undefined ? {} : { 'aria-label': describedAs })}
    data={OVERLAPS}
    value={value}
    onChange={(policy) => policy !== null && onChoose(policy)}
    allowDeselect={false}
  />
);
