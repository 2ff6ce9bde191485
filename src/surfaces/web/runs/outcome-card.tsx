/** A request of a failed run of which nobody knows whether it had its effect, with the decisions about it. */
import { Alert, Button, Card, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Body, WorkflowClient } from '../../client/client.ts';
import type { UnknownOutcome } from '../../client/openapi.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import { useAnswerForm } from '../forms/input-form.tsx';
import { moment } from '../kit/moment.ts';
import { Failure } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { runWords } from '../words-runs.ts';
import { LookButton } from './look-button.tsx';
import { AnswerButtons, QuestionData } from './question-parts.tsx';
import { RerunDialog } from './rerun-dialog.tsx';

type Settlement = Body<'settleUnknownOutcome'>;

const FORM: JsonObject = {
  type: 'object',
  properties: {
    output: { type: 'object', title: runWords.outcomes.output, default: { data: null } },
  },
};
const ACTIONS = (['happened', 'send', 'give_up'] as const).map((id) => ({
  id,
  label: runWords.outcomes.actions[id],
}));

interface CardProps {
  readonly client: WorkflowClient;
  readonly outcome: UnknownOutcome;
  readonly onHold: (isHeld: boolean) => void;
  /** Refused or not: the list tells which are left. */
  readonly onSettled: () => void;
}

export function OutcomeCard({ client, outcome, onHold, onSettled }: CardProps) {
  const { step_id: stepId, run_pk: runPk } = outcome;
  const form = useAnswerForm(`outcome ${stepId}`, FORM);
  const step = useQuery({
    queryKey: ['unknown-outcome', stepId],
    queryFn: () => client.runs.step({ runPk, stepId }),
  });
  const settle = useMutation({
    mutationFn: (body: Settlement) => client.unknownOutcomes.settle(stepId, body),
    onSuccess: form.drop,
    onSettled,
  });
  const navigate = useNavigate();
  const [isRerunning, setRerunning] = useState(false);
  const showRun = async (runId: string): Promise<void> => {
    const { runs } = await client.runs.list({ run_id: runId }).page();
    const made = runs[0]?.id;
    if (made !== undefined) await navigate({ to: '/runs/$runPk', params: { runPk: made } });
  };
  const canGoOn =
    settle.data !== undefined && settle.data.action !== 'give_up' && settle.data.unsettled === 0;
  const send = (action: string | null): void => {
    const data = form.read();
    const chosen = ACTIONS.find(({ id }) => id === action)?.id;
    if (data === null || chosen === undefined) return;
    onHold(true);
    settle.mutate({ action: chosen, ...(chosen === 'happened' ? data : {}) } as Settlement);
  };
  const title = runWords.outcomes.title(outcome.node_name);
  const payload = { door: outcome.door, target: outcome.target, request: step.data?.input ?? null };
  return (
    <Card withBorder component="section" aria-label={title} style={{ overflowWrap: 'anywhere' }}>
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {[outcome.workflow_name, moment(outcome.created_at), runWords.outcomes.failed].join(' · ')}
          </Text>
          <TextLink to="/runs/$runPk" params={{ runPk }} size="sm">
            {runWords.showRun}
          </TextLink>
        </div>
        {outcome.error_message !== null && <Text>{outcome.error_message}</Text>}
        <QuestionData client={client} kind="unknown_effect" payload={payload as Json} />
        {settle.data === undefined && (
          <LookButton client={client} stepId={stepId} request={payload.request as Json} />
        )}
        <Failure error={settle.error ?? step.error} />
        {settle.data !== undefined && (
          <Alert role="status">{runWords.outcomes.settled(settle.data.action, settle.data.unsettled)}</Alert>
        )}
        {canGoOn && (
          <div>
            <Button onClick={() => setRerunning(true)}>{runWords.outcomes.rerun}</Button>
          </div>
        )}
        <RerunDialog
          client={client}
          runPk={runPk}
          from={isRerunning ? { from: 'failed' } : null}
          workflowId={null}
          onClose={() => setRerunning(false)}
          onStarted={(runId) => void showRun(runId)}
        />
        {settle.data === undefined && (
          <>
            {form.fields}
            <AnswerButtons
              actions={ACTIONS}
              isCallback={false}
              pending={settle.isPending ? settle.variables.action : undefined}
              hasAnswered={false}
              onAnswer={send}
            />
          </>
        )}
      </Stack>
    </Card>
  );
}
