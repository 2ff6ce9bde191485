/** Fields that recur in the schemas of this room, each with its description. */
import { z } from 'zod';

export const windowMinutes = z.int().nullable().meta({
  description: 'Length of the window in minutes; for `silence` the limit; `failures_in_row` has none',
});
