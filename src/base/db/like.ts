/** Texts in patterns of LIKE. */

/** Escapes a text for LIKE and ILIKE, so that its wildcards match themselves; Prisma's `contains` needs it, too. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);
