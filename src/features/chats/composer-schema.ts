/** Wire shapes of the Composer. */
import { z } from 'zod';
import { uuid } from '../../platform/http/wire.ts';
import { runStart } from '../../engine/runs/api/schema.ts';
import { MAX_MESSAGE } from './assistant-routes.ts';

export const composeBody = z
  .object({
    message: z.string().min(1).max(MAX_MESSAGE),
    /** The workflow to change. Default: that of the chat; a new chat creates one. */
    workflow_id: uuid.nullish(),
    /** The chat to continue; a new one by default. */
    thread_id: z.string().min(1).max(255).optional(),
    propose: z.boolean().optional().meta({
      description:
        'When the Composer edits a workflow, the new definition is the output of the node `save`; it is not saved',
    }),
    llm: z
      .object({
        provider: z.string().min(1).max(50).nullish(),
        model: z.string().min(1).max(200).nullish(),
        credential_id: uuid.nullish(),
      })
      .nullish(),
  })
  .meta({ id: 'ComposerMessage' });
export type ComposeBody = z.output<typeof composeBody>;

/** The run start response, where its stream is, and what it works on. */
export const composeReply = z
  .looseObject({
    ...runStart,
    stream_url: z.string(),
    workflow_id: uuid.nullable(),
    edit_version: z.int().nullable(),
  })
  .meta({ id: 'ComposerAnswer' });
