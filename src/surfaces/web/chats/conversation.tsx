/** A chat with the Assistant or the Composer: its messages, the answer as it streams, and the field of the next message. */
import { Button, Card, Group, Loader, Stack, Text, Textarea } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Run, RunEnd, WorkflowClient } from '../../client/client.ts';
import type { Reply } from '../../client/operations.ts';
import { isObject, ownValue, type Json } from '../../../language/graph/values/value.ts';
import { ModelText } from '../kit/model-text.tsx';
import { Failure, Waiting } from '../kit/page.tsx';
import { QuestionCard } from '../runs/question-card.tsx';
import { useHeldRows } from '../kit/use-held-rows.ts';
import { useStoredText } from '../kit/use-stored-text.ts';
import { chatWords } from '../words-chats.ts';
import { words } from '../words.ts';
import { useLiveAnswer, type LiveAnswer } from './live-answer.ts';

type ChatKind = 'assistant' | 'composer';
/** The chat that the next message continues. */
export interface ChatPlace {
  readonly id: string;
  readonly thread_id: string;
}
type Message = Reply<'listAssistantMessages'>['items'][number];

export interface ConversationProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
  readonly kind: ChatKind;
  /** Null: the first message begins a chat. */
  readonly chat: ChatPlace | null;
  /** The workflow that the Composer is to change. */
  readonly workflowId?: string;
  readonly onStarted?: (chat: ChatPlace) => void;
  /** The Composer has saved a workflow. */
  readonly onSaved?: (workflowId: string) => void;
  /** The run of an answer has completed. */
  readonly onAnswered?: (runId: string) => void;
  /** Stands below a completed answer. */
  readonly showAction?: (answer: Message) => ReactNode;
}

/** The key under which the chats of a kind are kept. */
export const chatsKey = (organizationId: string, kind: ChatKind) => [organizationId, kind, 'chats'] as const;

function post({ client, kind, chat, workflowId }: ConversationProps, message: string) {
  const thread = chat === null ? {} : { thread_id: chat.thread_id };
  if (kind === 'assistant')
    return client.request('POST', '/assistant/chat', { body: { message, ...thread } });
  // The change of an open workflow is proposed on its canvas: a direct save could overwrite the edits of others.
  const about = workflowId === undefined ? {} : { workflow_id: workflowId, propose: true };
  return client.request('POST', '/composer/chat', { body: { message, ...thread, ...about } });
}

