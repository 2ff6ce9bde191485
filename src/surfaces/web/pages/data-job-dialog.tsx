/** Requests an export or an erasure: of the organization, of a member, or of the runs of a customer. */
import { Select, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { listOptions } from '../kit/list-options.ts';
import { dataWords } from '../words-data.ts';

const route = getRouteApi('/data');

type Job = Reply<'getDataJob'>;
type Subject = Job['subject'];
/** The first one is what people mean most often. */
const SUBJECTS: Readonly<Record<Job['kind'], readonly Subject[]>> = {
  export: ['organization', 'member', 'metadata'],
  erasure: ['metadata', 'member', 'organization'],
};

interface DataJobDialogProps {
  readonly kind: Job['kind'];
  /** Names by id. */
  readonly people: ReadonlyMap<string, string>;
  readonly onClose: () => void;
  readonly onRequested: () => void;
}

export function DataJobDialog({ kind, people, onClose, onRequested }: DataJobDialogProps) {
  const { client, organizationId } = route.useRouteContext().app;
  const said = dataWords.dialogs[kind];
  const [subject, setSubject] = useState<Subject>(SUBJECTS[kind][0] ?? 'organization');
  const [text, setText] = useState({ key: 'customer', value: '', confirm: '' });
  const [member, setMember] = useState<string | null>(null);
  const isConfirmed = kind === 'erasure' && subject === 'organization';
  const organization = useQuery({
    queryKey: [organizationId, 'organization'],
    queryFn: () =>
      client.request('GET', '/organizations/{organization_id}', {
        path: { organization_id: organizationId },
      }),
    enabled: isConfirmed,
  });
  const request = useMutation({
    mutationFn: () =>
      client.request('POST', '/data-jobs', {
        body: {
          kind,
          subject,
          ...(subject === 'metadata' ? { metadata: { [text.key.trim()]: text.value } } : {}),
          ...(subject === 'member' && member !== null ? { user_id: member } : {}),
          ...(isConfirmed ? { confirm: text.confirm } : {}),
        },
      }),
    onSuccess: onRequested,
  });
  const input = (name: keyof typeof text, label: string) => (
    <TextInput
      label={label}
      value={text[name]}
      onChange={({ currentTarget: { value } }) => setText({ ...text, [name]: value })}
    />
  );
  const name = organization.data?.name ?? '';
  const isReady = {
    metadata: text.key.trim() !== '' && text.value !== '',
    member: member !== null,
    organization: !isConfirmed || (name !== '' && text.confirm === name),
  }[subject];
  return (
    <FormDialog
      title={said.title}
      action={said.title}
      isReady={isReady}
      isPending={request.isPending}
      error={request.error}
      onClose={onClose}
      onSubmit={() => request.mutate()}
    >
      <Select
        label={said.what}
        data={listOptions(SUBJECTS[kind], dataWords.subjects)}
        value={subject}
        allowDeselect={false}
        onChange={(value) => setSubject(value as Subject)}
      />
      <Text>
        {said.effects[subject]} {said.end}
      </Text>
      {subject === 'metadata' && input('key', dataWords.key)}
      {subject === 'metadata' && input('value', dataWords.value)}
      {subject === 'member' && (
        <Select
          label={dataWords.member}
          data={[...people].map(([value, label]) => ({ value, label }))}
          value={member}
          searchable
          onChange={setMember}
        />
      )}
      {isConfirmed && input('confirm', dataWords.confirm(name))}
    </FormDialog>
  );
}
