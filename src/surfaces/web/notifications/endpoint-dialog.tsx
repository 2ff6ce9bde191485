/** The dialog of an endpoint, new or present: its name, its URL, its events and its workflows. */
import { Checkbox, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Body } from '../../client/operations.ts';
import { useUncachedRequest } from '../forms/use-uncached-request.ts';
import { findFieldProblem, withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { NameInput } from '../kit/name-input.tsx';
import { notificationWords } from '../words-notifications.ts';
import { words } from '../words.ts';
import type { Endpoint } from './use-endpoints.ts';

type EventType = keyof typeof notificationWords.eventTypes;
const EVENT_TYPES = Object.keys(notificationWords.eventTypes) as EventType[];
/** Completed runs are the most, and rarely news. */
const AT_FIRST = EVENT_TYPES.filter((type) => type !== 'run.completed');

export type EndpointDraft = Required<
  Pick<Body<'createNotificationEndpoint'>, 'name' | 'url' | 'event_types' | 'workflow_ids'>
>;

interface EndpointDialogProps {
  /** The endpoint that is changed; null: a new one. */
  readonly endpoint: Endpoint | null;
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
  readonly onSave: (draft: EndpointDraft) => Promise<void>;
}

export function EndpointDialog({ endpoint, workflows, onClose, onSave }: EndpointDialogProps) {
  const { isPending, error, send } = useUncachedRequest();
  const [name, setName] = useState(endpoint?.name ?? '');
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [eventTypes, setEventTypes] = useState(
    (endpoint?.event_types as readonly EventType[] | undefined) ?? AT_FIRST,
  );
  const [workflowIds, setWorkflowIds] = useState<readonly string[]>(endpoint?.workflow_ids ?? []);
  return (
    <FormDialog
      title={endpoint === null ? notificationWords.newEndpoint : notificationWords.editTitle(endpoint.name)}
      action={endpoint === null ? words.create : words.save}
      isReady={name.trim() !== '' && url.trim() !== '' && eventTypes.length > 0}
      isPending={isPending}
      error={withoutFields(error, ['name', 'url', 'event_types', 'workflow_ids'])}
      onClose={onClose}
      onSubmit={() =>
        send(() =>
          onSave({
            name: name.trim(),
            url: url.trim(),
            event_types: [...eventTypes],
            workflow_ids: workflowIds.length === 0 ? null : [...workflowIds],
          }),
        )
      }
    >
      <NameInput value={name} error={error} onChange={setName} />
      <TextInput
        label={notificationWords.url}
        description={notificationWords.urlWhy}
        maxLength={2_000}
        autoComplete="off"
        value={url}
        error={findFieldProblem(error, 'url')}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <Checkbox.Group
        label={notificationWords.events}
        value={[...eventTypes]}
        error={findFieldProblem(error, 'event_types')}
        onChange={(chosen) => setEventTypes(chosen as EventType[])}
      >
        <Stack gap="xs" mt="xs">
          {EVENT_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={notificationWords.eventTypes[type]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <MultiSelect
        label={notificationWords.workflows}
        placeholder={workflowIds.length === 0 ? notificationWords.everyWorkflow : ''}
        data={workflows.map(({ id, name: label }) => ({ value: id, label }))}
        value={[...workflowIds]}
        error={findFieldProblem(error, 'workflow_ids')}
        searchable
        onChange={setWorkflowIds}
      />
    </FormDialog>
  );
}
