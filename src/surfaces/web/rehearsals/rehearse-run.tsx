/** The button that rehearses one run in the draft, beside running it again: nothing is sent. */
import { Button, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Failure } from '../kit/page.tsx';
import { rehearsalWords } from '../words-rehearsals.ts';
import { useRehearse } from './use-rehearsals.ts';

export function RehearseRun({ workflowId, runPk }: { readonly workflowId: string; readonly runPk: string }) {
  const navigate = useNavigate();
  const rehearse = useRehearse(workflowId);
  const begin = (): void =>
    rehearse.mutate([runPk], {
      onSuccess: ({ id: rehearsalId }) =>
        void navigate({
          to: '/workflows/$workflowId/rehearsals/$rehearsalId',
          params: { workflowId, rehearsalId },
        }),
    });
  return (
    <Stack gap="xs">
      <Button variant="default" title={rehearsalWords.oneWhy} loading={rehearse.isPending} onClick={begin}>
        {rehearsalWords.inDraft}
      </Button>
      <Failure error={rehearse.error} />
    </Stack>
  );
}
