/**
 * Queries of chats; each names the organization, the user and the kind, because a chat belongs to one user. They are SQL: each
 * row has the status of its newest run from a view, and a cursor compares a pair of columns.
 */
import { composePage, toMoment, type PageRead, type Position } from '../../base/db/keyset.ts';
import type { Sql } from '../../base/db/client.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
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

/** Selects a page of chats, the last updated ones first. */
export function selectChats(sql: Sql, owner: ChatOwner, page: PageRead): Promise<ChatRow[]> {
  const params = ownerParams(owner);
  const { condition, tail } = composePage(params, page, ['c.updated_at', 'c.id']);
  return sql.query<ChatRow>(`SELECT ${COLUMNS} FROM chats c WHERE ${OWNED} AND ${condition} ${tail}`, params);
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

interface MessagePlace {
  readonly id: string;
  readonly created_at: Date;
  /** 0: the human message of the run; 1: its answer. */
  readonly rank: number;
}

/** Finds the message at a position; null when its run was deleted since. */
async function findPlace(
  sql: Sql,
  organizationId: string,
  { rowId }: Position,
): Promise<MessagePlace | null> {
  const [place] = await sql.query<MessagePlace>(
    `SELECT id, created_at, (run_id = $2::uuid)::int AS rank FROM runs
     WHERE organization_id = $1 AND (id = $2::uuid OR run_id = $2::uuid)`,
    [organizationId, rowId],
  );
  return place ?? null;
}

/** Selects the messages of a chat, newest first. @param after the `created_at` and `place_id` of the last message of the page before */
export async function selectMessages(
  sql: Sql,
  { organizationId, chatId }: Pick<ChatKey, 'organizationId' | 'chatId'>,
  { after, limit }: { readonly after: Position | null; readonly limit: number },
): Promise<MessageRow[]> {
  const place = after === null ? null : await findPlace(sql, organizationId, after);
  const params: unknown[] = [organizationId, chatId, limit];
  const bind = (value: unknown): string => `$${params.push(value)}`;
  let [runs, turns] = ['true', 'true'];
  if (place !== null) {
    const runPk = bind(place.id);
    runs = `(r.created_at, r.id) <= (${bind(place.created_at)}, ${runPk})`;
    turns = `(r.id <> ${runPk} OR turn.rank < ${bind(place.rank)}::int)`;
  } else if (after !== null) runs = `r.created_at < ${bind(toMoment(after))}`;
  // A resumed run belongs to the message that started it, so its newest segment has the answer. One run more than messages, because
  // the page may begin with the second message of a run.
  return sql.query<MessageRow>(
    `SELECT r.id AS run_pk, CASE turn.role WHEN 'ai' THEN r.run_id ELSE r.id END AS place_id, turn.role,
            CASE turn.role WHEN 'ai' THEN last.run_id ELSE r.run_id END AS run_id, last.status,
            CASE turn.role WHEN 'ai' THEN last.output->>'content' ELSE r.input->>'message' END AS content,
            last.error, r.created_at
     FROM (SELECT r.id, r.run_id, r.input, r.created_at FROM runs r
           WHERE r.organization_id = $1 AND r.chat_id = $2 AND r.trigger_type = 'chat' AND r.resumed_from_run_pk IS NULL AND ${runs}
           ORDER BY r.created_at DESC, r.id DESC LIMIT $3::int + 1) AS r
     CROSS JOIN (VALUES ('human', 0), ('ai', 1)) AS turn(role, rank)
     JOIN newest_segments AS last ON last.root_run_pk = r.id
     WHERE ${turns}
     ORDER BY r.created_at DESC, r.id DESC, turn.rank DESC LIMIT $3::int`,
    params,
  );
}
