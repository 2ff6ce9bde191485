/** Two runs on synced canvases, each of its own definition: how each node came out, and where the runs differ. */
import { Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { ComparedNode } from '../../client/openapi.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { buildFrame } from '../canvas/build-frame.ts';
import type { GraphMarks } from '../canvas/read-only-graph.tsx';
import { alignFrames } from '../diff/align-frames.ts';
import { ChangeList } from '../diff/change-list.tsx';
import { SyncedGraphs } from '../diff/synced-graphs.tsx';
import { Failure } from '../kit/page.tsx';
import { listDefinitionChanges } from '../pages/definition-diff.ts';
import { runWords } from '../words-runs.ts';
import { useRunDefinition } from './run-graph.tsx';
import { useJoinedRun } from './use-joined-run.ts';
import { groupVisits, markWalk, type Visits } from './walk-marks.ts';

/** Whether a node came out otherwise. */
const differs = ({ a, b, output_differs, branch_differs }: ComparedNode): boolean =>
  output_differs || branch_differs || a?.status !== b?.status || a?.error_code !== b?.error_code;

interface GraphsProps {
  readonly definitions: readonly [JsonObject, JsonObject];
  readonly visits: readonly [Visits, Visits];
  readonly nodes: readonly ComparedNode[];
  readonly selected: string | null;
  readonly onSelect: (nodeId: string | null) => void;
}

function Graphs({ definitions: [a, b], visits, nodes, selected, onSelect }: GraphsProps) {
  const own = useMemo(() => [buildFrame(a), buildFrame(b)] as const, [a, b]);
  const frames = useMemo(() => alignFrames(...own), [own]);
  const changed = useMemo(() => new Set(nodes.filter(differs).map(({ node_id: id }) => id)), [nodes]);
  const ids = useMemo(() => own.map(({ nodes: listed }) => new Set(listed.map(({ id }) => id))), [own]);
  const mark = (side: 0 | 1): GraphMarks => {
    const walk = markWalk(visits[side], selected, own[side].edges);
    return {
      ...walk,
      findNode: (nodeId) => ({
        ...walk.findNode(nodeId),
        ...(changed.has(nodeId) ? { sign: 'changed' } : {}),
        ...(ids[side]?.has(nodeId) === true ? {} : { missing: runWords.notInDefinition }),
      }),
    };
  };
  const [first, second] = runWords.runOf;
  return (
    <SyncedGraphs
      sides={[
        { title: runWords.titleGraph(first), caption: '', frame: frames[0], marks: mark(0) },
        { title: runWords.titleGraph(second), caption: '', frame: frames[1], marks: mark(1) },
      ]}
      selected={selected === null ? [] : [selected]}
      changed={changed}
      onSelect={onSelect}
    />
  );
}

interface ComparedGraphsProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
  /** Both runs, by run_pk. */
  readonly runPks: readonly [string, string];
  readonly nodes: readonly ComparedNode[];
  readonly selected: string | null;
  readonly onSelect: (nodeId: string | null) => void;
}

export function ComparedGraphs({ client, organizationId, runPks, ...chosen }: ComparedGraphsProps) {
  const [a, b] = [useRunDefinition(client, runPks[0]), useRunDefinition(client, runPks[1])];
  const [first, second] = [
    useJoinedRun({ client, organizationId, runPk: runPks[0] }).run,
    useJoinedRun({ client, organizationId, runPk: runPks[1] }).run,
  ];
  const visits = useMemo(
    () => [groupVisits(first?.steps ?? []), groupVisits(second?.steps ?? [])] as const,
    [first, second],
  );
  if (a.data === undefined || b.data === undefined || first === null || second === null)
    return <Failure error={a.error ?? b.error} />;
  return (
    <>
      <Graphs definitions={[a.data, b.data]} visits={visits} {...chosen} />
      <Definitions before={a.data} after={b.data} />
    </>
  );
}

/** The differences of the definitions that two runs walked; nothing when they are the same. */
function Definitions({ before, after }: { readonly before: JsonObject; readonly after: JsonObject }) {
  const changes = useMemo(() => listDefinitionChanges(before, after), [before, after]);
  if (changes.length === 0) return null;
  return (
    <Stack component="section" gap="xs" aria-label={runWords.definitionDiffers}>
      <Title order={2} size="h4">
        {runWords.definitionDiffers}
      </Title>
      <Text size="sm" c="dimmed">
        {runWords.otherDefinition}
      </Text>
      <ChangeList changes={changes} definitions={{ before, after }} />
    </Stack>
  );
}
