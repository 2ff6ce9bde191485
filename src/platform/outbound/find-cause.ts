/** Finds an error among the causes of another: fetch and the SDKs wrap what a connection throws. */

const MAX_DEPTH = 5;

export function findCause<Cause extends Error>(
  error: unknown,
  is: (cause: Error) => cause is Cause,
): Cause | null {
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_DEPTH; at = at.cause, depth += 1)
    if (is(at)) return at;
  return null;
}
