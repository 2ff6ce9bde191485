/** The graph that a run has walked, of the run's own definition: read-only, each node with how it came out. */
import { Box, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { buildFrame } from '../canvas/build-frame.ts';
import { ReadOnlyGraph } from '../canvas/read-only-graph.tsx';
import { Failure, Waiting } from '../kit/page.tsx';
import { runWords } from '../words-runs.ts';
import type { ListedStep } from './listed-step.ts';
import { groupVisits, markWalk } from './walk-marks.ts';

interface RunGraphProps {
  readonly runPk: string;
  readonly steps: readonly ListedStep[];
  readonly client: WorkflowClient;
  readonly details: (step: ListedStep) => ReactNode;
}

/** Reads the definition that a run walks: it never changes. */
export const useRunDefinition = (client: WorkflowClient, runPk: string) =>
  useQuery({
    queryKey: ['run-definition', runPk],
    queryFn: async () => {
      const path = { run_pk: runPk };
      const { definition } = await client.request('GET', '/workflow-runs/{run_pk}/definition', { path });
      return definition as unknown as JsonObject;
    },
    staleTime: 'static',
  });

export function RunGraph({ runPk, steps, client, details }: RunGraphProps) {
  const [opened, setOpened] = useState<string | null>(null);
  const definition = useRunDefinition(client, runPk);
  const visits = useMemo(() => groupVisits(steps), [steps]);
  const frame = useMemo(
    () => (definition.data === undefined ? null : buildFrame(definition.data)),
    [definition.data],
  );
  const marks = useMemo(() => markWalk(visits, opened, frame?.edges ?? []), [visits, opened, frame]);
  const step = opened === null ? undefined : visits.get(opened)?.at(-1);
  return (
    <Stack>
      <Failure error={definition.error} />
      {definition.isPending && <Waiting />}
      {frame !== null && (
        <Box h={420}>
          <ReadOnlyGraph label={runWords.graph.label} frame={frame} marks={marks} onSelect={setOpened} />
        </Box>
      )}
      {opened === null && <Text c="dimmed">{runWords.graph.choose}</Text>}
      {opened !== null && (
        <section aria-label={step?.node_name ?? opened}>
          {step === undefined ? <Text c="dimmed">{runWords.notReached}</Text> : details(step)}
        </section>
      )}
    </Stack>
  );
}
