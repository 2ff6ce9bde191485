/** Removes secrets from results and errors (services echo them) and repairs split surrogate pairs. */
import { toStorable } from '../../../graph/storable.ts';
import type { Json } from '../../../graph/value.ts';
import { NodeError } from '../../../nodes/kind.ts';
import type { Secrets } from '../../../credentials/vault/secrets.ts';

/** Removes the secrets from a result and makes it storable. */
export function redact<Result>(result: Result, secrets: Secrets): Result {
  return toStorable(
    secrets.isEmpty ? result : (secrets.json(result as unknown as Json) as unknown as Result),
  );
}

/** Removes the secrets from the texts of an error. */
export function redactError(error: unknown, secrets: Secrets): unknown {
  if (secrets.isEmpty || !(error instanceof Error)) return error;
  if (error instanceof NodeError) {
    const { code, message, retryable, status, retryAfterMs } = error;
    return new NodeError(code, secrets.text(message), {
      retryable,
      ...(status === null ? {} : { status }),
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
    });
  }
  error.message = secrets.text(error.message);
  error.stack = secrets.text(error.stack ?? '');
  error.cause = undefined;
  return error;
}
