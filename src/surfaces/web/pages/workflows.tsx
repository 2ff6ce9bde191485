/** The workflows of the organization: found, opened, made, imported, exported, deleted. */
import { Button, FileButton, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { SearchX, Workflow } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { toDraft } from '../../client/draft.ts';
import type { Reply } from '../../client/operations.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { EmptyState } from '../kit/empty-state.tsx';
import { LoadMore } from '../kit/load-more.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { words } from '../words.ts';
import { WorkflowTable, type WorkflowItem } from './workflow-table.tsx';

const ConfirmDialog = lazy(async () => ({
  default: (await import('../kit/confirm-dialog.tsx')).ConfirmDialog,
}));
const TextDialog = lazy(async () => ({ default: (await import('../kit/text-dialog.tsx')).TextDialog }));
const SentenceDialog = lazy(async () => ({
  default: (await import('../chats/sentence-dialog.tsx')).SentenceDialog,
}));

const route = getRouteApi('/');
const PAGE = 100;

/** The first node of a new workflow returns its input. */
const FIRST: JsonObject = {
  nodes: [
    {
      id: 'first',
      type: 'transformer',
      name: 'First step',
      position: { x: 320, y: 160 },
      config: { mode: 'map', fields: { text: '{{input.text}}' } },
    },
  ],
  edges: [
    { id: 'start-first', source: '__start__', target: 'first' },
    { id: 'first-end', source: 'first', target: '__end__' },
  ],
};

/** Loaded when a file is chosen or saved: the reader of exact JSON is large for a first page. */
const loadFiles = () => import('./workflow-files.ts');

interface HeadProps {
  readonly onImport: (file: File | null) => void;
  readonly onSentence: () => void;
  readonly onNew: () => void;
}

const HeadActions = ({ onImport, onSentence, onNew }: HeadProps) => (
  <>
    <FileButton accept="application/json,.json" onChange={onImport}>
      {(props) => (
        <Button variant="default" {...props}>
          {words.importWorkflow}
        </Button>
      )}
    </FileButton>
    <Button variant="default" onClick={onSentence}>
      {words.composer.fromSentence}
    </Button>
    <Button onClick={onNew}>{words.newWorkflow}</Button>
  </>
);

/** The text of the search: kept in the address, so that it is there again after a workflow was opened. */
function useSearchText() {
  const { search: given = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(given);
  const change = (next: string): void => {
    setText(next);
    void navigate({ search: next === '' ? {} : { search: next }, replace: true });
  };
  return [text, change] as const;
}

/** Finds the cursor of the page after the last one that was read; null at the end. */
const findNext = (read: readonly Reply<'listWorkflows'>[]): string | null => read.at(-1)?.next_cursor ?? null;

/** The workflows that a text finds, page by page, and the key under which they are kept. */
function useList(search: string) {
  const { client, organizationId } = route.useRouteContext().app;
  const [pages, setPages] = useState(1);
  const key = [organizationId, 'workflows'];
  const readPage = (cursor: string | null) =>
    client.workflows
      .list({
        limit: PAGE,
        ...(cursor === null ? {} : { cursor }),
        ...(search === '' ? {} : { search }),
      })
      .page();
  // Without `useInfiniteQuery`, which the first page of the application would fetch for this list alone.
  const list = useQuery({
    queryKey: [...key, 'pages', search, pages],
    async queryFn() {
      const read = [await readPage(null)];
      for (let cursor = findNext(read); cursor !== null && read.length < pages; cursor = findNext(read))
        read.push(await readPage(cursor));
      return read;
    },
    // The rows stay until the next ones are there.
    placeholderData: keepPreviousData,
  });
  const more = {
    hasNextPage: findNext(list.data ?? []) !== null,
    isFetchingNextPage: list.isPlaceholderData,
    fetchNextPage: async () => setPages(pages + 1),
  };
  return { key, list, more, rows: list.data?.flatMap(({ workflows }) => workflows) ?? [] };
}

/** The Composer makes one, which is opened with the Composer beside it. */
function FromSentence({ onClose }: { readonly onClose: () => void }) {
  const { client, organizationId } = route.useRouteContext().app;
  const navigate = route.useNavigate();
  const open = (workflowId: string): void =>
    void navigate({ to: '/workflows/$workflowId', params: { workflowId }, search: { compose: true } });
  return (
    <Suspense>
      <SentenceDialog client={client} organizationId={organizationId} onClose={onClose} onSaved={open} />
    </Suspense>
  );
}

/** Makes a workflow, and opens it. */
function useCreate() {
  const { client } = route.useRouteContext().app;
  const navigate = route.useNavigate();
  return useMutation({
    mutationFn: ({
      name,
      workflow_schema,
    }: {
      readonly name: string;
      readonly workflow_schema: JsonObject;
    }) => client.workflows.create({ name, workflow_schema: toDraft(workflow_schema) }),
    onSuccess: ({ id }) => void navigate({ to: '/workflows/$workflowId', params: { workflowId: id } }),
  });
}

/** A workflow that is about to be deleted, and the names of those that call it. */
interface WorkflowToDelete extends WorkflowItem {
  readonly callers: readonly string[];
}

/** Deletes a workflow; the dialog names the workflows that call it. */
function useRemoval(key: readonly unknown[], onProblem: (problem: Error) => void) {
  const { client } = route.useRouteContext().app;
  const queries = useQueryClient();
  const [toDelete, setToDelete] = useState<WorkflowToDelete | null>(null);
  const remove = useMutation({
    mutationFn: (workflowId: string) => client.workflows.delete(workflowId),
    onSettled: () => {
      setToDelete(null);
      void queries.invalidateQueries({ queryKey: key });
    },
  });
  const ask = (row: WorkflowItem): Promise<void> =>
    client.workflows
      .usage(row.id)
      .then(
        ({ used_by: users }) => setToDelete({ ...row, callers: users.map(({ name }) => name) }),
        onProblem,
      );
  return { toDelete, ask, close: () => setToDelete(null), remove };
}

export function WorkflowsPage() {
  const { client } = route.useRouteContext().app;
  const [search, setSearch] = useSearchText();
  const [isNaming, setNaming] = useState(false);
  const [isTold, setTold] = useState(false);
  const [problem, setProblem] = useState<Error | null>(null);
  const { key, list, more, rows } = useList(search);
  const create = useCreate();
  const { toDelete, ask, close, remove } = useRemoval(key, setProblem);
  const bring = async (file: File | null): Promise<void> => {
    if (file === null) return;
    setProblem(null);
    const [{ parseDefinition }, text] = await Promise.all([loadFiles(), file.text()]);
    const definition = parseDefinition(text);
    if (definition === null) setProblem(new Error(words.notJson));
    else create.mutate({ name: file.name.replace(/\.json$/i, ''), workflow_schema: definition });
  };
  const keep = (row: WorkflowItem): Promise<void> =>
    Promise.all([loadFiles(), client.workflows.get(row.id)]).then(
      ([{ saveAsFile }, found]) => saveAsFile(row.name, found.workflow_schema),
      setProblem,
    );
  return (
    <Page
      title={words.workflows}
      actions={
        <HeadActions
          onImport={(file) => void bring(file)}
          onSentence={() => setTold(true)}
          onNew={() => setNaming(true)}
        />
      }
    >
      <TextInput
        aria-label={words.search}
        placeholder={words.search}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Failure error={list.error ?? (isNaming ? null : create.error) ?? remove.error ?? problem} />
      {list.isPending && <Waiting />}
      {list.isSuccess &&
        rows.length === 0 &&
        (search === '' ? (
          <EmptyState
            icon={Workflow}
            title={words.empty.title}
            text={words.empty.text}
            action={
              <Button variant="light" onClick={() => setNaming(true)}>
                {words.empty.action}
              </Button>
            }
          />
        ) : (
          <EmptyState icon={SearchX} title={words.nothingFound} />
        ))}
      {rows.length > 0 && (
        <WorkflowTable rows={rows} onExport={(row) => void keep(row)} onDelete={(row) => void ask(row)} />
      )}
      <LoadMore list={more} />
      {isTold && <FromSentence onClose={() => setTold(false)} />}
      <Suspense>
        {isNaming && (
          <TextDialog
            title={words.newWorkflow}
            label={words.name}
            action={words.create}
            field="name"
            isPending={create.isPending}
            error={create.error}
            onClose={() => setNaming(false)}
            onSend={(name) => create.mutate({ name, workflow_schema: FIRST })}
          />
        )}
        <ConfirmDialog
          question={toDelete === null ? null : words.removeSure(toDelete.name)}
          action={words.remove}
          isPending={remove.isPending}
          onClose={close}
          onConfirm={() => toDelete !== null && remove.mutate(toDelete.id)}
        >
          {toDelete !== null && toDelete.callers.length > 0 && (
            <Text style={{ overflowWrap: 'anywhere' }}>{words.calledBy(toDelete.callers)}</Text>
          )}
        </ConfirmDialog>
      </Suspense>
    </Page>
  );
}
