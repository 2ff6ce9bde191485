/** Actions of an open chat: rename, pin, delete. */
import { ActionIcon, Button, Group } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import { LineForm } from '../kit/line-form.tsx';
import { Failure } from '../kit/page.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { words } from '../words.ts';
import type { ConversationProps } from './conversation.tsx';
import { useChatChanges } from './use-chat-changes.ts';

export type Chat = Reply<'getAssistantChat'>;

interface ChatHeadProps extends Pick<ConversationProps, 'client' | 'organizationId' | 'kind'> {
  readonly chat: Chat;
  /** Called after the chat was deleted. */
  readonly onRemoved: () => Promise<void> | void;
}

export function ChatHead({ chat, onRemoved, ...place }: ChatHeadProps) {
  const { change, remove } = useChatChanges(place, onRemoved);
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <Group align="end" justify="space-between">
        <LineForm
          key={chat.id}
          label={words.chat.title}
          action={words.chat.rename}
          maxLength={200}
          isPending={change.isPending}
          onSend={(title) => change.mutate({ chatId: chat.id, title })}
        />
        <Group gap="xs">
          <Button variant="default" onClick={() => change.mutate({ chatId: chat.id, pinned: !chat.pinned })}>
            {chat.pinned ? words.chat.unpin : words.chat.pin}
          </Button>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={words.chat.remove}
            onClick={() => setLeaving(true)}
          >
            <Trash2 size={16} />
          </ActionIcon>
        </Group>
      </Group>
      <Failure error={change.error} />
      <ConfirmDialog
        question={isLeaving ? words.chat.removeSure(chat.title) : null}
        action={words.remove}
        isPending={remove.isPending}
        error={remove.error}
        onClose={() => setLeaving(false)}
        onConfirm={() => remove.mutate(chat.id)}
      />
    </>
  );
}
