/** Fields that recur in the schemas of this room, each with its description. */
import { z } from 'zod';

export const shortDescription = z
  .string()
  .nullable()
  .meta({ description: 'Short description; null or empty: none' });
