/** The workflows of the organization: found, opened, made, imported, exported, deleted. */
import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  FileButton,
  Group,
  Modal,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isObject, type Json, type JsonObject } from '../../graph/value.ts';
import { moment } from '../kit/moment.ts';
import { LINK } from './runs.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/');

/** What a new workflow begins with: one node that repeats what it is given. */
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
    const given = JSON.parse(text) as Json;
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
  link.download = `${name.replaceAll(/[^\p{L}\p{N}-]+/gu, '-').slice(0, 60) || 'workflow'}.json`;
  link.click();
  URL.revokeObjectURL(url);
}

export function WorkflowsPage() {
  const { place } = route.useRouteContext();
  const { client, organizationId } = place;
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const [search, setSearch] = useState('');
  const [name, setName] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const key = [organizationId, 'workflows'];
  const list = useQuery({
    queryKey: [...key, search],
    queryFn: () =>
      client.workflows.list(search === '' ? { page_size: 100 } : { page_size: 100, search }).page(),
  });
  const refused = (error: Error): void => setProblem(`${words.failed} ${error.message}`);
  const create = useMutation({
    mutationFn: (body: { readonly name: string; readonly workflow_schema: JsonObject }) =>
      client.workflows.create(body as Parameters<typeof client.workflows.create>[0]),
    onError: refused,
    onSuccess: ({ id }) => void navigate({ to: '/workflows/$workflowId', params: { workflowId: id } }),
  });
  const remove = useMutation({
    mutationFn: (workflowId: string) => client.workflows.delete(workflowId),
    onError: refused,
    onSettled: () => {
      setLeaving(null);
      void queries.invalidateQueries({ queryKey: key });
    },
  });
  const bring = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const definition = definitionIn(await file.text());
    if (definition === null) setProblem(words.notJson);
    else create.mutate({ name: file.name.replace(/\.json$/i, ''), workflow_schema: definition });
  };
  const rows = list.data?.workflows ?? [];
  return (
    <Stack p="md" maw={1100} mx="auto">
      <Group justify="space-between">
        <Title order={1} size="h2">
          {words.workflows}
        </Title>
        <Group gap="xs">
          <FileButton accept="application/json,.json" onChange={(file) => void bring(file)}>
            {(props) => (
              <Button variant="default" {...props}>
                {words.importWorkflow}
              </Button>
            )}
          </FileButton>
          <Button onClick={() => setName('')}>{words.newWorkflow}</Button>
        </Group>
      </Group>
      <TextInput
        aria-label={words.search}
        placeholder={words.search}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {(problem !== null || list.isError) && (
        <Alert color="red" role="alert" withCloseButton onClose={() => setProblem(null)}>
          {problem ?? `${words.failed} ${list.error?.message ?? ''}`}
        </Alert>
      )}
      {list.isSuccess && rows.length === 0 && (
        <Text c="dimmed">{search === '' ? words.empty : words.nothingFound}</Text>
      )}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={320}>
          <Table highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.name}</Table.Th>
                <Table.Th>{words.status}</Table.Th>
                <Table.Th>{words.edited}</Table.Th>
                <Table.Td />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.id}>
                  <Table.Td>
                    <Link
                      to="/workflows/$workflowId"
                      params={{ workflowId: row.id }}
                      search={{}}
                      style={LINK}
                    >
                      {row.name}
                    </Link>
                  </Table.Td>
                  <Table.Td>
                    <Badge variant="default">{row.status}</Badge>
                  </Table.Td>
                  <Table.Td>{moment(row.updated_at)}</Table.Td>
                  <Table.Td>
                    <Group gap={4} justify="flex-end" wrap="nowrap">
                      <ActionIcon
                        variant="subtle"
                        aria-label={`${words.exportWorkflow}: ${row.name}`}
                        onClick={() =>
                          void client.workflows
                            .get(row.id)
                            .then((found) => save(row.name, found.workflow_schema), refused)
                        }
                      >
                        <Download size={16} />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        color="red"
                        aria-label={`${words.remove}: ${row.name}`}
                        onClick={() => setLeaving({ id: row.id, name: row.name })}
                      >
                        <Trash2 size={16} />
                      </ActionIcon>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Modal opened={name !== null} onClose={() => setName(null)} title={words.newWorkflow}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (name !== null && name.trim() !== '')
              create.mutate({ name: name.trim(), workflow_schema: FIRST });
          }}
        >
          <Stack>
            <TextInput
              label={words.name}
              value={name ?? ''}
              maxLength={255}
              data-autofocus
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" loading={create.isPending} disabled={(name ?? '').trim() === ''}>
              {words.create}
            </Button>
          </Stack>
        </form>
      </Modal>
      <Modal opened={leaving !== null} onClose={() => setLeaving(null)} title={words.remove}>
        <Stack>
          <Text>{words.removeSure(leaving?.name ?? '')}</Text>
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={() => setLeaving(null)}>
              {words.cancel}
            </Button>
            <Button
              color="red"
              loading={remove.isPending}
              onClick={() => leaving !== null && remove.mutate(leaving.id)}
            >
              {words.remove}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Stack>
  );
}
