/** The workflows of the organization: found, opened, made, imported, exported, deleted. */
import { Button, FileButton, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { SearchX, Workflow } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { toDraft } from '../../client/draft.ts';
import { cutText } from '../../graph/cut-text.ts';
import { parseExactJson } from '../../graph/exact-json.ts';
import { isObject, type JsonObject } from '../../graph/value.ts';
import { EmptyState } from '../kit/empty-state.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { TextDialog } from '../kit/text-dialog.tsx';
import { words } from '../words.ts';
import { WorkflowTable, type WorkflowItem } from './workflow-table.tsx';

const SentenceDialog = lazy(async () => ({
  default: (await import('../chats/sentence-dialog.tsx')).SentenceDialog,
}));

const route = getRouteApi('/');

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

/** A definition of its own, or a record as GET /workflows/{workflow_id} answers it. */
function definitionIn(text: string): JsonObject | null {
  try {
    const given = parseExactJson(text);
    if (!isObject(given)) return null;
    const inner = isObject(given['workflow_schema']) ? given['workflow_schema'] : given;
    return Array.isArray(inner['nodes']) && Array.isArray(inner['edges']) ? inner : null;
  } catch {
    return null;
  }
}

function save(name: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${cutText(name.replaceAll(/[^\p{L}\p{N}-]+/gu, '-'), 60) || 'workflow'}.json`;
  link.click();
  URL.revokeObjectURL(url);
}

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

/** The workflows that a text finds, and the key under which they are kept. */
function useList(search: string) {
  const { client, organizationId } = route.useRouteContext().app;
  const key = [organizationId, 'workflows'];
  const list = useQuery({
    queryKey: [...key, search],
    queryFn: () =>
      client.workflows.list(search === '' ? { page_size: 100 } : { page_size: 100, search }).page(),
  });
  return { key, list };
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
interface Leaving extends WorkflowItem {
  readonly callers: readonly string[];
}

/** Deletes a workflow; the dialog names the workflows that call it. */
function useRemoval(key: readonly unknown[], onProblem: (problem: Error) => void) {
  const { client } = route.useRouteContext().app;
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  const remove = useMutation({
    mutationFn: (workflowId: string) => client.workflows.delete(workflowId),
    onSettled: () => {
      setLeaving(null);
      void queries.invalidateQueries({ queryKey: key });
    },
  });
  const ask = (row: WorkflowItem): Promise<void> =>
    client.workflows
      .usage(row.id)
      .then(
        ({ used_by: users }) => setLeaving({ ...row, callers: users.map(({ name }) => name) }),
        onProblem,
      );
  return { leaving, ask, close: () => setLeaving(null), remove };
}

export function WorkflowsPage() {
  const { client } = route.useRouteContext().app;
  const [search, setSearch] = useState('');
  const [isNaming, setNaming] = useState(false);
  const [isTold, setTold] = useState(false);
  const [problem, setProblem] = useState<Error | null>(null);
  const { key, list } = useList(search);
  const create = useCreate();
  const { leaving, ask, close, remove } = useRemoval(key, setProblem);
  const bring = async (file: File | null): Promise<void> => {
    if (file === null) return;
    setProblem(null);
    const definition = definitionIn(await file.text());
    if (definition === null) setProblem(new Error(words.notJson));
    else create.mutate({ name: file.name.replace(/\.json$/i, ''), workflow_schema: definition });
  };
  const keep = (row: WorkflowItem): Promise<void> =>
    client.workflows.get(row.id).then((found) => save(row.name, found.workflow_schema), setProblem);
  const rows = list.data?.workflows ?? [];
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
      {isTold && <FromSentence onClose={() => setTold(false)} />}
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
        question={leaving === null ? null : words.removeSure(leaving.name)}
        action={words.remove}
        isPending={remove.isPending}
        onClose={close}
        onConfirm={() => leaving !== null && remove.mutate(leaving.id)}
      >
        {leaving !== null && leaving.callers.length > 0 && (
          <Text style={{ overflowWrap: 'anywhere' }}>{words.calledBy(leaving.callers)}</Text>
        )}
      </ConfirmDialog>
    </Page>
  );
}
