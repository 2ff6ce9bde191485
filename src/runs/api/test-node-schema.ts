/** Wire shapes of trying one node of a draft. */
import { z } from 'zod';
import { jsonObject, uuid } from '../../http/wire.ts';

export const testNodeBody = z
  .strictObject({
    state: jsonObject.optional().meta({
      description: 'Fields of the state and outputs of other nodes by id; they win over those of a past run',
    }),
    input: jsonObject
      .optional()
      .meta({ description: 'The input of the run; that of the past run when it is missing' }),
    from_run_pk: uuid
      .optional()
      .meta({ description: 'A past run whose state and outputs the templates of the node read' }),
    confirm_effects: z
      .boolean()
      .default(false)
      .meta({ description: 'The node may act on something outside: a tool or an agent' }),
  })
  .meta({ id: 'NodeTest' });
export type TestNodeBody = z.output<typeof testNodeBody>;
