/** The days that runs and their values are kept, and the values that are redacted: of the organization and of its workflows. */
import { Alert, Button, Group, NumberInput, Select, Stack, Table, Textarea, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import { useMyOrganizations } from '../frame/memberships.ts';
import { DataTable } from '../kit/data-table.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Failure } from '../kit/page.tsx';
import { readLines } from '../kit/read-lines.ts';
import { useWorkflowNames } from '../kit/use-workflow-names.ts';
import { dataWords } from '../words-data.ts';
import { words } from '../words.ts';

const route = getRouteApi('/data');
const useApp = () => route.useRouteContext().app;

type Retention = Reply<'getRetention'>;
/** The settings of the organization or of one workflow. */
type Settings = Pick<Retention, 'run_retention_days' | 'value_retention_days' | 'redacted_paths'>;
const INHERITED: Settings = { run_retention_days: null, value_retention_days: null, redacted_paths: [] };

/** The query of the page, which a saved change refreshes. */
export const retentionKey = (organizationId: string) => [organizationId, 'retention'];

/** Saves the settings of the organization, or of one workflow. */
function useSave(onSaved?: () => void) {
  const { client, organizationId } = useApp();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (
      body: Settings & { readonly workflow_id?: string; readonly audit_retention_days?: number | null },
    ) => client.request('PATCH', '/retention', { body }),
    onSuccess: (retention) => {
      cache.setQueryData(retentionKey(organizationId), retention);
      onSaved?.();
    },
  });
}

/** MIN_AUDIT_DAYS of the service (features/data/retention.ts). */
const LEAST_AUDIT_DAYS = 90;

interface DaysInputProps {
  readonly label: string;
  /** The meaning of an empty field. */
  readonly placeholder: string;
  readonly days: number | null;
  readonly onChange: (days: number | null) => void;
  /** Default: 1. */
  readonly least?: number;
  readonly hint?: string;
  readonly disabled?: boolean;
}

function DaysInput({
  label,
  placeholder,
  days,
  onChange,
  least = 1,
  hint,
  disabled = false,
}: DaysInputProps) {
  return (
    <NumberInput
      label={label}
      placeholder={placeholder}
      description={hint}
      disabled={disabled}
      min={least}
      max={3_650}
      allowDecimal={false}
      value={days ?? ''}
      onChange={(value) => onChange(value === '' ? null : Number(value))}
    />
  );
}

interface PathsInputProps {
  readonly hint: string;
  readonly initial: readonly string[];
  readonly onChange: (paths: string[]) => void;
}

/** Keeps its text: an empty line that is being written is no path yet. */
function PathsInput({ hint, initial, onChange }: PathsInputProps) {
  const [text, setText] = useState(initial.join('\n'));
  return (
    <Textarea
      label={dataWords.redacted}
      description={hint}
      placeholder={dataWords.redactedExamples}
      autosize
      minRows={3}
      spellCheck={false}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        onChange(readLines(value));
      }}
    />
  );
}

export function RetentionForm({ retention }: { readonly retention: Retention }) {
  const [runs, setRuns] = useState(retention.run_retention_days);
  const [values, setValues] = useState(retention.value_retention_days);
  const [audit, setAudit] = useState(retention.audit_retention_days);
  const [paths, setPaths] = useState(retention.redacted_paths);
  const save = useSave();
  const { client, organizationId } = useApp();
  const mine = useMyOrganizations(client).data?.organizations ?? [];
  const isOwner = mine.some(({ organization_id: id, role }) => id === organizationId && role === 'owner');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({
          run_retention_days: runs,
          value_retention_days: values,
          // Owners alone may change it, and a term from before the least one stays until somebody does.
          ...(audit === retention.audit_retention_days ? {} : { audit_retention_days: audit }),
          redacted_paths: paths,
        });
      }}
    >
      <Stack maw={640}>
        <DaysInput label={dataWords.runDays} placeholder={dataWords.forever} days={runs} onChange={setRuns} />
        <DaysInput
          label={dataWords.valueDays}
          placeholder={dataWords.asRuns}
          days={values}
          onChange={setValues}
        />
        <DaysInput
          label={dataWords.auditDays}
          placeholder={dataWords.forever}
          days={audit}
          onChange={setAudit}
          least={LEAST_AUDIT_DAYS}
          hint={dataWords.auditHint}
          disabled={!isOwner}
        />
        <PathsInput hint={dataWords.redactedHint} initial={retention.redacted_paths} onChange={setPaths} />
        <Failure error={save.error} />
        {save.isSuccess && (
          <Alert role="status" color="green">
            {dataWords.saved}
          </Alert>
        )}
        <Button type="submit" loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
          {dataWords.save}
        </Button>
      </Stack>
    </form>
  );
}

