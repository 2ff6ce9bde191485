/** The person's chats with the Assistant: the list, and the open one. */
import { Badge, Button, Grid, NavLink, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouteContext } from '@tanstack/react-router';
import { MessagesSquare, Pin } from 'lucide-react';
import { ChatHead, type Chat } from '../chats/chat-head.tsx';
import { chatsKey, Conversation } from '../chats/conversation.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { moment } from '../kit/moment.ts';
import { LoadMore } from '../kit/load-more.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { chatWords } from '../words-chats.ts';
import { words } from '../words.ts';

interface ListProps {
  readonly chats: readonly Chat[];
  readonly openId: string | undefined;
}

const ChatList = ({ chats, openId }: ListProps) => (
  <nav aria-label={chatWords.list}>
    {chats.map((chat) => (
      <NavLink
        key={chat.id}
        renderRoot={(props) => <Link to="/chats/$chatId" params={{ chatId: chat.id }} {...props} />}
        label={chat.title === '' ? chatWords.untitled : chat.title}
        description={moment(chat.updated_at)}
        active={chat.id === openId}
        color="gray"
        aria-current={chat.id === openId ? 'page' : undefined}
        leftSection={chat.pinned ? <Pin size={14} aria-label={chatWords.pinned} /> : undefined}
        rightSection={chat.status === 'idle' ? undefined : <Badge variant="default">{chat.status}</Badge>}
      />
    ))}
  </nav>
);

/** The list, and the open chat. */
function useChats(chatId: string | undefined) {
  const { client, organizationId } = useRouteContext({ from: '__root__' }).app;
  const key = chatsKey(organizationId, 'assistant');
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
  return { client, organizationId, list, chat };
}

export function ChatsPage() {
  const { chatId } = useParams({ strict: false });
  const navigate = useNavigate();
  const { client, organizationId, list, chat } = useChats(chatId);
  const open = (id: string): void => void navigate({ to: '/chats/$chatId', params: { chatId: id } });
  const chats = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const shown = chatId === undefined ? null : (chat.data ?? null);
  return (
    <Page
      title={shown === null || shown.title === '' ? words.chats : shown.title}
      actions={<Button onClick={() => void navigate({ to: '/chats' })}>{chatWords.new}</Button>}
    >
      <Grid>
        <Grid.Col span={{ base: 12, sm: 4 }}>
          <Failure error={list.error} />
          {list.isPending && <Waiting />}
          {list.isSuccess && chats.length === 0 && <Text c="dimmed">{chatWords.none}</Text>}
          <ChatList chats={chats} openId={chatId} />
          <LoadMore list={list} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 8 }}>
          <Stack>
            <Failure error={chat.error} />
            {chatId !== undefined && chat.isPending && <Waiting />}
            {shown !== null && (
              <ChatHead
                client={client}
                organizationId={organizationId}
                kind="assistant"
                chat={shown}
                onRemoved={() => navigate({ to: '/chats' })}
              />
            )}
            {chatId === undefined && list.isSuccess && chats.length === 0 && (
              <EmptyState icon={MessagesSquare} title={chatWords.emptyTitle} text={chatWords.emptyText} />
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
    </Page>
  );
}
