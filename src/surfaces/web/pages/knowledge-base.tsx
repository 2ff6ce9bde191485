/** One knowledge base: its documents while they are indexed, uploads, and a test search. */
import { Badge, Button, Group, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { shownName } from '../../../language/graph/values/shown-name.ts';
import type { Upload } from '../../client/client.ts';
import type { Reply } from '../../client/operations.ts';
import { LoadMore } from '../kit/load-more.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { knowledgeWords } from '../words-knowledge.ts';
import { words } from '../words.ts';
import { UnreadPage } from './unread-page.tsx';
import { SearchDialog } from './knowledge-search.tsx';
import { Uploads } from './uploads.tsx';

const route = getRouteApi('/knowledge-bases/$knowledgeId');

type Document = Reply<'listDocuments'>['documents'][number];

const PAGE = 50;
/** The service takes no larger ones, and says so only after they were sent. */
const MAX_BYTES = 25 * 1024 * 1024;
/** A large file on a slow line takes long. */
const UPLOAD_MS = 15 * 60_000;
const ACCEPTED = '.txt,.md,.markdown,.html,.htm,.pdf,.docx,text/*';
/** While a document is indexed. */
const LOOK_AGAIN_MS = 1_500;
const COLORS: Readonly<Record<Document['status'], string>> = {
  pending: 'gray',
  processing: 'blue',
  completed: 'green',
  failed: 'red',
};
const isOpen = ({ status }: Document): boolean => status === 'pending' || status === 'processing';

function State({ document }: { readonly document: Document }) {
  const { status, progress, error } = document;
  return (
    <>
      <Badge variant="dot" color={COLORS[status]}>
        {knowledgeWords.documentStates[status]}
      </Badge>
      {status === 'processing' && progress.chunks_total !== null && (
        <Text size="sm">{knowledgeWords.chunkProgress(progress.chunks_done, progress.chunks_total)}</Text>
      )}
      {error !== null && <Text size="sm">{error.message}</Text>}
    </>
  );
}

interface RowProps {
  readonly document: Document;
  readonly onRetry: () => void;
  readonly onDelete: () => void;
}

function DocumentRow({ document, onRetry, onDelete }: RowProps) {
  const { name, status, size_bytes: bytes } = document;
  return (
    <Table.Tr>
      <Table.Td>
        <bdi>{shownName(name)}</bdi>
        <Text size="sm" c="dimmed">
          {knowledgeWords.kilobytes(bytes)}
        </Text>
      </Table.Td>
      <Table.Td>
        <State document={document} />
      </Table.Td>
      <Table.Td>{document.chunk_count}</Table.Td>
      <Table.Td>{moment(document.created_at)}</Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {status === 'failed' && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`${words.again}: ${shownName(name)}`}
              onClick={onRetry}
            >
              {words.again}
            </Button>
          )}
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`${words.remove}: ${shownName(name)}`}
            onClick={onDelete}
          >
            {words.remove}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function Documents({
  knowledgeId,
  onChanged,
}: {
  readonly knowledgeId: string;
  readonly onChanged: () => void;
}) {
  const { client, organizationId } = route.useRouteContext().app;
  const [leaving, setLeaving] = useState<Document | null>(null);
  const list = useInfiniteQuery({
    queryKey: [organizationId, 'documents', knowledgeId],
    queryFn: ({ pageParam: cursor }) =>
      client.knowledgeBases
        .documents(knowledgeId, { limit: PAGE, ...(cursor === null ? {} : { cursor }) })
        .page(),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ documents }) => documents.some(isOpen)) === true ? LOOK_AGAIN_MS : false,
  });
  const look = (): void => {
    onChanged();
    void list.refetch();
  };
  const retry = useMutation({
    mutationFn: (documentId: string) => client.knowledgeBases.retryDocument({ knowledgeId, documentId }),
    onSettled: look,
  });
  const remove = useMutation({
    mutationFn: (documentId: string) => client.knowledgeBases.deleteDocument({ knowledgeId, documentId }),
    onSuccess: () => {
      setLeaving(null);
      look();
    },
  });
  const uploadOne = async (file: File, onProgress: Upload['onProgress']): Promise<void> => {
    if (file.size > MAX_BYTES) throw new Error(knowledgeWords.tooLarge);
    await client.knowledgeBases.upload(knowledgeId, { file, onProgress }, { timeoutMs: UPLOAD_MS });
  };
  const rows = list.data?.pages.flatMap(({ documents }) => documents) ?? [];
  return (
    <>
      <Uploads
        label={knowledgeWords.uploadDocuments}
        hint={knowledgeWords.accepted}
        accept={ACCEPTED}
        send={uploadOne}
        onUploaded={look}
      />
      <Failure error={list.error ?? retry.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState
          icon={FileText}
          title={knowledgeWords.noDocuments.title}
          text={knowledgeWords.noDocuments.text}
        />
      )}
      {rows.length > 0 && (
        <DataTable
          heads={[words.name, words.status, knowledgeWords.pieces, knowledgeWords.made, null]}
          numbers={[3]}
        >
          {rows.map((document) => (
            <DocumentRow
              key={document.id}
              document={document}
              onRetry={() => retry.mutate(document.id)}
              onDelete={() => setLeaving(document)}
            />
          ))}
        </DataTable>
      )}
      <LoadMore list={list} />
      {leaving !== null && (
        <ConfirmDialog
          question={knowledgeWords.deleteDocument(shownName(leaving.name))}
          action={words.remove}
          isPending={remove.isPending}
          error={remove.error}
          onClose={() => setLeaving(null)}
          onConfirm={() => remove.mutate(leaving.id)}
        />
      )}
    </>
  );
}

export function KnowledgeBasePage() {
  const { knowledgeId } = route.useParams();
  const { client, organizationId } = route.useRouteContext().app;
  const base = useQuery({
    queryKey: [organizationId, 'knowledge-base', knowledgeId],
    queryFn: () => client.knowledgeBases.get(knowledgeId),
    refetchInterval: ({ state }) => (state.data?.status === 'indexing' ? LOOK_AGAIN_MS : false),
  });
  const [isSearching, setSearching] = useState(false);
  if (base.isPending) return <Waiting />;
  if (base.isError) return <UnreadPage title={words.knowledgeBases} error={base.error} />;
  const { name, description, document_count: documents, total_chunks: pieces } = base.data;
  return (
    <Page
      title={name}
      actions={
        <Button variant="default" onClick={() => setSearching(true)}>
          {knowledgeWords.trySearch}
        </Button>
      }
    >
      {description !== '' && <Text>{description}</Text>}
      <Text c="dimmed">
        {knowledgeWords.baseHolds(documents, pieces)} {base.data.embedding_config.model}
      </Text>
      <Title order={2} size="h4">
        {knowledgeWords.documents}
      </Title>
      <Documents knowledgeId={knowledgeId} onChanged={() => void base.refetch()} />
      {isSearching && (
        <SearchDialog client={client} knowledgeId={knowledgeId} onClose={() => setSearching(false)} />
      )}
    </Page>
  );
}
