/** The dialog of a new schedule: the workflow, and when it runs, in words while it is typed. */
import { Autocomplete, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { findFieldProblem, withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { scheduleWords } from '../words-schedules.ts';
import { words } from '../words.ts';
import { OverlapChoice, type Overlap } from './overlap-choice.tsx';
import { previewCron, type CronPreview } from './preview.ts';

const FIELDS = ['workflow_id', 'name', 'cron_expression', 'timezone'];
const PREVIEWED = 5;
const ZONES = Intl.supportedValuesOf('timeZone');

export interface ScheduleDraft {
  readonly workflow_id: string;
  readonly name: string;
  readonly cron_expression: string;
  readonly timezone: string;
  readonly overlap_policy: Overlap;
}

interface TimesProps {
  readonly preview: CronPreview;
  readonly zone: string;
}

/** The next times by the clock of the schedule's own zone. */
function Times({ preview, zone }: TimesProps) {
  if (preview.kind === 'invalid' || preview.times.length === 0) return null;
  const format = new Intl.DateTimeFormat(undefined, {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: zone,
  });
  return (
    <Stack gap={2} aria-live="polite">
      <Text size="sm" fw={600}>
        {preview.text}
      </Text>
      <Text size="sm" c="dimmed">
        {scheduleWords.nextTimes(zone)}
      </Text>
      <Stack component="ol" gap={0} m={0} pl="md">
        {preview.times.map((time) => (
          <Text component="li" size="sm" key={time.getTime()}>
            {format.format(time)}
          </Text>
        ))}
      </Stack>
    </Stack>
  );
}

interface NewScheduleProps {
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onCreate: (draft: ScheduleDraft) => void;
}

export function NewSchedule({ workflows, isPending, error, onClose, onCreate }: NewScheduleProps) {
  const [draft, setDraft] = useState<ScheduleDraft>(() => ({
    workflow_id: '',
    name: '',
    cron_expression: '0 9 * * 1-5',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    overlap_policy: 'skip',
  }));
  const set = (more: Partial<ScheduleDraft>): void => setDraft((now) => ({ ...now, ...more }));
  const { cron_expression: cron, timezone } = draft;
  const preview = previewCron(cron, timezone, PREVIEWED);
  return (
    <FormDialog
      title={scheduleWords.newSchedule}
      action={words.create}
      isReady={draft.workflow_id !== '' && draft.name.trim() !== '' && preview.kind === 'valid'}
      isPending={isPending}
      error={withoutFields(error, FIELDS)}
      onClose={onClose}
      onSubmit={() => onCreate({ ...draft, name: draft.name.trim() })}
    >
      <Select
        data-autofocus
        label={words.workflow}
        description={scheduleWords.workflowWhy}
        data={workflows.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.workflow_id === '' ? null : draft.workflow_id}
        error={findFieldProblem(error, 'workflow_id')}
        onChange={(id) => set({ workflow_id: id ?? '' })}
        searchable
      />
      <TextInput
        label={words.name}
        maxLength={255}
        value={draft.name}
        error={findFieldProblem(error, 'name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Group grow align="start">
        <TextInput
          label={scheduleWords.cron}
          description={scheduleWords.cronWhy}
          value={cron}
          error={
            findFieldProblem(error, 'cron_expression') ??
            (preview.kind === 'invalid' ? `${preview.problem}.` : undefined)
          }
          onChange={(event) => set({ cron_expression: event.currentTarget.value })}
        />
        <Autocomplete
          label={scheduleWords.timezone}
          description={scheduleWords.timezoneWhy}
          data={ZONES}
          limit={20}
          value={timezone}
          error={findFieldProblem(error, 'timezone')}
          onChange={(zone) => set({ timezone: zone })}
        />
      </Group>
      <Times preview={preview} zone={timezone} />
      <OverlapChoice
        label={scheduleWords.overlap}
        value={draft.overlap_policy}
        onChoose={(policy) => set({ overlap_policy: policy })}
      />
    </FormDialog>
  );
}
