/** The page of open questions: everything that runs of the organization ask people, answered here or on a phone. */
import { Switch, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { LoadMore } from '../kit/load-more.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { OutcomeList } from '../runs/outcome-list.tsx';
import { QuestionCard } from '../runs/question-card.tsx';
import { useHeldRows } from '../kit/use-held-rows.ts';
import { words } from '../words.ts';
import { runWords } from '../words-runs.ts';

const route = getRouteApi('/questions');
const LOOK_AGAIN_MS = 10_000;

export function QuestionsPage() {
  const { client, organizationId } = route.useRouteContext().app;
  const [isMine, setMine] = useState(false);
  const list = useInfiniteQuery({
    queryKey: [organizationId, 'interrupts', isMine],
    queryFn: ({ pageParam: cursor }) =>
      client.interrupts
        .list({
          status: 'pending',
          ...(cursor === null ? {} : { cursor }),
          ...(isMine ? { assignee: 'me' } : {}),
        })
        .page(),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) => LOOK_AGAIN_MS * Math.max(1, state.data?.pages.length ?? 1),
  });
  const open = list.data?.pages.flatMap(({ interrupts }) => interrupts) ?? [];
  const { rows, hold, release } = useHeldRows(open, ({ interrupt_id: id }) => id);
  return (
    <Page
      title={words.questions}
      actions={
        <Switch
          label={runWords.onlyMine}
          checked={isMine}
          onChange={(event) => setMine(event.currentTarget.checked)}
        />
      }
    >
      <OutcomeList client={client} organizationId={organizationId} />
      <Failure error={list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && <Text c="dimmed">{runWords.noQuestions}</Text>}
      {rows.map(({ row: question, isGone }) => (
        <QuestionCard
          key={question.interrupt_id}
          client={client}
          runId={question.run_id}
          runPk={question.run_pk}
          question={question}
          about={`${question.workflow_name} · ${moment(question.created_at)}`}
          isGone={isGone}
          onHold={(isHeld) => (isHeld ? hold : release)(question)}
          // Refused or not: the list tells which questions are left.
          onAnswered={() => void list.refetch()}
        />
      ))}
      <LoadMore list={list} />
    </Page>
  );
}
