/** Locates syntax errors of JSON. */

/**
 * Finds the offset of a syntax error that JSON.parse threw. V8 has it only in the message, and not in every message; the end of the
 * text is the other certain case.
 * @returns null when it is unknown
 */
export function findJsonErrorOffset(text: string, error: unknown): number | null {
  const message = error instanceof Error ? error.message : '';
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  return message.includes('end of JSON') ? text.length : null;
}
