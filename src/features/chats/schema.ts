/** Wire shapes of chats and their messages (SPEC RUN-4.9). */
import { z } from 'zod';
import { bodyWarnings } from '../../platform/http/unknown-fields.ts';
import { cursor, limit } from '../../platform/http/paginate.ts';
import { uuid } from '../../platform/http/wire.ts';
import {
  createdAt,
  nextCursor,
  readableMessage,
  runId,
  stableCode,
  textContent,
  uniqueId,
  updatedAt,
} from '../../platform/http/fields.ts';

const ABOUT_PINNED = 'Whether the user pinned the chat; the order of lists does not change';

/** The kinds of chat; each belongs to one user. */
export type ChatKind = 'assistant' | 'composer';

export const chat = z
  .looseObject({
    id: uniqueId,
    thread_id: z
      .string()
      .meta({ description: 'Id of the thread; send it with the next message to continue the chat' }),
    title: z.string().meta({ description: 'Title of the chat' }),
    status: z
      .enum(['idle', 'running', 'interrupted', 'error'])
      .meta({ description: 'Status of the last run' }),
    last_message_preview: z
      .string()
      .nullable()
      .meta({ description: 'Start of the last message; null without one' }),
    message_count: z.int().meta({ description: 'Number of messages' }),
    workflow_id: uuid
      .nullable()
      .meta({ description: 'Id of the workflow that the Composer edits in the chat; null: none' }),
    pinned: z.boolean().meta({ description: ABOUT_PINNED }),
    created_at: createdAt,
    updated_at: updatedAt,
    warnings: bodyWarnings,
  })
  .meta({ id: 'Chat' });

export const chatChange = z
  .object({
    title: z.string().trim().min(1).max(200).optional().meta({ description: 'Title of the chat' }),
    pinned: z.boolean().optional().meta({ description: ABOUT_PINNED }),
  })
  .meta({ id: 'ChatChange' });
export type ChatChange = z.output<typeof chatChange>;

const message = z
  .looseObject({
    id: uniqueId,
    role: z.enum(['human', 'ai']).meta({ description: 'Author of the message' }),
    content: textContent,
    status: z
      .enum(['completed', 'pending', 'interrupted', 'failed', 'cancelled'])
      .meta({ description: 'Status of the run of an answer; `completed` for messages of the user' }),
    run_id: runId,
    chat_id: uuid.meta({ description: 'Id of the chat of the run; null: none' }),
    error: z
      .looseObject({ code: stableCode, message: readableMessage })
      .meta({ id: 'ChatMessageError' })
      .nullable()
      .meta({ description: 'Reason of the failure; null without one' }),
    created_at: createdAt,
  })
  .meta({ id: 'ChatMessage' });

export const pageQuery = z.object({ limit: limit(20), cursor });
export type PageQuery = z.output<typeof pageQuery>;

export const chatPage = z
  .looseObject({
    items: z.array(chat).meta({ description: 'The items of this page' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'ChatPage' });
export const messagePage = z
  .looseObject({
    items: z.array(message).meta({ description: 'The items of this page' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'ChatMessagePage' });
