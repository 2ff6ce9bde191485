/** Shows two runs side by side: trigger, author, times and status of each, and the differences of their inputs. */
import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { WorkflowClient } from '../../client/client.ts';
import { listDifferences } from '../../../language/graph/definition/diff.ts';
import { parsePointer } from '../../../language/graph/values/pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { duration, moment } from '../kit/moment.ts';
import { Failure } from '../kit/page.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { usePeople } from '../people/use-people.ts';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';
import { findAuthor } from './find-author.ts';
import type { JoinedRun } from './joined-run.ts';
import { useJoinedRun } from './use-joined-run.ts';
import { ValueDifferences } from './value-differences.tsx';

interface FactsProps {
  readonly title: string;
  readonly run: JoinedRun;
  readonly people: ReadonlyMap<string, string>;
}

function RunFacts({ title, run: { first, newest, credits }, people }: FactsProps) {
  const triggers: Readonly<Record<string, string>> = runWords.triggers;
  const author = findAuthor(first.created_by, people);
  const { deployment_version: version, completed_at: end } = newest;
  const facts = [
    triggers[first.trigger_type] ?? first.trigger_type,
    version === null ? runWords.draftRan : runWords.versionRan(version),
    end === null ? '' : duration((Date.parse(end) - Date.parse(first.started_at)) / 1_000),
    credits > 0 ? words.creditCount(credits) : '',
  ];
  return (
    <Paper component="section" aria-label={title} withBorder p="sm">
      <Group justify="space-between" gap="xs">
        <TextLink to="/runs/$runPk" params={{ runPk: newest.id }} fw={600}>
          {title}
        </TextLink>
        <StatusBadge status={newest.status} />
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {newest.workflow_name}
      </Text>
      <Text size="sm">
        {moment(first.started_at)}
        {author !== '' && ` · ${author}`}
      </Text>
      <Text size="sm" c="dimmed">
        {facts.filter((fact) => fact !== '').join(' · ')}
      </Text>
      {newest.error !== null && (
        <Text size="sm" c="red" style={{ overflowWrap: 'anywhere' }}>
          {newest.error.message}
        </Text>
      )}
    </Paper>
  );
}

const toObject = (value: unknown): JsonObject => (isObject(value) ? value : { '': (value ?? null) as Json });

/** The places in which the inputs differ; nothing when they are the same. */
function Inputs({ runs: [a, b] }: { readonly runs: readonly [JoinedRun, JoinedRun] }) {
  const differences = listDifferences(toObject(a.first.input), toObject(b.first.input));
  if (differences.length === 0) return null;
  return (
    <Stack component="section" gap="xs" aria-label={runWords.runInput}>
      <Title order={2} size="h4">
        {runWords.runInput}
      </Title>
      <ValueDifferences
        differences={differences.map(({ ptr, from, to }) => ({
          path: [runWords.input, ...parsePointer(ptr)],
          values: [from, to],
        }))}
      />
    </Stack>
  );
}

interface ComparedRunsProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
  /** Both runs, by run_pk. */
  readonly runPks: readonly [string, string];
}

export function ComparedRuns({ client, organizationId, runPks }: ComparedRunsProps) {
  const [first, second] = [
    useJoinedRun({ client, organizationId, runPk: runPks[0] }),
    useJoinedRun({ client, organizationId, runPk: runPks[1] }),
  ];
  const people = usePeople(client, organizationId);
  const [a, b] = [first.run, second.run];
  if (a === null || b === null) return <Failure error={first.error ?? second.error} />;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <RunFacts title={runWords.runOf[0]} run={a} people={people} />
        <RunFacts title={runWords.runOf[1]} run={b} people={people} />
      </SimpleGrid>
      <Inputs runs={[a, b]} />
    </>
  );
}
