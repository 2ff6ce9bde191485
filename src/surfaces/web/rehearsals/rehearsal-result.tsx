/** A rehearsal as it stands: its progress, or what it found in one sentence, with groups of runs that open. */
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { Reply } from '../../client/operations.ts';
import { Failure } from '../kit/page.tsx';
import { rehearsalWords, summarize } from '../words-rehearsals.ts';
import { RunGroup } from './run-group.tsx';
import { isUnderWay, useCancel, useNodeNames } from './use-rehearsals.ts';

/** Groups that the API lists. */
const MAX_GROUPS = 100;

export type RehearsalWithGroups = Reply<'getRehearsal'>;

function Walking({ rehearsal }: { readonly rehearsal: RehearsalWithGroups }) {
  const { id, workflow_id: workflowId, walked, total } = rehearsal;
  const cancel = useCancel(workflowId, id);
  const text = rehearsalWords.progress(walked, total);
  return (
    <Stack gap="xs">
      <Group gap="sm" wrap="nowrap">
        <Progress.Root flex={1}>
          <Progress.Section
            value={total === 0 ? 0 : (100 * walked) / total}
            aria-label={rehearsalWords.progressLabel}
            aria-valuetext={text}
          />
        </Progress.Root>
        <Text size="sm" miw="max-content">
          {text}
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {rehearsalWords.cancel}
        </Button>
      </Group>
      <Failure error={cancel.error} />
    </Stack>
  );
}

export function RehearsalResult({ rehearsal }: { readonly rehearsal: RehearsalWithGroups }) {
  const { id, workflow_id: workflowId, status, walked, total, counts, groups } = rehearsal;
  const names = useNodeNames(workflowId);
  if (isUnderWay(status)) return <Walking rehearsal={rehearsal} />;
  const others = groups.filter(({ verdict }) => verdict !== 'same');
  return (
    <Stack gap="xs">
      <Text role="status">
        {status === 'cancelled' && `${rehearsalWords.cancelled(walked, total)} `}
        {(status !== 'cancelled' || walked > 0) && summarize(counts)}
      </Text>
      {others.length > 0 && (
        <Stack gap="xs" role="list" aria-label={rehearsalWords.differences}>
          {others.map((group) => (
            <RunGroup key={group.group} rehearsalId={id} group={group} names={names} />
          ))}
        </Stack>
      )}
      {groups.length >= MAX_GROUPS && (
        <Text size="sm" c="dimmed">
          {rehearsalWords.mostGroups}
        </Text>
      )}
    </Stack>
  );
}
