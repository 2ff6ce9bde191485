/** The files of the organization: uploaded, seen, downloaded and deleted. */
import { Button, CopyButton, Group, Table } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Paperclip } from 'lucide-react';
import { useState } from 'react';
import type { Upload } from '../../client/client.ts';
import type { Reply } from '../../client/operations.ts';
import { FileCard } from '../files/file-card.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { LoadMore } from '../kit/load-more.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { fileWords } from '../words-files.ts';
import { words } from '../words.ts';
import { Uploads } from './uploads.tsx';

const route = getRouteApi('/files');

type StoredFile = Reply<'listFiles'>['files'][number];

interface RowProps {
  readonly file: StoredFile;
  readonly onDelete: () => void;
}

const FileRow = ({ file, onDelete }: RowProps) => (
  <Table.Tr>
    <Table.Td>
      <FileCard file={file.reference} />
    </Table.Td>
    <Table.Td>{moment(file.created_at)}</Table.Td>
    <Table.Td>{file.expires_at === null ? fileWords.withRuns : moment(file.expires_at)}</Table.Td>
    <Table.Td>
      <Group justify="flex-end" gap="xs" wrap="nowrap">
        <CopyButton value={JSON.stringify(file.reference)}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={fileWords.copyReferenceTo(file.name)}
              onClick={copy}
            >
              {copied ? fileWords.copied : fileWords.copyReference}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${words.remove}: ${file.name}`}
          onClick={onDelete}
        >
          {words.remove}
        </Button>
      </Group>
    </Table.Td>
  </Table.Tr>
);

export function FilesPage() {
  const { client, organizationId } = route.useRouteContext().app;
  const [leaving, setLeaving] = useState<StoredFile | null>(null);
  const list = useInfiniteQuery({
    queryKey: [organizationId, 'files'],
    queryFn: ({ pageParam: cursor }) =>
      client.files.list({ limit: 50, ...(cursor === null ? {} : { cursor }) }).page(),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const remove = useMutation({
    mutationFn: (fileId: string) => client.files.delete(fileId),
    onSuccess: () => {
      setLeaving(null);
      void list.refetch();
    },
  });
  const send = (file: File, onProgress: Upload['onProgress']) => client.files.upload({ file, onProgress });
  const rows = list.data?.pages.flatMap(({ files }) => files) ?? [];
  return (
    <Page title={words.files}>
      <Uploads label={fileWords.upload} hint={null} send={send} onUploaded={() => void list.refetch()} />
      <Failure error={list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState icon={Paperclip} title={fileWords.none.title} text={fileWords.none.text} />
      )}
      {rows.length > 0 && (
        <DataTable heads={[words.name, fileWords.uploaded, fileWords.kept, null]}>
          {rows.map((file) => (
            <FileRow key={file.id} file={file} onDelete={() => setLeaving(file)} />
          ))}
        </DataTable>
      )}
      <LoadMore list={list} />
      {leaving !== null && (
        <ConfirmDialog
          question={fileWords.deleteFile(leaving.name)}
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
