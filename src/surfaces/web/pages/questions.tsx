/** The page of open questions: everything that runs of the organization ask people, answered here or on a phone. */
import { Group, Switch, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { listOptions } from '../kit/list-options.ts';
import { LoadMore } from '../kit/load-more.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { ChoiceFilter } from '../kit/search-filters.tsx';
import { OutcomeList } from '../runs/outcome-list.tsx';
import { QuestionCard } from '../runs/question-card.tsx';
import { parseQuestionSearch, QUESTION_KINDS, type QuestionSearch } from '../runs/question-search.ts';
import { useHeldRows } from '../kit/use-held-rows.ts';
import { words } from '../words.ts';
import { runWords } from '../words-runs.ts';

const route = getRouteApi('/questions');
const LOOK_AGAIN_MS = 10_000;
const KINDS = listOptions(QUESTION_KINDS, runWords.questionKinds);

export function QuestionsPage() {
  const { client, organizationId } = route.useRouteContext().app;
  const given = route.useSearch();
  const search = useMemo(() => parseQuestionSearch({ ...given }), [given]);
  const { kind, mine } = search;
  const navigate = route.useNavigate();
  const filter = (next: QuestionSearch): void =>
    void navigate({ to: '/questions', search: parseQuestionSearch({ ...next }), replace: true });
  const list = useInfiniteQuery({
    queryKey: [organizationId, 'interrupts', search],
    queryFn: ({ pageParam: cursor }) =>
      client.interrupts
        .list({
          status: 'pending',
          ...(cursor === null ? {} : { cursor }),
          ...(mine ? { assignee: 'me' } : {}),
          ...(kind === undefined ? {} : { kind }),
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
        <Group gap="sm">
          <ChoiceFilter
            label={runWords.questionKind}
            any={runWords.anyQuestionKind}
            data={KINDS}
            value={kind}
            onChange={(chosen) => filter({ ...search, kind: chosen as QuestionSearch['kind'] })}
          />
          <Switch
            label={runWords.onlyMine}
            checked={mine ?? false}
            onChange={(event) => filter({ ...search, mine: event.currentTarget.checked ? true : undefined })}
          />
        </Group>
      }
    >
      {(kind === undefined || kind === 'unknown_effect') && (
        <OutcomeList client={client} organizationId={organizationId} />
      )}
      <Failure error={list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rows.length === 0 && (
        <Text c="dimmed">{kind === undefined ? runWords.noQuestions : runWords.noQuestionsOfKind}</Text>
      )}
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
