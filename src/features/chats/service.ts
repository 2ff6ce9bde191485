/** Lists, reads, renames, pins and deletes the caller's chats; another user's chat is 404. */
import type { Scope } from '../../platform/access/caller.ts';
import type { Db, Sql } from '../../base/db/client.ts';
import type { Config } from '../../base/config/config.ts';
import { conflict, notFound } from '../../base/errors.ts';
import { readCursorPage, type CursorPage } from '../../platform/http/cursor-page.ts';
import type { ChatChange, ChatKind, PageQuery } from './schema.ts';
import {
  deleteChatRow,
  selectChat,
  selectChats,
  selectMessages,
  updateChat,
  type ChatKey,
  type ChatOwner,
  type ChatRow,
  type MessageRow,
} from './store.ts';

export interface ChatDeps {
  readonly db: Db;
  readonly config: Config;
}

interface ChatRef {
  readonly kind: ChatKind;
  readonly chatId: string;
}

const toOwner = ({ organizationId, caller }: Scope, kind: ChatKind): ChatOwner => ({
  organizationId,
  userId: caller.userId,
  kind,
});

const toChatKey = (scope: Scope, { kind, chatId }: ChatRef): ChatKey => ({ ...toOwner(scope, kind), chatId });

/** Lists the caller's chats of a kind, the last updated ones first. @throws ApiError 400 for a cursor of another list */
export function listChats(
  deps: ChatDeps,
  scope: Scope,
  { kind, ...query }: PageQuery & { readonly kind: ChatKind },
): Promise<CursorPage<ChatRow>> {
  const owner = toOwner(scope, kind);
  return readCursorPage(deps.config.auth, query, {
    name: `${kind}-chats/${owner.organizationId}/${owner.userId}`,
    read: (page) => selectChats(deps.db, owner, page),
    readPosition: (row) => ({ place: row.updated_at.getTime(), rowId: row.id }),
  });
}

/** Finds a chat of the caller. @throws ApiError 404 */
export async function findChat(sql: Sql, scope: Scope, ref: ChatRef): Promise<ChatRow> {
  const row = await selectChat(sql, toChatKey(scope, ref));
  if (row === null) throw notFound('Chat');
  return row;
}

/** Lists the messages of a chat, newest first. @throws ApiError 404; 400 for a cursor of another list */
export async function listMessages(
  deps: ChatDeps,
  scope: Scope,
  { kind, chatId, ...query }: ChatRef & PageQuery,
): Promise<CursorPage<MessageRow>> {
  const chat = await findChat(deps.db, scope, { kind, chatId });
  const { organizationId } = scope;
  return readCursorPage(deps.config.auth, query, {
    name: `messages/${organizationId}/${chat.id}`,
    read: ({ from, limit }) =>
      selectMessages(deps.db, { organizationId, chatId: chat.id }, { after: from, limit }),
    readPosition: (row) => ({ place: row.created_at.getTime(), rowId: row.place_id }),
  });
}

/** Renames or pins a chat. @returns the changed chat @throws ApiError 404 */
export async function changeChat(
  deps: ChatDeps,
  scope: Scope,
  { change, ...ref }: ChatRef & { readonly change: ChatChange },
): Promise<ChatRow> {
  const row = await updateChat(deps.db, toChatKey(scope, ref), change);
  if (row === null) throw notFound('Chat');
  return row;
}

/**
 * Deletes a chat and the memory of its thread; the records of its runs stay.
 * @throws ApiError 404; 409 while a run of the chat is running or interrupted
 */
export async function deleteChat({ db }: { readonly db: Db }, scope: Scope, ref: ChatRef): Promise<void> {
  const key = toChatKey(scope, ref);
  await db.transaction(async (tx) => {
    const row = await selectChat(tx, key, true);
    if (row === null) throw notFound('Chat');
    if (row.run_status === 'running' || row.run_status === 'interrupted') {
      throw conflict('chat_busy', 'This chat has an active run. Cancel it first');
    }
    await deleteChatRow(tx, key, row);
  });
}
