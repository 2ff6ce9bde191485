/** The Composer beside the canvas: what it saves comes to the canvas as anybody's edit does. */
import { Button, CloseButton, Group, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditing } from '../canvas/context.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { words } from '../words.ts';
import { chatsKey, Conversation, type ChatPlace } from './conversation.tsx';

export function ComposerPanel({ onClose }: { readonly onClose: () => void }) {
  const { room, client, organizationId } = useEditing();
  const { workflowId } = room;
  // Undefined: the newest chat about this workflow; null: a new one.
  const [chosen, setChosen] = useState<ChatPlace | null | undefined>(undefined);
  const chats = useQuery({
    queryKey: [...chatsKey(organizationId, 'composer'), 'about'],
    queryFn: () => client.request('GET', '/composer/chats', { query: { limit: 100 } }),
  });
  const newest = chats.data?.items.find((chat) => chat.workflow_id === workflowId);
  const chat = chosen === undefined ? (newest ?? null) : chosen;
  return (
    <aside className="wc-panel" aria-label={words.composer.name}>
      <div className="wc-form">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h4">
            {words.composer.name}
          </Title>
          <Group gap="xs" wrap="nowrap">
            {chat !== null && (
              <Button variant="default" size="compact-sm" onClick={() => setChosen(null)}>
                {words.chat.new}
              </Button>
            )}
            <CloseButton aria-label={words.composer.close} onClick={onClose} />
          </Group>
        </Group>
        <Failure error={chats.error} />
        {chats.isPending && <Waiting />}
        {chats.isSuccess && (
          <Conversation
            client={client}
            organizationId={organizationId}
            kind="composer"
            chat={chat}
            workflowId={workflowId}
            onStarted={setChosen}
          />
        )}
      </div>
    </aside>
  );
}
