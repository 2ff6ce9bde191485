/** Wire shapes of chats and their messages (SPEC RUN-4.9). */
import { z } from 'zod';
import { bodyWarnings } from '../../platform/http/unknown-fields.ts';
import { cursor, limit } from '../../platform/http/paginate.ts';
import { moment, uuid } from '../../platform/http/wire.ts';

/** The kinds of chat; each belongs to one user. */
export type ChatKind = 'assistant' | 'composer';

export const chat = z
  .looseObject({
    id: uuid,
    thread_id: z.string(),
    title: z.string(),
    status: z.enum(['idle', 'running', 'interrupted', 'error']),
    last_message_preview: z.string().nullable(),
    message_count: z.int(),
    workflow_id: uuid.nullable(),
    pinned: z.boolean(),
    created_at: moment,
    updated_at: moment,
    warnings: bodyWarnings,
  })
  .meta({ id: 'Chat' });

export const chatChange = z
  .object({ title: z.string().trim().min(1).max(200).optional(), pinned: z.boolean().optional() })
  .meta({ id: 'ChatChange' });
export type ChatChange = z.output<typeof chatChange>;

const message = z
  .looseObject({
    id: uuid,
    role: z.enum(['human', 'ai']),
    content: z.string(),
    status: z.enum(['completed', 'pending', 'interrupted', 'failed', 'cancelled']),
    run_id: uuid,
    chat_id: uuid,
    error: z
      .looseObject({ code: z.string(), message: z.string() })
      .meta({ id: 'ChatMessageError' })
      .nullable(),
    created_at: moment,
  })
  .meta({ id: 'ChatMessage' });

export const pageQuery = z.object({ limit: limit(20), cursor });
export type PageQuery = z.output<typeof pageQuery>;

export const chatPage = z
  .looseObject({ items: z.array(chat), next_cursor: z.string().nullable() })
  .meta({ id: 'ChatPage' });
export const messagePage = z
  .looseObject({ items: z.array(message), next_cursor: z.string().nullable() })
  .meta({ id: 'ChatMessagePage' });