type OwnSettings = Retention['workflows'][number];

/** The workflows with settings of their own; a field that is empty follows the organization. */
export function WorkflowRetention({ workflows }: { readonly workflows: readonly OwnSettings[] }) {
  const [edited, setEdited] = useState<OwnSettings | 'new' | null>(null);
  const reset = useSave();
  const showDays = (days: number | null): string =>
    days === null ? dataWords.inherited : dataWords.days(days);
  return (
    <>
      <Title order={3} size="h5" mt="xs">
        {dataWords.ownTitle}
      </Title>
      <Failure error={reset.error} />
      {workflows.length > 0 && (
        <DataTable heads={[dataWords.workflow, dataWords.runs, dataWords.values, dataWords.redacted, null]}>
          {workflows.map((own) => (
            <Table.Tr key={own.workflow_id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{own.name}</Table.Td>
              <Table.Td>{showDays(own.run_retention_days)}</Table.Td>
              <Table.Td>{showDays(own.value_retention_days)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{own.redacted_paths.join(', ')}</Table.Td>
              <Table.Td>
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <Button variant="subtle" size="compact-sm" onClick={() => setEdited(own)}>
                    {dataWords.edit}
                  </Button>
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    loading={reset.isPending}
                    onClick={() => reset.mutate({ workflow_id: own.workflow_id, ...INHERITED })}
                  >
                    {dataWords.inherit}
                  </Button>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
      <Group>
        <Button variant="default" onClick={() => setEdited('new')}>
          {dataWords.addOwn}
        </Button>
      </Group>
      {edited !== null && (
        <OwnSettingsDialog own={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

interface WorkflowSelectProps {
  readonly workflowId: string | null;
  readonly onChange: (workflowId: string | null) => void;
}

function WorkflowSelect({ workflowId, onChange }: WorkflowSelectProps) {
  const { client, organizationId } = useApp();
  const list = useWorkflowNames(client, organizationId);
  return (
    <>
      <Select
        label={dataWords.workflow}
        placeholder={words.choose}
        data={(list.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={workflowId}
        searchable
        onChange={onChange}
      />
      <Failure error={list.error} />
    </>
  );
}

interface OwnSettingsDialogProps {
  /** Null: of a workflow that is chosen in the dialog. */
  readonly own: OwnSettings | null;
  readonly onClose: () => void;
}

function OwnSettingsDialog({ own, onClose }: OwnSettingsDialogProps) {
  const [workflowId, setWorkflowId] = useState(own?.workflow_id ?? null);
  const [settings, setSettings] = useState<Settings>(own ?? INHERITED);
  const save = useSave(onClose);
  const { run_retention_days, value_retention_days, redacted_paths } = settings;
  const hasSettings =
    run_retention_days !== null || value_retention_days !== null || redacted_paths.length > 0;
  return (
    <FormDialog
      title={own?.name ?? dataWords.addOwn}
      action={dataWords.save}
      isReady={workflowId !== null && (own !== null || hasSettings)}
      isPending={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={() => {
        if (workflowId !== null)
          save.mutate({
            workflow_id: workflowId,
            run_retention_days,
            value_retention_days,
            redacted_paths,
          });
      }}
    >
      {own === null && <WorkflowSelect workflowId={workflowId} onChange={setWorkflowId} />}
      <DaysInput
        label={dataWords.runDays}
        placeholder={dataWords.inherited}
        days={run_retention_days}
        onChange={(days) => setSettings({ ...settings, run_retention_days: days })}
      />
      <DaysInput
        label={dataWords.valueDays}
        placeholder={dataWords.inherited}
        days={value_retention_days}
        onChange={(days) => setSettings({ ...settings, value_retention_days: days })}
      />
      <PathsInput
        hint={`${dataWords.redactedHint} ${dataWords.added}`}
        initial={redacted_paths}
        onChange={(paths) => setSettings({ ...settings, redacted_paths: paths })}
      />
    </FormDialog>
  );
}
