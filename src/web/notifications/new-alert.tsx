/** The dialog of a new alert: its name, its workflow and its rule. */
import { NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import type { Body } from '../../client/operations.ts';
import { fieldProblem, withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { NameInput } from '../kit/name-input.tsx';
import { listOptions } from '../kit/list-options.ts';
import { notificationWords } from '../words-notifications.ts';
import { words } from '../words.ts';

type Kind = keyof typeof notificationWords.kinds;
const KINDS = Object.keys(notificationWords.kinds) as Kind[];
/** A rule that most workflows can begin with. */
const DEFAULTS: Readonly<
  Record<Kind, { readonly threshold: number | null; readonly minutes: number | null }>
> = {
  failures_in_row: { threshold: 3, minutes: null },
  failure_rate: { threshold: 20, minutes: 60 },
  silence: { threshold: null, minutes: 60 },
  duration: { threshold: 600, minutes: null },
  cost: { threshold: 100, minutes: 1_440 },
};

interface NewAlertProps {
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onCreate: (draft: Body<'createAlert'>) => void;
}

export function NewAlert({ workflows, isPending, error, onClose, onCreate }: NewAlertProps) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('failures_in_row');
  const [workflowId, setWorkflowId] = useState<string | null>(null);
  const [threshold, setThreshold] = useState<number | null>(DEFAULTS.failures_in_row.threshold);
  const [minutes, setMinutes] = useState<number | null>(DEFAULTS.failures_in_row.minutes);
  const choose = (chosen: Kind): void => {
    setKind(chosen);
    setThreshold(DEFAULTS[chosen].threshold);
    setMinutes(DEFAULTS[chosen].minutes);
  };
  return (
    <FormDialog
      title={notificationWords.newAlert}
      action={words.create}
      isReady={name.trim() !== ''}
      isPending={isPending}
      error={withoutFields(error, ['name', 'threshold', 'window_minutes'])}
      onClose={onClose}
      onSubmit={() =>
        onCreate({ name: name.trim(), kind, workflow_id: workflowId, threshold, window_minutes: minutes })
      }
    >
      <NameInput value={name} error={error} onChange={setName} />
      <Select
        label={notificationWords.workflow}
        placeholder={notificationWords.everyWorkflow}
        data={workflows.map((workflow) => ({ value: workflow.id, label: workflow.name }))}
        value={workflowId}
        clearable
        onChange={setWorkflowId}
      />
      <Select
        label={notificationWords.rule}
        data={listOptions(KINDS, notificationWords.kinds)}
        value={kind}
        allowDeselect={false}
        onChange={(value) => choose(value as Kind)}
      />
      {DEFAULTS[kind].threshold !== null && (
        <NumberInput
          label={notificationWords.thresholds[kind]}
          min={0}
          value={threshold ?? ''}
          error={fieldProblem(error, 'threshold')}
          onChange={(value) => setThreshold(value === '' ? null : Number(value))}
        />
      )}
      {DEFAULTS[kind].minutes !== null && (
        <NumberInput
          label={notificationWords.minutes}
          min={1}
          allowDecimal={false}
          value={minutes ?? ''}
          error={fieldProblem(error, 'window_minutes')}
          onChange={(value) => setMinutes(value === '' ? null : Number(value))}
        />
      )}
    </FormDialog>
  );
}