/** The messages of a chat, oldest first. */
function useMessages({ client, organizationId, kind, chat }: ConversationProps) {
  const list = useInfiniteQuery({
    queryKey: [...chatsKey(organizationId, kind), chat?.id, 'messages'],
    enabled: chat !== null,
    queryFn: ({ pageParam }) =>
      client.request('GET', `/${kind}/chats/{chat_id}/messages`, {
        path: { chat_id: chat?.id ?? '' },
        query: { limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const messages: readonly Message[] = list.data?.pages.flatMap(({ items }) => items).toReversed() ?? [];
  return { list, messages };
}

const savedWorkflow = (end: RunEnd | null): string | null => {
  const output = end?.type === 'run_completed' ? (end.output as Json) : null;
  if (!isObject(output) || ownValue(output, 'saved') !== true) return null;
  const workflowId = ownValue(output, 'workflow_id');
  return typeof workflowId === 'string' ? workflowId : null;
};

interface ChatMessageProps {
  readonly message: Message;
  readonly action: ReactNode;
}

function ChatMessage({ message, action }: ChatMessageProps) {
  const isMine = message.role === 'human';
  const end = message.status === 'cancelled' ? chatWords.stopped : (message.error?.message ?? '');
  return (
    <Card
      withBorder
      padding="sm"
      component="li"
      maw="90%"
      style={{ alignSelf: isMine ? 'flex-end' : 'flex-start' }}
    >
      <Text size="sm" c="dimmed">
        {isMine ? chatWords.you : chatWords.model}
      </Text>
      {isMine ? (
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{message.content}</Text>
      ) : (
        message.content !== '' && <ModelText text={message.content} />
      )}
      {!isMine && end !== '' && <Text c="dimmed">{end}</Text>}
      {!isMine && message.status === 'completed' && action}
    </Card>
  );
}

/** Describes the progress of an answer: a model writes workflows as JSON, which nobody wants to read. */
function describeActivity(kind: ChatKind, { nodeId, round, text }: LiveAnswer): string {
  if (kind === 'assistant') return chatWords.thinking;
  if (nodeId === 'save') return words.composer.checking;
  return round > 1 ? words.composer.again(round, text.length) : words.composer.writing(text.length);
}

interface PendingAnswerProps {
  readonly kind: ChatKind;
  readonly live: LiveAnswer;
  readonly isStopping: boolean;
  readonly onStop: () => void;
}

function PendingAnswer({ kind, live, isStopping, onStop }: PendingAnswerProps) {
  return (
    <Stack gap="xs" aria-label={chatWords.model} component="section">
      {kind === 'assistant' && live.text !== '' && <ModelText text={live.text} />}
      <Group gap="xs">
        {live.questions.length === 0 && (
          <>
            <Loader size="xs" aria-hidden />
            <Text c="dimmed" role="status">
              {describeActivity(kind, live)}
            </Text>
          </>
        )}
        <Button variant="default" size="compact-sm" loading={isStopping} onClick={onStop}>
          {chatWords.stop}
        </Button>
      </Group>
    </Stack>
  );
}

interface NextMessageProps {
  readonly draftName: string;
  readonly label: string;
  readonly isPending: boolean;
  readonly isDisabled: boolean;
  readonly onSend: (text: string, sent: () => void) => void;
}

/** The form of the next message: it keeps its text until the service has accepted it. */
function NextMessage({ draftName, label, isPending, isDisabled, onSend }: NextMessageProps) {
  const [text, setText] = useStoredText(draftName);
  const send = (): void => {
    if (text.trim() !== '' && !isPending && !isDisabled) onSend(text.trim(), () => setText(''));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Stack gap="xs">
        <Textarea
          label={label}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={100_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <Button
          type="submit"
          loading={isPending}
          disabled={isDisabled || text.trim() === ''}
          style={{ alignSelf: 'flex-end' }}
        >
          {chatWords.send}
        </Button>
      </Stack>
    </form>
  );
}

/** The state and the actions of a conversation: its messages, and the run that it follows. */
function useConversation(props: ConversationProps) {
  const { client, organizationId, kind, onStarted, onSaved, onAnswered } = props;
  const queries = useQueryClient();
  const { list, messages } = useMessages(props);
  const [sent, setSent] = useState<string | null>(null);
  const last = messages.at(-1);
  const isOpen = last?.role === 'ai' && (last.status === 'pending' || last.status === 'interrupted');
  const runId = sent ?? (isOpen ? last.run_id : null);
  const refresh = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: chatsKey(organizationId, kind) });
  const live = useLiveAnswer(client, runId, (end) => {
    const workflowId = savedWorkflow(end);
    if (workflowId !== null) onSaved?.(workflowId);
    if (end?.type === 'run_completed' && runId !== null) onAnswered?.(runId);
    // The live answer stays until the list has the final one.
    void refresh().then(() => {
      if (end?.type !== 'run_interrupted') setSent((now) => (now === runId ? null : now));
    });
  });
  const send = useMutation({
    mutationFn: (message: string) => post(props, message),
    onSuccess: (started) => {
      setSent(started.run_id);
      if (started.chat_id !== null && started.thread_id !== null)
        onStarted?.({ id: started.chat_id, thread_id: started.thread_id });
      return refresh();
    },
  });
  const stop = useMutation({
    mutationFn: () => client.runs.cancel(runId ?? ''),
    onSuccess: async () => {
      await refresh();
      setSent(null);
    },
  });
  return { list, messages, runId, live, send, stop, refresh, follow: setSent };
}

interface QuestionOfRun {
  readonly question: LiveAnswer['questions'][number];
  readonly runId: string;
}

interface QuestionsProps {
  readonly client: WorkflowClient;
  readonly questions: readonly QuestionOfRun[];
  readonly onAnswered: (next: Run | null) => void;
}

/** The questions of the pending answer; one that somebody else has answered stays while something is typed in it. */
function Questions({ client, questions, onAnswered }: QuestionsProps) {
  const { rows, hold, release } = useHeldRows(questions, ({ question }) => question.interrupt_id);
  return rows.map(({ row, isGone }) => (
    <QuestionCard
      key={row.question.interrupt_id}
      client={client}
      runId={row.runId}
      question={row.question}
      isGone={isGone}
      onHold={(isHeld) => (isHeld ? hold : release)(row)}
      onAnswered={onAnswered}
    />
  ));
}

export function Conversation(props: ConversationProps) {
  const { client, kind } = props;
  const { list, messages, runId, live, send, stop, refresh, follow } = useConversation(props);
  const isAwaited = runId !== null;
  const shown = messages.filter(({ role, run_id: of }) => !(isAwaited && role === 'ai' && of === runId));
  return (
    <Stack>
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {chatWords.older}
        </Button>
      )}
      {props.chat !== null && list.isPending && <Waiting />}
      {shown.length > 0 && (
        <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
          {shown.map((message) => (
            <ChatMessage key={message.id} message={message} action={props.showAction?.(message)} />
          ))}
        </Stack>
      )}
      {isAwaited && (
        <PendingAnswer kind={kind} live={live} isStopping={stop.isPending} onStop={() => stop.mutate()} />
      )}
      <Questions
        client={client}
        questions={isAwaited ? live.questions.map((question) => ({ question, runId })) : []}
        onAnswered={(next) => {
          if (next === null) void refresh();
          else follow(next.runId);
        }}
      />
      <Failure error={list.error ?? live.trouble ?? send.error ?? stop.error} />
      <NextMessage
        draftName={`${kind} ${props.chat?.id ?? ''}`}
        label={kind === 'assistant' ? chatWords.message : words.composer.message}
        isPending={send.isPending}
        isDisabled={isAwaited}
        onSend={(text, accepted) => send.mutate(text, { onSuccess: accepted })}
      />
    </Stack>
  );
}
