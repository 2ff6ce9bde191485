/** What work leaves behind, without the secrets that it was given. */
import type { Json } from '../../graph/value.ts';
import { NodeError } from '../../nodes/kind.ts';
import type { Secrets } from '../../credentials/vault/secrets.ts';

/** What a node leaves behind holds none of the secrets that it was given: services echo what they are sent. */
export function withoutSecrets<Result>(result: Result, secrets: Secrets): Result {
  return secrets.isEmpty ? result : (secrets.json(result as unknown as Json) as unknown as Result);
}

/** The same failure with the secrets struck out of its words. */
export function harmless(error: unknown, secrets: Secrets): unknown {
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
