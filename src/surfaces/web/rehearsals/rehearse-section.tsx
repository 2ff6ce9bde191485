/** The rehearsal of the draft that is about to be deployed: begun here, or found where the same draft was rehearsed before. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { Failure, Waiting } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { rehearsalWords } from '../words-rehearsals.ts';
import { RehearsalResult } from './rehearsal-result.tsx';
import { useRunChoice } from './run-choice.tsx';
import { isUnderWay, useRehearsal, useRehearsals, useRehearse } from './use-rehearsals.ts';

function Newest({ rehearsalId, hash }: { readonly rehearsalId: string; readonly hash: string | null }) {
  const { data, error, isPending } = useRehearsal(rehearsalId);
  return (
    <>
      <Failure error={error} />
      {isPending && <Waiting />}
      {data !== undefined && hash !== null && data.definition_hash !== hash && (
        <Text size="sm" c="dimmed">
          {rehearsalWords.otherDraft}
        </Text>
      )}
      {data !== undefined && <RehearsalResult rehearsal={data} />}
    </>
  );
}

interface RehearseSectionProps {
  readonly workflowId: string;
  /** Of the draft that is shown; null: not known. */
  readonly hash: string | null;
  /** Whether the draft that is shown is the one that is stored. */
  readonly isStored: boolean;
}

export function RehearseSection({ workflowId, hash, isStored }: RehearseSectionProps) {
  const list = useRehearsals(workflowId);
  const rehearse = useRehearse(workflowId);
  const choice = useRunChoice(workflowId);
  const newest = list.data?.rehearsals.find(
    ({ status, definition_hash: rehearsed }) => isUnderWay(status) || rehearsed === hash,
  );
  const hasAny = (list.data?.rehearsals.length ?? 0) > 0;
  const isWalking = newest !== undefined && isUnderWay(newest.status);
  return (
    <Stack component="section" gap="xs" aria-label={rehearsalWords.section}>
      <Title order={3} size="h5">
        {rehearsalWords.section}
      </Title>
      <Text size="sm" c="dimmed">
        {rehearsalWords.why}
      </Text>
      <Failure error={list.error ?? rehearse.error} />
      {newest !== undefined && <Newest key={newest.id} rehearsalId={newest.id} hash={hash} />}
      {!isWalking && choice.form}
      <Group gap="sm">
        {!isWalking && (
          <Button
            variant="default"
            loading={rehearse.isPending}
            disabled={!isStored || list.isPending}
            onClick={() => rehearse.mutate(choice.runs)}
          >
            {newest === undefined ? rehearsalWords.rehearse : rehearsalWords.again}
          </Button>
        )}
        {newest !== undefined && (
          <TextLink
            to="/workflows/$workflowId/rehearsals/$rehearsalId"
            params={{ workflowId, rehearsalId: newest.id }}
            size="sm"
          >
            {rehearsalWords.openPage}
          </TextLink>
        )}
        {hasAny && (
          <TextLink to="/workflows/$workflowId/rehearsals" params={{ workflowId }} size="sm">
            {rehearsalWords.all}
          </TextLink>
        )}
      </Group>
    </Stack>
  );
}
