/** The caller's chats with the Assistant: begun, named, deleted; and one of them, to go on with. */
import { ActionIcon, Badge, Button, Grid, Group, NavLink, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useRouteContext } from '@tanstack/react-router';
import { Pin, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import { chatsKey, Conversation } from '../chats/conversation.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { SureDialog } from '../kit/sure-dialog.tsx';
import { LineForm } from '../kit/line-form.tsx';
import { words } from '../words.ts';

type Chat = Reply<'getAssistantChat'>;
interface Change {
  readonly title?: string;
  readonly pinned?: boolean;
}

interface ListProps {
  readonly chats: readonly Chat[];
  readonly openId: string | undefined;
  readonly onOpen: (chatId: string) => void;
}

const ChatList = ({ chats, openId, onOpen }: ListProps) => (
  <nav aria-label={words.chat.list}>
    {chats.map((chat) => (
      <NavLink
        key={chat.id}
        component="button"
        label={chat.title === '' ? words.chat.untitled : chat.title}
        description={moment(chat.updated_at)}
        active={chat.id === openId}
        color="gray"
        aria-current={chat.id === openId ? 'page' : undefined}
        leftSection={chat.pinned ? <Pin size={14} aria-label={words.chat.pinned} /> : undefined}
        rightSection={chat.status === 'idle' ? undefined : <Badge variant="default">{chat.status}</Badge>}
        onClick={() => onOpen(chat.id)}
      />
    ))}
  </nav>
);

interface HeadProps {
  readonly chat: Chat;
  readonly isPending: boolean;
  readonly onChange: (change: Change) => void;
  readonly onDelete: () => void;
}

function ChatHead({ chat, isPending, onChange, onDelete }: HeadProps) {
  return (
    <Group align="end" justify="space-between">
      <LineForm
        key={chat.id}
        label={words.chat.title}
        action={words.chat.rename}
        maxLength={200}
        isPending={isPending}
        onSend={(title) => onChange({ title })}
      />
      <Group gap="xs">
        <Button variant="default" onClick={() => onChange({ pinned: !chat.pinned })}>
          {chat.pinned ? words.chat.unpin : words.chat.pin}
        </Button>
        <ActionIcon variant="default" size="lg" aria-label={words.chat.remove} onClick={onDelete}>
          <Trash2 size={16} />
        </ActionIcon>
      </Group>
    </Group>
  );
}

/** The list, the open chat, and what changes either. */
function useChats(chatId: string | undefined) {
  const { client, organizationId } = useRouteContext({ from: '__root__' }).place;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const key = chatsKey(organizationId, 'assistant');
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: key });
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) =>
      client.request('GET', '/assistant/chats', {
        query: { limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const chat = useQuery({
    queryKey: [...key, chatId],
    enabled: chatId !== undefined,
    queryFn: () => client.request('GET', '/assistant/chats/{chat_id}', { path: { chat_id: chatId ?? '' } }),
  });
  const change = useMutation({
    mutationFn: (body: Change) =>
      client.request('PATCH', '/assistant/chats/{chat_id}', { path: { chat_id: chatId ?? '' }, body }),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: (id: string) =>
      client.request('DELETE', '/assistant/chats/{chat_id}', { path: { chat_id: id } }),
    onSuccess: async (_, id) => {
      queries.removeQueries({ queryKey: [...key, id] });
      await navigate({ to: '/chats' });
      return queries.invalidateQueries({ queryKey: key });
    },
  });
  return { client, organizationId, list, chat, change, remove };
}

export function ChatsPage() {
  const { chatId } = useParams({ strict: false });
  const navigate = useNavigate();
  const [isLeaving, setLeaving] = useState(false);
  const { client, organizationId, list, chat, change, remove } = useChats(chatId);
  const open = (id: string): void => void navigate({ to: '/chats/$chatId', params: { chatId: id } });
  const chats = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const shown = chatId === undefined ? null : (chat.data ?? null);
  return (
    <Page
      title={shown === null || shown.title === '' ? words.chats : shown.title}
      actions={<Button onClick={() => void navigate({ to: '/chats' })}>{words.chat.new}</Button>}
    >
      <Grid>
        <Grid.Col span={{ base: 12, sm: 4 }}>
          <Failure error={list.error} />
          {list.isPending && <Waiting />}
          {list.isSuccess && chats.length === 0 && <Text c="dimmed">{words.chat.none}</Text>}
          <ChatList chats={chats} openId={chatId} onOpen={open} />
          {list.hasNextPage && (
            <Button
              variant="default"
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              {words.more}
            </Button>
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 8 }}>
          <Stack>
            <Failure error={chat.error ?? change.error ?? remove.error} />
            {chatId !== undefined && chat.isPending && <Waiting />}
            {shown !== null && (
              <ChatHead
                chat={shown}
                isPending={change.isPending}
                onChange={(body) => change.mutate(body)}
                onDelete={() => setLeaving(true)}
              />
            )}
            {(chatId === undefined || shown !== null) && (
              <Conversation
                key={chatId ?? ''}
                client={client}
                organizationId={organizationId}
                kind="assistant"
                chat={shown}
                onStarted={({ id }) => {
                  if (chatId === undefined) open(id);
                }}
              />
            )}
          </Stack>
        </Grid.Col>
      </Grid>
      <SureDialog
        question={isLeaving && shown !== null ? words.chat.removeSure(shown.title) : null}
        action={words.remove}
        isPending={remove.isPending}
        onClose={() => setLeaving(false)}
        onSure={() => {
          if (shown !== null) remove.mutate(shown.id, { onSettled: () => setLeaving(false) });
        }}
      />
    </Page>
  );
}
