/** Fields that recur in the schemas of this room, each with its description. */
import { z } from 'zod';

export const unverifiedDomain = z
  .string()
  .meta({ description: 'Domain of the organization, not verified; empty: none' });
export const isActive = z.boolean().meta({ description: 'Whether it can be used' });
export const personEmail = z.string().meta({ description: 'Email address of the person' });
