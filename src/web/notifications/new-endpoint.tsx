/** The dialog of a new endpoint: its name, its URL and its events. */
import { Checkbox, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Body } from '../../client/operations.ts';
import { fieldProblem, withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { NameInput } from '../kit/name-input.tsx';
import { notificationWords } from '../words-notifications.ts';
import { words } from '../words.ts';

type EventType = keyof typeof notificationWords.eventTypes;
const EVENT_TYPES = Object.keys(notificationWords.eventTypes) as EventType[];
/** Completed runs are the most, and rarely news. */
const AT_FIRST = EVENT_TYPES.filter((type) => type !== 'run.completed');

interface NewEndpointProps {
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onCreate: (draft: Body<'createNotificationEndpoint'>) => void;
}

export function NewEndpoint({ workflows, isPending, error, onClose, onCreate }: NewEndpointProps) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [eventTypes, setEventTypes] = useState<readonly EventType[]>(AT_FIRST);
  const [workflowIds, setWorkflowIds] = useState<readonly string[]>([]);
  return (
    <FormDialog
      title={notificationWords.newEndpoint}
      action={words.create}
      isReady={name.trim() !== '' && url.trim() !== '' && eventTypes.length > 0}
      isPending={isPending}
      error={withoutFields(error, ['name', 'url'])}
      onClose={onClose}
      onSubmit={() =>
        onCreate({
          name: name.trim(),
          url: url.trim(),
          event_types: [...eventTypes],
          workflow_ids: workflowIds.length === 0 ? null : [...workflowIds],
        })
      }
    >
      <NameInput value={name} error={error} onChange={setName} />
      <TextInput
        label={notificationWords.url}
        description={notificationWords.urlWhy}
        maxLength={2_000}
        autoComplete="off"
        value={url}
        error={fieldProblem(error, 'url')}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <Checkbox.Group
        label={notificationWords.events}
        value={[...eventTypes]}
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
        searchable
        onChange={setWorkflowIds}
      />
    </FormDialog>
  );
}
