/** The end of a question that somebody else has answered, or that is closed, beside what was typed for it. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { components, WorkflowClient } from '../../client/client.ts';
import { ownValue, type Json } from '../../../language/graph/values/value.ts';
import { CopyField } from '../kit/copy-field.tsx';
import { useOwner } from '../kit/owner.ts';
import { usePeople } from '../people/use-people.ts';
import { runWords } from '../words-runs.ts';

type Interrupt = components['schemas']['Interrupt'];

interface QuestionPlace {
  readonly client: WorkflowClient;
  readonly runId: string;
  readonly interruptId: string;
}

/** Reads how a question has ended. @param isWanted whether it may have @returns null while it is open, or not read yet */
export function useOutcome(
  { client, runId, interruptId }: QuestionPlace,
  isWanted: boolean,
): Interrupt | null {
  const { organizationId } = useOwner();
  const { data = null } = useQuery({
    queryKey: [organizationId, 'question outcome', interruptId],
    queryFn: async () => {
      const { interrupts } = await client.runs.byRunId(runId).record();
      return interrupts.find(({ interrupt_id: id }) => id === interruptId) ?? null;
    },
    enabled: isWanted,
    staleTime: 0,
  });
  return isWanted && data !== null && data.status !== 'pending' ? data : null;
}

function describeOutcome(
  { status, response, responded_by: userId, responded_email: email, actions }: Interrupt,
  people: ReadonlyMap<string, string>,
): string {
  const why = ownValue(runWords.closed, status);
  if (typeof why === 'string') return why;
  const action = ownValue(response as Json, 'action');
  const label = actions.find(({ id }) => id === action)?.label ?? '';
  const who = (userId === null ? email : people.get(userId)) ?? runWords.somebodyElse;
  return runWords.answeredFirst(who, label);
}

interface OutcomeProps {
  readonly client: WorkflowClient;
  readonly outcome: Interrupt;
  /** The own answer as it was typed; empty: none. */
  readonly typed: string;
  readonly onDismiss: () => void;
}

export function QuestionOutcome({ client, outcome, typed, onDismiss }: OutcomeProps) {
  const people = usePeople(client, useOwner().organizationId);
  return (
    <Stack gap="sm">
      <Text role="alert" fw={600}>
        {describeOutcome(outcome, people)}
      </Text>
      {typed !== '' && (
        <div>
          <Text size="sm">{runWords.yourText}</Text>
          <CopyField label={runWords.copyText} value={typed} />
        </div>
      )}
      <Group>
        <Button variant="default" size="compact-sm" onClick={onDismiss}>
          {runWords.dismiss}
        </Button>
      </Group>
    </Stack>
  );
}
