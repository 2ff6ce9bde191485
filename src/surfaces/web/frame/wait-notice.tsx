/** Shows that requests of the page wait, why, and for how long. */
import { Paper, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { systemClock } from '../../../base/clock.ts';
import { useNow } from '../kit/relative-time.tsx';
import { readWait, subscribeToWaits, type ShownWait } from '../session/waits.ts';
import { words } from '../words.ts';

export function WaitNotice() {
  const wait = useSyncExternalStore(subscribeToWaits, readWait);
  return wait === null ? null : <Countdown key={wait.untilMs} {...wait} />;
}

function Countdown({ reason, untilMs }: ShownWait) {
  useNow();
  const leftSeconds = Math.ceil((untilMs - systemClock.monotonic()) / 1_000);
  if (leftSeconds <= 0) return null;
  return (
    <Paper withBorder shadow="md" p="sm">
      <Text size="sm" role="status">
        {words.waits[reason]}
      </Text>
      <Text size="sm" c="dimmed">
        {words.waits.goesOn(leftSeconds)}
      </Text>
    </Paper>
  );
}
