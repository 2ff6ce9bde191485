/** Wire shapes of the list of open questions. */
import { z } from 'zod';
import { limit, offset, pageOfList } from '../../http/paginate.ts';
import { uuid } from '../../http/wire.ts';
import { interruptRecord } from './question-schema.ts';

const openInterrupt = z
  .looseObject({ ...interruptRecord, workflow_id: uuid.nullable(), workflow_name: z.string() })
  .meta({ id: 'WaitingInterrupt' });
export const interruptQuery = z.object({
  status: z.literal('pending').default('pending').meta({ description: 'Open questions are what is listed' }),
  assignee: z
    .enum(['me', 'anyone'])
    .default('anyone')
    .meta({ description: '`me`: only what the caller may answer' }),
  limit: limit(50),
  offset,
});
export type InterruptQuery = z.output<typeof interruptQuery>;
export const interruptList = z
  .looseObject({
    interrupts: z.array(openInterrupt),
    ...pageOfList,
  })
  .meta({ id: 'InterruptList' });
