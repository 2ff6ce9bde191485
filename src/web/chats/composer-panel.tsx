/** The Composer beside the canvas, with its chats about this workflow: its changes are proposed on the canvas. */
import { Button, CloseButton, Group, NativeSelect, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { isObject, ownValue, type Json } from '../../graph/value.ts';
import { useEditing } from '../canvas/context.ts';
import type { Proposal } from '../canvas/proposal.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { proposalWords } from '../words-proposal.ts';
import { words } from '../words.ts';
import { ChatHead, type Chat } from './chat-head.tsx';
import { chatsKey, Conversation, type ChatPlace } from './conversation.tsx';

interface ChoiceProps {
  readonly chats: readonly Chat[];
  /** Undefined: the chat that its first message will begin. */
  readonly openId: string | undefined;
  readonly onOpen: (chat: ChatPlace | null) => void;
}

const Choice = ({ chats, openId, onOpen }: ChoiceProps) => (
  <NativeSelect
    label={words.chat.list}
    value={openId ?? ''}
    onChange={({ currentTarget }) => onOpen(chats.find(({ id }) => id === currentTarget.value) ?? null)}
  >
    {chats.every(({ id }) => id !== openId) && <option value={openId ?? ''}>{words.chat.new}</option>}
    {chats.map(({ id, title }) => (
      <option key={id} value={id}>
        {title === '' ? words.chat.untitled : title}
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

export function ComposerPanel({ onClose }: { readonly onClose: () => void }) {
  const { connection, client, organizationId, propose } = useEditing();
  const { workflowId } = connection;
  // Undefined: the newest chat about this workflow; null: a new one.
  const [chosen, setChosen] = useState<ChatPlace | null | undefined>(undefined);
  // Resets the conversation between chats, but keeps it when the first message creates its chat.
  const [turn, setTurn] = useState(0);
  const open = (next: ChatPlace | null): void => {
    setChosen(next);
    setTurn(turn + 1);
  };
  const chats = useQuery({
    queryKey: [...chatsKey(organizationId, 'composer'), 'about'],
    queryFn: () => client.request('GET', '/composer/chats', { query: { limit: 100 } }),
  });
  const about = chats.data?.items.filter((chat) => chat.workflow_id === workflowId) ?? [];
  const chat = chosen === undefined ? (about[0] ?? null) : chosen;
  const known = chats.data?.items.find(({ id }) => id === chat?.id);
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
                {words.chat.new}
              </Button>
            )}
            <CloseButton aria-label={words.composer.close} onClick={onClose} />
          </Group>
        </Group>
        {about.length > 1 && <Choice chats={about} openId={chat?.id} onOpen={open} />}
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
            key={turn}
            client={client}
            organizationId={organizationId}
            kind="composer"
            chat={chat}
            workflowId={workflowId}
            onStarted={setChosen}
            onAnswered={(runId) =>
              void readProposal(client, runId).then(
                (proposal) => {
                  if (proposal !== null) propose(proposal);
                },
                (error: Error) => connection.notify('error', error.message),
              )
            }
          />
        )}
      </div>
    </aside>
  );
}
