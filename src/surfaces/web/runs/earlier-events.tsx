/** The events of the segments before the newest: a segment's stream is read when somebody wants it, for a run may have many. */
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { runWords } from '../words-runs.ts';
import { EventList } from './event-list.tsx';
import type { JoinedRun } from './joined-run.ts';
import { useRunStream } from './use-run-stream.ts';

interface SegmentProps {
  readonly client: WorkflowClient;
  readonly runId: string;
}

const SegmentEvents = ({ client, runId }: SegmentProps) => (
  <EventList stream={useRunStream({ client, runId, isWanted: true })} />
);

interface EarlierEventsProps {
  readonly client: WorkflowClient;
  readonly run: JoinedRun;
}

/** Each click adds the segment before those that are shown. */
export function EarlierEvents({ client, run: { segments } }: EarlierEventsProps) {
  const [count, setCount] = useState(0);
  const earlier = segments.slice(0, -1);
  const shown = earlier.slice(Math.max(0, earlier.length - count));
  return (
    <Stack gap="xs">
      {shown.length < earlier.length && (
        <Button
          variant="default"
          size="compact-md"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setCount(count + 1)}
        >
          {runWords.earlierEvents}
        </Button>
      )}
      {shown.map(({ run_id: runId }) => (
        <SegmentEvents key={runId} client={client} runId={runId} />
      ))}
    </Stack>
  );
}
