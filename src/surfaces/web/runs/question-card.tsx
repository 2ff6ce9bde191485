/** A question of a run, with its form and its answers. */
import { Card, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { components, Run, WorkflowClient } from '../../client/client.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { useAnswerForm } from '../forms/input-form.tsx';
import { CopyField } from '../kit/copy-field.tsx';
import { hasCode } from '../kit/has-code.ts';
import { Failure } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { AnswerLinks, type AnswerLink } from './answer-links.tsx';
import { LookButton } from './look-button.tsx';
import { QuestionOutcome, useOutcome } from './question-outcome.tsx';
import { AnswerButtons, listTerms, QuestionData } from './question-parts.tsx';
import { runWords } from '../words-runs.ts';

export type OpenQuestion = components['schemas']['OpenInterrupt'];

interface CardProps {
  readonly client: WorkflowClient;
  readonly runId: string;
  readonly question: Pick<
    OpenQuestion,
    | 'interrupt_id'
    | 'kind'
    | 'required_responses'
    | 'title'
    | 'message'
    | 'payload'
    | 'form'
    | 'actions'
    | 'expires_at'
  > & {
    readonly step_id?: string;
    readonly responses?: readonly unknown[];
    readonly links?: readonly AnswerLink[];
    readonly callback_url?: string | null;
  };
  /** Below the title: who asks, and since when. */
  readonly about?: string;
  /** The page of the run that asks, where the card stands elsewhere. */
  readonly runPk?: string;
  /** The list no longer has the question. */
  readonly isGone: boolean;
  /** Whether the card must stay when the question is closed: something is typed in it, or was sent. */
  readonly onHold: (isHeld: boolean) => void;
  /** The run that goes on; null where the answer was refused, for example because somebody was first. */
  readonly onAnswered: (next: Run | null) => void;
}

interface Answer {
  readonly action: string | null;
  readonly data: JsonObject;
}

const readRequest = (payload: unknown): Json =>
  isObject(payload as Json) ? (ownValue(payload as JsonObject, 'request') ?? null) : null;

export function QuestionCard({
  client,
  runId,
  question,
  about,
  runPk,
  isGone,
  onHold,
  onAnswered,
}: CardProps) {
  const form = useAnswerForm(question.interrupt_id, question.form as JsonObject | null);
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: ({ action, data }: Answer) =>
      client.runs.resume(runId, {
        interrupt_id: question.interrupt_id,
        ...(action === null ? {} : { action }),
        ...(question.form === null ? {} : { data }),
      }),
    onSuccess: () => {
      form.drop();
      onHold(false);
    },
    onSettled: (next) => {
      // The count in the navigation.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'openQuestions' });
      onAnswered(next ?? null);
    },
  });
  const send = (action: string | null): void => {
    const data = form.read();
    if (data === null) return;
    onHold(true);
    answer.mutate({ action, data });
  };
  const hasTyped = form.typed !== '';
  const hold = useEffectEvent(() => onHold(true));
  useEffect(() => {
    if (hasTyped) hold();
  }, [hasTyped]);
  const isClosed = isGone || hasCode(answer.error, 'interrupt_closed');
  const place = { client, runId, interruptId: question.interrupt_id };
  const outcome = useOutcome(place, isClosed && !answer.isPending && !answer.isSuccess);
  const required = question.required_responses ?? 1;
  const isCallback = question.kind === 'callback';
  const title = question.title === '' ? runWords.question : question.title;
  const terms = listTerms({
    isCallback,
    required,
    given: question.responses?.length ?? 0,
    expiresAt: question.expires_at,
  });
  const hasAnswered = (required > 1 && answer.isSuccess) || hasCode(answer.error, 'already_responded');
  return (
    <Card withBorder component="section" aria-label={title} style={{ overflowWrap: 'anywhere' }}>
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {[...(about === undefined ? [] : [about]), ...terms].join(' · ')}
          </Text>
          {runPk !== undefined && (
            <TextLink to="/runs/$runPk" params={{ runPk }} size="sm">
              {runWords.showRun}
            </TextLink>
          )}
        </div>
        {question.message !== '' && <Text style={{ whiteSpace: 'pre-wrap' }}>{question.message}</Text>}
        <QuestionData client={client} kind={question.kind} payload={question.payload as Json} />
        {outcome === null && question.kind === 'unknown_effect' && question.step_id !== undefined && (
          <LookButton client={client} stepId={question.step_id} request={readRequest(question.payload)} />
        )}
        {outcome !== null && (
          <QuestionOutcome
            client={client}
            outcome={outcome}
            typed={form.typed}
            onDismiss={() => {
              form.drop();
              onHold(false);
            }}
          />
        )}
        {outcome === null && !hasAnswered && form.fields}
        {typeof question.callback_url === 'string' && (
          <CopyField label={runWords.copyCallback} value={question.callback_url} />
        )}
        <AnswerLinks links={question.links ?? []} />
        {outcome === null && !hasAnswered && <Failure error={answer.error} />}
        {outcome === null && (
          <AnswerButtons
            actions={question.actions}
            isCallback={isCallback}
            pending={answer.isPending ? answer.variables.action : undefined}
            hasAnswered={hasAnswered}
            onAnswer={send}
          />
        )}
      </Stack>
    </Card>
  );
}
