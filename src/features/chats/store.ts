/**
 * Queries of chats; each names the organization, the user and the kind, because a chat belongs to one user. They are SQL: each
 * row has the status of its newest run from a view, and a cursor compares a pair of columns.
 */
import type { Sql } from '../../base/db/client.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import type { Position } from '../../http/cursor.ts';
import type { RunStatus } from '../../engine/runs/ledger/write/events.ts';
import type { MessageRole } from '../../engine/runs/accept/start-response.ts';
import type { ChatChange, ChatKind } from './schema.ts';

export interface ChatOwner {
  readonly organizationId: string;
  readonly userId: string;
  readonly kind: ChatKind;
}
export interface ChatKey extends ChatOwner {
  readonly chatId: string;
}

export interface ChatRow {
  readonly id: string;
  readonly thread_id: string;
  readonly title: string;
  readonly last_message_preview: string | null;
  readonly message_count: number;
  readonly workflow_id: string | null;
  readonly pinned: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** Status of its newest run. */
  readonly run_status: RunStatus | null;
}

const COLUMNS = `
  c.id, c.thread_id, c.title, c.last_message_preview, c.message_count, c.workflow_id, c.pinned, c.created_at, c.updated_at,
  (SELECT r.status FROM newest_segments r WHERE r.chat_id = c.id AND r.trigger_type = 'chat'
   ORDER BY r.created_at DESC, r.id DESC LIMIT 1) AS run_status`;
const OWNED = 'c.organization_id = $1 AND c.user_id = $2 AND c.kind = $3';
const ownerParams = ({ organizationId, userId, kind }: ChatOwner): unknown[] => [
  organizationId,
  userId,
  kind,
];

/** Selects the chats after `after`, newest first. */
export function selectChats(
  sql: Sql,
  owner: ChatOwner,
  { after, limit }: { readonly after: Position | null; readonly limit: number },
): Promise<ChatRow[]> {
  return sql.query<ChatRow>(
    `SELECT ${COLUMNS} FROM chats c
     WHERE ${OWNED} AND ($4::timestamptz IS NULL OR (c.updated_at, c.id) < ($4, $5::uuid))
     ORDER BY c.updated_at DESC, c.id DESC LIMIT $6`,
    [...ownerParams(owner), after?.time ?? null, after?.rowId ?? null, limit],
  );
}

/** Selects a chat; null without one. @param lock locks the row: no message is added until the transaction ends */
export async function selectChat(sql: Sql, key: ChatKey, lock = false): Promise<ChatRow | null> {
  const rows = await sql.query<ChatRow>(
    `SELECT ${COLUMNS} FROM chats c WHERE ${OWNED} AND c.id = $4 ${lock ? 'FOR UPDATE' : ''}`,
    [...ownerParams(key), key.chatId],
  );
  return rows[0] ?? null;
}

/** Renames or pins a chat; neither changes `updated_at`. @returns the changed row; null when there is none */
export async function updateChat(
  sql: Sql,
  key: ChatKey,
  { title, pinned }: ChatChange,
): Promise<ChatRow | null> {
  const rows = await sql.query<ChatRow>(
    `UPDATE chats c SET title = coalesce($5, c.title), pinned = coalesce($6, c.pinned)
     WHERE ${OWNED} AND c.id = $4 RETURNING ${COLUMNS}`,
    [...ownerParams(key), key.chatId, title ?? null, pinned ?? null],
  );
  return rows[0] ?? null;
}

/** Deletes a chat and the memory of its thread. */
export async function deleteChatRow(sql: Sql, owner: ChatOwner, chat: ChatRow): Promise<void> {
  await sql.query('DELETE FROM thread_messages WHERE organization_id = $1 AND thread_id = $2', [
    owner.organizationId,
    chat.thread_id,
  ]);
  await sql.query(`DELETE FROM chats c WHERE ${OWNED} AND c.id = $4`, [...ownerParams(owner), chat.id]);
}

export interface MessageRow {
  /** The run that the message started; the answer has the same. */
  readonly run_pk: string;
  /** Position in the list: the run_pk for a human message, the run_id for the answer. */
  readonly place_id: string;
  readonly role: MessageRole;
  /** The newest segment of the run. */
  readonly run_id: string;
  readonly status: RunStatus;
  readonly content: string | null;
  readonly error: JsonObject | null;
  readonly created_at: Date;
}

// A resumed run belongs to the message that started it, so its newest segment has the answer.
const MESSAGES = `
  WITH place AS (
    SELECT id, created_at, (run_id = $3::uuid)::int AS rank FROM runs
    WHERE organization_id = $1 AND (id = $3::uuid OR run_id = $3::uuid)
  )
  SELECT r.id AS run_pk, CASE turn.role WHEN 'ai' THEN r.run_id ELSE r.id END AS place_id, turn.role,
         CASE turn.role WHEN 'ai' THEN last.run_id ELSE r.run_id END AS run_id, last.status,
         CASE turn.role WHEN 'ai' THEN last.output->>'content' ELSE r.input->>'message' END AS content,
         last.error, r.created_at
  FROM runs r
  CROSS JOIN (VALUES ('human', 0), ('ai', 1)) AS turn(role, rank)
  JOIN newest_segments AS last ON last.root_run_pk = r.id
  LEFT JOIN place ON true
  WHERE r.organization_id = $1 AND r.chat_id = $2 AND r.trigger_type = 'chat' AND r.id = r.root_run_pk
    AND ($3::uuid IS NULL OR (r.created_at, r.id) < (place.created_at, place.id)
         OR (r.id = place.id AND turn.rank < place.rank)
         -- The run of the last message was deleted since.
         OR (place.id IS NULL AND r.created_at < $4::timestamptz))
  ORDER BY r.created_at DESC, r.id DESC, turn.rank DESC LIMIT $5`;

/** Selects the messages of a chat, newest first. @param after the `created_at` and `place_id` of the last message of the page before */
export function selectMessages(
  sql: Sql,
  { organizationId, chatId }: Pick<ChatKey, 'organizationId' | 'chatId'>,
  { after, limit }: { readonly after: Position | null; readonly limit: number },
): Promise<MessageRow[]> {
  const { rowId = null, time = null } = after ?? {};
  return sql.query<MessageRow>(MESSAGES, [organizationId, chatId, rowId, time, limit]);
}
