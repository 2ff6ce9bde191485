/** Schema of the errors of steps, attempts and runs. */
import { z } from 'zod';
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
    message: z.string(),
    type: z.string().optional(),
    node_id: z.string().nullable().optional(),
    retryable: z.boolean().optional(),
    status: z.int().nullable().optional(),
    attempts: z.int().optional(),
    response: serviceResponse
      .optional()
      .meta({ description: 'What the service said that refused; absent when none has answered' }),
  })
  .meta({ id: 'Failure' });
