/** The button that rehearses one run in the draft, beside running it again: nothing is sent. */
import { Button, Stack } from '@mantine/core';
import { Failure } from '../kit/page.tsx';
import { rehearsalWords } from '../words-rehearsals.ts';
import { useRehearseAndShow } from './use-rehearsals.ts';

export function RehearseRun({ workflowId, runPk }: { readonly workflowId: string; readonly runPk: string }) {
  const { begin, isPending, error } = useRehearseAndShow(workflowId);
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        title={rehearsalWords.oneWhy}
        loading={isPending}
        onClick={() => begin({ run_pks: [runPk] })}
      >
        {rehearsalWords.inDraft}
      </Button>
      <Failure error={error} />
    </Stack>
  );
}
