/** The cursor lists of chats (specification, "Pagination styles"): user-scoped, newest first by updated_at. */
import { z } from 'zod';
import type { Scope } from '../../access/caller.ts';
import type { Deps } from '../../deps.ts';
import { openCursor, sealCursor } from '../../http/cursor.ts';
import { limit } from '../../http/paginate.ts';
import { route, type Route } from '../../http/route.ts';
import { moment, uuid } from '../../http/wire.ts';

const chat = z
  .looseObject({
    id: uuid,
    thread_id: z.string(),
    title: z.string(),
    last_message_preview: z.string().nullable(),
    message_count: z.int(),
    workflow_id: uuid.nullable(),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'Chat' });

const query = z.object({ limit: limit(20), cursor: z.string().max(1_000).optional() });

type ChatKind = 'composer' | 'assistant';

async function listChats(
  deps: Deps,
  scope: Scope,
  kind: ChatKind,
  page: z.output<typeof query>,
): Promise<object> {
  const { organizationId, caller } = scope;
  const secret = deps.config.auth.apiKeySecret;
  const list = `${kind}-chats/${organizationId}/${caller.userId}`;
  const after = page.cursor === undefined ? null : openCursor(secret, list, page.cursor);
  const rows = await deps.db.prisma.chat.findMany({
    where: {
      organizationId,
      userId: caller.userId,
      kind,
      ...(after === null
        ? {}
        : {
            OR: [
              { updatedAt: { lt: after.updatedAt } },
              { updatedAt: after.updatedAt, id: { lt: after.rowId } },
            ],
          }),
    },
    orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
    // One more than asked for tells whether there is a next page.
    take: page.limit + 1,
  });
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  return {
    items: shown.map((row) => ({
      id: row.id,
      thread_id: row.threadId,
      title: row.title,
      last_message_preview: row.lastMessagePreview,
      message_count: row.messageCount,
      workflow_id: row.workflowId,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    })),
    next_cursor:
      last === undefined ? null : sealCursor(secret, list, { updatedAt: last.updatedAt, rowId: last.id }),
  };
}

const chatList = (kind: ChatKind): Route =>
  route({
    method: 'GET',
    path: `/${kind}/chats`,
    tag: kind,
    summary: `List the caller's ${kind} chats, newest first`,
    access: 'owner_or_admin',
    query,
    replies: { 200: z.looseObject({ items: z.array(chat), next_cursor: z.string().nullable() }) },
    async handle({ deps, scope, query: page }) {
      return { status: 200, body: await listChats(deps, scope, kind, page) };
    },
  });

export const chatRoutes: readonly Route[] = [chatList('composer'), chatList('assistant')];
