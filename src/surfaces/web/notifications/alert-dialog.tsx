/** The dialog of an alert, new or present: its name, its workflow and its rule. A present one keeps its workflow and the kind of its rule. */
import { NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import type { Body, Reply } from '../../client/operations.ts';
import { useUncachedRequest } from '../forms/use-uncached-request.ts';
import { findFieldProblem, withoutFields } from '../kit/field-problem.ts';
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

export type Alert = Reply<'listAlerts'>['alerts'][number];
export type AlertDraft = Body<'createAlert'>;

interface AlertDialogProps {
  /** The alert that is changed; null: a new one. */
  readonly alert: Alert | null;
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
  readonly onSave: (draft: AlertDraft) => Promise<void>;
}

export function AlertDialog({ alert, workflows, onClose, onSave }: AlertDialogProps) {
  const { isPending, error, send } = useUncachedRequest();
  const [name, setName] = useState(alert?.name ?? '');
  const [kind, setKind] = useState<Kind>(alert?.kind ?? 'failures_in_row');
  const [workflowId, setWorkflowId] = useState<string | null>(alert?.workflow_id ?? null);
  const [threshold, setThreshold] = useState(alert === null ? DEFAULTS[kind].threshold : alert.threshold);
  const [minutes, setMinutes] = useState(alert === null ? DEFAULTS[kind].minutes : alert.window_minutes);
  const choose = (chosen: Kind): void => {
    setKind(chosen);
    setThreshold(DEFAULTS[chosen].threshold);
    setMinutes(DEFAULTS[chosen].minutes);
  };
  return (
    <FormDialog
      title={alert === null ? notificationWords.newAlert : notificationWords.editTitle(alert.name)}
      action={alert === null ? words.create : words.save}
      isReady={name.trim() !== ''}
      isPending={isPending}
      error={withoutFields(error, ['name', 'threshold', 'window_minutes'])}
      onClose={onClose}
      onSubmit={() =>
        send(() =>
          onSave({ name: name.trim(), kind, workflow_id: workflowId, threshold, window_minutes: minutes }),
        )
      }
    >
      <NameInput value={name} error={error} onChange={setName} />
      <Select
        label={notificationWords.workflow}
        placeholder={notificationWords.everyWorkflow}
        data={workflows.map((workflow) => ({ value: workflow.id, label: workflow.name }))}
        value={workflowId}
        disabled={alert !== null}
        clearable
        onChange={setWorkflowId}
      />
      <Select
        label={notificationWords.rule}
        data={listOptions(KINDS, notificationWords.kinds)}
        value={kind}
        disabled={alert !== null}
        allowDeselect={false}
        onChange={(value) => choose(value as Kind)}
      />
      {DEFAULTS[kind].threshold !== null && (
        <NumberInput
          label={notificationWords.thresholds[kind]}
          min={0}
          value={threshold ?? ''}
          error={findFieldProblem(error, 'threshold')}
          onChange={(value) => setThreshold(value === '' ? null : Number(value))}
        />
      )}
      {DEFAULTS[kind].minutes !== null && (
        <NumberInput
          label={notificationWords.minutes}
          min={1}
          allowDecimal={false}
          value={minutes ?? ''}
          error={findFieldProblem(error, 'window_minutes')}
          onChange={(value) => setMinutes(value === '' ? null : Number(value))}
        />
      )}
    </FormDialog>
  );
}
