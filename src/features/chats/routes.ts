/** Routes of chats, the same for both kinds (SPEC API-pagination: user-scoped cursor lists). */
import { routesFor, type Route } from '../../platform/http/route.ts';
import { refusal, success, uuidParams } from '../../platform/http/wire.ts';
import { presentChat, presentMessage } from './present.ts';
import { chat, chatChange, chatPage, messagePage, pageQuery, type ChatKind } from './schema.ts';
import { changeChat, deleteChat, findChat, listChats, listMessages, type ChatDeps } from './service.ts';

const route = routesFor<ChatDeps>();

const params = uuidParams('chat_id');

const NAMES = { composer: 'Composer', assistant: 'Assistant' } as const;
const describeChatRoute = (kind: ChatKind) => ({ tag: kind, access: 'organization' }) as const;

const buildReadRoutes = (kind: ChatKind): Route<ChatDeps>[] => {
  const path = `/${kind}/chats/:chat_id`;
  const name = NAMES[kind];
  const common = describeChatRoute(kind);
  return [
    route({
      ...common,
      method: 'GET',
      path: `/${kind}/chats`,
      operationId: `list${name}Chats`,
      summary: `List the caller's ${kind} chats, newest first`,
      query: pageQuery,
      replies: { 200: chatPage },
      async handle({ deps, scope, query }) {
        const { rows, nextCursor } = await listChats(deps, scope, { kind, ...query });
        return { status: 200, body: { items: rows.map(presentChat), next_cursor: nextCursor } };
      },
    }),
    route({
      ...common,
      method: 'GET',
      path,
      operationId: `get${name}Chat`,
      summary: `Retrieve one of the caller's ${kind} chats`,
      params,
      replies: { 200: chat },
      handle: async ({ deps, scope, params: { chat_id: chatId } }) => ({
        status: 200,
        body: presentChat(await findChat(deps.db, scope, { kind, chatId })),
      }),
    }),
    route({
      ...common,
      method: 'GET',
      path: `${path}/messages`,
      operationId: `list${name}Messages`,
      summary: 'List the messages of a chat, newest first',
      params,
      query: pageQuery,
      replies: { 200: messagePage },
      async handle({ deps, scope, params: { chat_id: chatId }, query }) {
        const { rows, nextCursor } = await listMessages(deps, scope, { kind, chatId, ...query });
        const items = rows.map((row) => presentMessage(chatId, row));
        return { status: 200, body: { items, next_cursor: nextCursor } };
      },
    }),
  ];
};

const buildWriteRoutes = (kind: ChatKind): Route<ChatDeps>[] => {
  const path = `/${kind}/chats/:chat_id`;
  const name = NAMES[kind];
  const common = describeChatRoute(kind);
  return [
    route({
      ...common,
      method: 'PATCH',
      path,
      operationId: `update${name}Chat`,
      summary: 'Rename or pin a chat',
      params,
      body: chatChange,
      find: ({ deps, scope, params: { chat_id: chatId } }) => findChat(deps.db, scope, { kind, chatId }),
      replies: { 200: chat },
      handle: async ({ deps, scope, params: { chat_id: chatId }, body }) => ({
        status: 200,
        body: presentChat(await changeChat(deps, scope, { kind, chatId, change: body })),
      }),
    }),
    route({
      ...common,
      method: 'DELETE',
      path,
      operationId: `delete${name}Chat`,
      summary: 'Delete a chat and the memory of its thread; the records of its runs are kept',
      params,
      replies: { 200: success, 409: refusal },
      async handle({ deps, scope, params: { chat_id: chatId } }) {
        await deleteChat(deps, scope, { kind, chatId });
        return { status: 200, body: { success: true, message: 'Chat deleted' } };
      },
    }),
  ];
};

const chatRows = (kind: ChatKind): Route<ChatDeps>[] => [...buildReadRoutes(kind), ...buildWriteRoutes(kind)];

export const chatRoutes: readonly Route<ChatDeps>[] = [...chatRows('composer'), ...chatRows('assistant')];
