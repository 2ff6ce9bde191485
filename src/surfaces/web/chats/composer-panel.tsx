/** The Composer's chats about this workflow, beside the canvas; a change that it suggests becomes a proposal there. */
import { Button, CloseButton, Group, NativeSelect, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { List } from '../../client/list.ts';
import { isObject, ownValue, type Json } from '../../../language/graph/values/value.ts';
import { useEditing } from '../canvas/context.ts';
import type { Proposal } from '../canvas/proposal.ts';
import { describeError } from '../kit/describe-error.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { readAll } from '../kit/read-all.ts';
import { proposalWords } from '../words-proposal.ts';
import { chatWords } from '../words-chats.ts';
import { words } from '../words.ts';
import { ChatHead, type Chat } from './chat-head.tsx';
import { chatsKey, Conversation, type ChatPlace } from './conversation.tsx';

interface ChatSelectProps {
  readonly chats: readonly Chat[];
  /** Undefined while a new chat has no message yet. */
  readonly openId: string | undefined;
  readonly onOpen: (chat: ChatPlace | null) => void;
}

const ChatSelect = ({ chats, openId, onOpen }: ChatSelectProps) => (
  <NativeSelect
    label={chatWords.list}
    value={openId ?? ''}
    onChange={({ currentTarget }) => onOpen(chats.find(({ id }) => id === currentTarget.value) ?? null)}
  >
    {chats.every(({ id }) => id !== openId) && <option value={openId ?? ''}>{chatWords.new}</option>}
    {chats.map(({ id, title }) => (
      <option key={id} value={id}>
        {title === '' ? chatWords.untitled : title}
      </option>
    ))}
  </NativeSelect>
);

/** Reads the change that a run of the Composer proposes; null when it only said something. */
async function readProposal(client: WorkflowClient, runId: string): Promise<Proposal | null> {
  const record = await client.runs.byRunId(runId).record();
  const saving = record.steps.findLast(({ node_id: nodeId }) => nodeId === 'save');
  if (saving === undefined) return null;
  const { output } = await client.request('GET', '/workflow-runs/{run_pk}/steps/{step_id}', {
    path: { run_pk: record.id, step_id: saving.step_id },
  });
  const [base, definition] = [ownValue(output as Json, 'base'), ownValue(output as Json, 'proposal')];
  if (!isObject(base) || !isObject(definition)) return null;
  return { title: proposalWords.byComposer, label: proposalWords.composed, base, definition };
}

/** Shows the change of an answer again: one that was rejected, or that came while the panel was closed. */
function ShowChange({ runId }: { readonly runId: string }) {
  const { connection, client, organizationId, propose } = useEditing();
  // An answer does not tell whether it proposes a change; its run does, which is read when somebody asks.
  const change = useQuery({
    queryKey: [organizationId, 'proposal', runId],
    queryFn: () => readProposal(client, runId),
    enabled: false,
    staleTime: 'static',
  });
  const show = async (): Promise<void> => {
    const { data, error } = await change.refetch();
    if (error !== null) connection.notify('error', describeError(error));
    else if (data) propose(data);
  };
  if (change.data === null)
    return (
      <Text size="sm" c="dimmed" role="status">
        {proposalWords.noChange}
      </Text>
    );
  return (
    <Button variant="default" size="compact-sm" loading={change.isFetching} onClick={() => void show()}>
      {proposalWords.show}
    </Button>
  );
}

/** Reads all chats: those about one workflow may be older than a page of chats about others. */
const readChats = (client: WorkflowClient): Promise<Chat[]> =>
  readAll(
    new List(
      (query) => client.request('GET', '/composer/chats', { query: { limit: 100, ...query } }),
      ({ items }) => items,
    ),
  );

export function ComposerPanel({ onClose }: { readonly onClose: () => void }) {
  const { connection, client, organizationId, propose } = useEditing();
  const { workflowId } = connection;
  // Undefined: the newest chat about this workflow; null: a new one.
  const [chosen, setChosen] = useState<ChatPlace | null | undefined>(undefined);
  // Resets the conversation between chats, but keeps it when the first message creates its chat.
  const [conversation, setConversation] = useState(0);
  const open = (next: ChatPlace | null): void => {
    setChosen(next);
    setConversation(conversation + 1);
  };
  const chats = useQuery({
    queryKey: [...chatsKey(organizationId, 'composer'), 'about'],
    queryFn: () => readChats(client),
  });
  const listed = chats.data?.filter((chat) => chat.workflow_id === workflowId) ?? [];
  const chat = chosen === undefined ? (listed[0] ?? null) : chosen;
  const known = chats.data?.find(({ id }) => id === chat?.id);
  return (
    <aside className="wc-panel" aria-label={words.composer.name}>
      <div className="wc-form">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h4">
            {words.composer.name}
          </Title>
          <Group gap="xs" wrap="nowrap">
            {chat !== null && (
              <Button variant="default" size="compact-sm" onClick={() => open(null)}>
                {chatWords.new}
              </Button>
            )}
            <CloseButton aria-label={words.composer.close} onClick={onClose} />
          </Group>
        </Group>
        {listed.length > 1 && <ChatSelect chats={listed} openId={chat?.id} onOpen={open} />}
        {known !== undefined && (
          <ChatHead
            client={client}
            organizationId={organizationId}
            kind="composer"
            chat={known}
            onRemoved={() => open(null)}
          />
        )}
        <Failure error={chats.error} />
        {chats.isPending && <Waiting />}
        {chats.isSuccess && (
          <Conversation
            key={conversation}
            client={client}
            organizationId={organizationId}
            kind="composer"
            chat={chat}
            workflowId={workflowId}
            onStarted={setChosen}
            showAction={({ run_id: runId }) => <ShowChange runId={runId} />}
            onAnswered={(runId) =>
              void readProposal(client, runId).then(
                (proposal) => {
                  if (proposal !== null) propose(proposal);
                },
                (error: Error) => connection.notify('error', describeError(error)),
              )
            }
          />
        )}
      </div>
    </aside>
  );
}
