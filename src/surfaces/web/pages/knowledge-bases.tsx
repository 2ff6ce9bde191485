/** The knowledge bases of the organization: made, opened, deleted with their documents. */
import { Badge, Button, Group, Select, Table, TextInput } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import type { Body, Reply } from '../../client/operations.ts';
import { DataTable } from '../kit/data-table.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { moment } from '../kit/moment.ts';
import { NameInput } from '../kit/name-input.tsx';
import { LoadMore } from '../kit/load-more.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { knowledgeWords } from '../words-knowledge.ts';
import { words } from '../words.ts';

const route = getRouteApi('/knowledge-bases');

type Base = Reply<'listKnowledgeBases'>['knowledge_bases'][number];

/** Integration of the accounts that can embed texts. */
const EMBEDS = 'openai';
const MODEL = 'text-embedding-3-small';

interface NewProps {
  readonly accounts: readonly { readonly credential_id: string; readonly name: string }[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onCreate: (body: Body<'createKnowledgeBase'>) => void;
}

function NewBase({ accounts, isPending, error, onClose, onCreate }: NewProps) {
  const [name, setName] = useState('');
  const [credentialId, setCredentialId] = useState<string | null>(null);
  const [model, setModel] = useState(MODEL);
  const own =
    credentialId === null
      ? {}
      : { credential_id: credentialId, embedding_config: { provider: EMBEDS, model: model.trim() } };
  return (
    <FormDialog
      title={knowledgeWords.newBase}
      action={words.create}
      isReady={name.trim() !== '' && (credentialId === null || model.trim() !== '')}
      isPending={isPending}
      error={withoutFields(error, ['name'])}
      onClose={onClose}
      onSubmit={() => onCreate({ name: name.trim(), ...own })}
    >
      <NameInput value={name} error={error} onChange={setName} />
      <Select
        label={knowledgeWords.embedsWith}
        placeholder={knowledgeWords.managedModel}
        data={accounts.map((account) => ({ value: account.credential_id, label: account.name }))}
        value={credentialId}
        onChange={setCredentialId}
        clearable
        clearButtonProps={{ 'aria-label': knowledgeWords.managedModel }}
      />
      {credentialId !== null && (
        <TextInput
          label={knowledgeWords.model}
          maxLength={255}
          value={model}
          onChange={(event) => setModel(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}

const BaseRow = ({ base, onDelete }: { readonly base: Base; readonly onDelete: () => void }) => (
  <Table.Tr>
    <Table.Td>
      <TextLink to="/knowledge-bases/$knowledgeId" params={{ knowledgeId: base.id }}>
        {base.name}
      </TextLink>{' '}
      {base.status === 'indexing' && <Badge variant="default">{knowledgeWords.indexing}</Badge>}
    </Table.Td>
    <Table.Td>{base.embedding_config.model}</Table.Td>
    <Table.Td>{base.document_count}</Table.Td>
    <Table.Td>{moment(base.created_at)}</Table.Td>
    <Table.Td>
      <Group justify="flex-end">
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${words.remove}: ${base.name}`}
          onClick={onDelete}
        >
          {words.remove}
        </Button>
      </Group>
    </Table.Td>
  </Table.Tr>
);

export function KnowledgeBasesPage() {
  const { client, organizationId } = route.useRouteContext().app;
  const navigate = route.useNavigate();
  const [leaving, setLeaving] = useState<Base | null>(null);
  const [isCreating, setCreating] = useState(false);
  const list = useInfiniteQuery({
    queryKey: [organizationId, 'knowledge-bases'],
    queryFn: ({ pageParam: cursor }) =>
      client.knowledgeBases.list({ limit: 50, ...(cursor === null ? {} : { cursor }) }).page(),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const accounts = useQuery({
    queryKey: [organizationId, 'credentials', EMBEDS, 'all'],
    queryFn: () => client.credentials.list({ integration: EMBEDS }).page(),
  });
  const create = useMutation({
    mutationFn: (body: Body<'createKnowledgeBase'>) =>
      client.knowledgeBases.create({ ...body, organization_id: organizationId }),
    onSuccess: ({ id }) =>
      void navigate({ to: '/knowledge-bases/$knowledgeId', params: { knowledgeId: id } }),
  });
  const remove = useMutation({
    mutationFn: (knowledgeId: string) => client.knowledgeBases.delete(knowledgeId),
    onSuccess: () => {
      setLeaving(null);
      void list.refetch();
    },
  });
  const rows = list.data?.pages.flatMap(({ knowledge_bases: bases }) => bases) ?? [];
  return (
    <Page
      title={words.knowledgeBases}
      actions={<Button onClick={() => setCreating(true)}>{knowledgeWords.newBase}</Button>}
    >
      <Failure error={list.error ?? accounts.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState
          icon={BookOpen}
          title={words.noBases.title}
          text={words.noBases.text}
          action={
            <Button variant="light" onClick={() => setCreating(true)}>
              {words.noBases.action}
            </Button>
          }
        />
      )}
      {rows.length > 0 && (
        <DataTable
          heads={[words.name, knowledgeWords.model, knowledgeWords.documents, knowledgeWords.made, null]}
          numbers={[3]}
        >
          {rows.map((base) => (
            <BaseRow key={base.id} base={base} onDelete={() => setLeaving(base)} />
          ))}
        </DataTable>
      )}
      <LoadMore list={list} />
      {isCreating && (
        <NewBase
          accounts={accounts.data?.credentials ?? []}
          isPending={create.isPending}
          error={create.error}
          onClose={() => setCreating(false)}
          onCreate={(body) => create.mutate(body)}
        />
      )}
      {leaving !== null && (
        <ConfirmDialog
          question={knowledgeWords.deleteBase(leaving.name)}
          action={words.remove}
          isPending={remove.isPending}
          error={remove.error}
          onClose={() => setLeaving(null)}
          onConfirm={() => remove.mutate(leaving.id)}
        />
      )}
    </Page>
  );
}
