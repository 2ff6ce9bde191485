/** Actions of an open chat: rename, pin, delete. */
import { ActionIcon, Button, Group } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import { Failure } from '../kit/page.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { TextDialog } from '../kit/text-dialog.tsx';
import { chatWords } from '../words-chats.ts';
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
  const [isNaming, setNaming] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <Group gap="xs" justify="flex-end">
        <Button variant="default" onClick={() => setNaming(true)}>
          {chatWords.rename}
        </Button>
        <Button variant="default" onClick={() => change.mutate({ chatId: chat.id, pinned: !chat.pinned })}>
          {chat.pinned ? chatWords.unpin : chatWords.pin}
        </Button>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={chatWords.remove}
          onClick={() => setLeaving(true)}
        >
          <Trash2 size={16} />
        </ActionIcon>
      </Group>
      <Failure error={isNaming ? null : change.error} />
      {isNaming && (
        <TextDialog
          title={chatWords.renameTitle}
          label={chatWords.title}
          action={words.rename}
          field="title"
          initial={chat.title}
          maxLength={200}
          isPending={change.isPending}
          error={change.error}
          onClose={() => setNaming(false)}
          onSend={(title) => change.mutate({ chatId: chat.id, title }, { onSuccess: () => setNaming(false) })}
        />
      )}
      <ConfirmDialog
        question={isLeaving ? chatWords.removeSure(chat.title) : null}
        action={words.remove}
        isPending={remove.isPending}
        error={remove.error}
        onClose={() => setLeaving(false)}
        onConfirm={() => remove.mutate(chat.id)}
      />
    </>
  );
}
