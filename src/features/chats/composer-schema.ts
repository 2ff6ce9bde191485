/** Wire shapes of the Composer. */
import { z } from 'zod';
import { uuid } from '../../platform/http/wire.ts';
import { runStart } from '../../engine/runs/api/schema.ts';
import { MAX_MESSAGE } from './assistant-routes.ts';
import { chatThreadId, chosenModel } from './fields.ts';

export const composeBody = z
  .object({
    message: z.string().min(1).max(MAX_MESSAGE).meta({ description: 'Message of the user' }),
    /** The workflow to change. Default: that of the chat; a new chat creates one. */
    workflow_id: uuid.nullish().meta({
      description: 'Id of the workflow to edit; null: the workflow of the chat, or a new one in a new chat',
    }),
    thread_id: chatThreadId,
    propose: z.boolean().optional().meta({
      description:
        'When the Composer edits a workflow, the new definition is the output of the node `save`; it is not saved',
    }),
    llm: chosenModel,
  })
  .meta({ id: 'ComposerMessage' });
export type ComposeBody = z.output<typeof composeBody>;

/** The run start response, where its stream is, and what it works on. */
export const composeReply = z
  .looseObject({
    ...runStart,
    stream_url: z.string().meta({ description: 'Path of the event stream of the run' }),
    workflow_id: uuid
      .nullable()
      .meta({ description: 'Id of the workflow that is edited; null: a new one is created' }),
    edit_version: z
      .int()
      .nullable()
      .meta({ description: 'Its `edit_version` before the edit; null for a new workflow' }),
  })
  .meta({ id: 'ComposerAnswer' });
