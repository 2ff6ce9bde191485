/** One attempt: posts a signed message to the URL of an endpoint through the guarded client, and reads the head of the answer. */
import type { Clock } from '../../base/clock.ts';
import { toStorableText } from '../../language/graph/values/storable.ts';
import { findNotConnected, type GuardedAgent } from '../../platform/outbound/guarded-agent.ts';
import { guardedFetch } from '../../platform/outbound/guarded-fetch.ts';

/** Standard Webhooks recommends 15 to 30 s. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** Bytes of a response that are kept: enough for an error message. */
const MAX_RESPONSE_BYTES = 1_024;

type AttemptErrorCode =
  | 'destination_not_allowed'
  | 'connection_failed'
  | 'network_error'
  | 'timeout'
  | 'redirect_refused'
  | 'status_not_successful'
  | 'secret_unreadable';

/** The result of an attempt; without an error the endpoint has accepted the message. */
export interface AttemptResult {
  readonly status: number | null;
  readonly errorCode: AttemptErrorCode | null;
  /** The first kilobyte of the answer; null without one. */
  readonly response: string | null;
  /** Retry-After of the answer, in seconds. */
  readonly retryAfterSeconds: number | null;
}

interface PostDeps {
  readonly guarded: GuardedAgent;
  readonly clock: Clock;
}

interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const failWith = (errorCode: AttemptErrorCode): AttemptResult => ({
  status: null,
  errorCode,
  response: null,
  retryAfterSeconds: null,
});

/** Reads the first kilobyte and closes the connection. */
async function readHead(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (size < MAX_RESPONSE_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
    }
  } finally {
    // The rest may be a gigabyte or never arrive.
    void reader.cancel().catch(() => undefined);
  }
  return toStorableText(Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString('utf8'));
}

function judgeStatus(status: number): AttemptErrorCode | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect_refused' : 'status_not_successful';
}

function parseRetryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null;
}

/** Posts a message. Never throws: the error is part of the result. */
export async function postMessage(
  { guarded, clock }: PostDeps,
  { url, headers, body }: Message,
): Promise<AttemptResult> {
  const controller = new AbortController();
  const timer = clock.setTimeout(() => controller.abort(), ATTEMPT_TIMEOUT_MS);
  try {
    const response = await guardedFetch(guarded, { peer: 'endpoint' })(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'workflow-automation-service',
        ...headers,
      },
      body,
      signal: controller.signal,
    });
    // The status decides: an endpoint that has answered 200 has the message, whatever happens to the rest of its answer.
    const text = await readHead(response).catch(() => null);
    return {
      status: response.status,
      errorCode: judgeStatus(response.status),
      response: text,
      retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after')),
    };
  } catch (error) {
    if (controller.signal.aborted) return failWith('timeout');
    const before = findNotConnected(error);
    if (before === null) return failWith('network_error');
    return failWith(before.refused ? 'destination_not_allowed' : 'connection_failed');
  } finally {
    clock.clearTimeout(timer);
  }
}
