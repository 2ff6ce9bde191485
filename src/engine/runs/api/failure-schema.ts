/** Schema of the errors of steps, attempts and runs. */
import { z } from 'zod';
import { readableMessage } from '../../../platform/http/fields.ts';
import { json } from '../../../platform/http/wire.ts';

const serviceResponse = z
  .looseObject({
    status: z.int().nullable().meta({ description: 'Status of the answer' }),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'Headers by their names in lower case; credentials are `***`' }),
    data: json.meta({
      description: 'Body by its media type, as in the output of a success: JSON, a text, or a file',
    }),
    truncated: z.boolean().meta({
      description: '`data` is the beginning of the text of a larger body, or left out: the step has more',
    }),
  })
  .meta({ id: 'ServiceResponse' });

/** An error of a step, an attempt or a run. */
export const failure = z
  .looseObject({
    code: z.string().meta({ description: 'Stable code' }),
    message: readableMessage,
    type: z.string().optional().meta({ description: 'Class of the failure, such as `NodeError`' }),
    node_id: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Id of the failed node; null when no node failed' }),
    retryable: z.boolean().optional().meta({ description: 'Whether the failure may be transient' }),
    status: z
      .int()
      .nullable()
      .optional()
      .meta({ description: 'Status of the HTTP response; null without one' }),
    attempts: z.int().optional().meta({ description: 'Number of attempts' }),
    response: serviceResponse
      .optional()
      .meta({ description: 'What the service said that refused; absent when none has answered' }),
  })
  .meta({ id: 'Failure' });
