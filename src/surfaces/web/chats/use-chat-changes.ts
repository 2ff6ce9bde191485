/** Naming, pinning and deleting a chat of the Assistant or the Composer; what lists chats is read again. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { chatsKey, type ConversationProps } from './conversation.tsx';

interface ChatChange {
  readonly title?: string;
  readonly pinned?: boolean;
}

/** @param onRemoved the chat is gone: nothing may show it any more */
export function useChatChanges(
  { client, organizationId, kind }: Pick<ConversationProps, 'client' | 'organizationId' | 'kind'>,
  onRemoved: () => Promise<void> | void,
) {
  const queries = useQueryClient();
  const key = chatsKey(organizationId, kind);
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: key });
  const change = useMutation({
    mutationFn: ({ chatId, ...body }: ChatChange & { readonly chatId: string }) =>
      client.request('PATCH', `/${kind}/chats/{chat_id}`, { path: { chat_id: chatId }, body }),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: (chatId: string) =>
      client.request('DELETE', `/${kind}/chats/{chat_id}`, { path: { chat_id: chatId } }),
    onSuccess: async (_, chatId) => {
      queries.removeQueries({ queryKey: [...key, chatId] });
      await onRemoved();
      return refresh();
    },
  });
  return { change, remove };
}
