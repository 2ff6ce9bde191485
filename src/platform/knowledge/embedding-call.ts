/** Sends one request to an embedding model in OpenAI's protocol and checks the response. */
import { APICallError } from 'ai';
import { isObject, ownValue } from '../../language/graph/values/value.ts';
import type { Json, JsonObject } from '../../language/graph/values/value.ts';
import { toStorableCount } from '../../language/graph/values/storable.ts';
import type { EmbeddingResult, EmbeddingModel } from './embedding-port.ts';
import { NodeError } from '../../language/nodes/kind.ts';

export interface EmbeddingEndpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

interface EmbeddingCall {
  readonly model: Pick<EmbeddingModel, 'model' | 'dimensions'>;
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
}

/** Largest value of PostgreSQL's `real`, and most dimensions of pgvector's `vector`. */
const MAX_REAL = 3.4028234663852886e38;
const MAX_DIMENSIONS = 16_000;
/** PostgreSQL rejects values that are closer to zero. */
const MIN_REAL = 1.1754943508222875e-38;

const invalidResponse = (what: string): NodeError =>
  new NodeError('provider_response_invalid', `The embedding model ${what}`);

/** @returns the message of an error: providers send `{error: {message}}`, `{error}`, `{message}`, `{detail}` or text */
function readMessage(body: string, statusText: string): string {
  let parsed: Json;
  try {
    parsed = JSON.parse(body) as Json;
  } catch {
    return body.trim() || statusText;
  }
  const error = ownValue(parsed, 'error');
  const candidates = [
    ownValue(error, 'message'),
    error,
    ownValue(parsed, 'message'),
    ownValue(parsed, 'detail'),
    parsed,
  ];
  const found = candidates.find((candidate) => typeof candidate === 'string' && candidate !== '');
  return typeof found === 'string' ? found : statusText;
}

/** Sorts the vectors by the index of their text. @throws NodeError unless each text has exactly one */
function sortByIndex(rows: readonly Json[], count: number): Json[] {
  if (rows.length !== count) throw invalidResponse(`returned ${rows.length} vectors for ${count} texts`);
  const vectors: (Json | undefined)[] = Array.from({ length: count });
  for (const row of rows) {
    // A single vector needs no index.
    const index = ownValue(row, 'index') ?? (count === 1 ? 0 : null);
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count)
      throw invalidResponse(`returned a vector whose index is not that of one of ${count} texts`);
    if (vectors[index] !== undefined) throw invalidResponse('returned two vectors with the same index');
    vectors[index] = ownValue(row, 'embedding') ?? null;
  }
  return vectors.map((vector) => vector ?? null);
}

/** @throws NodeError unless every vector has the expected length and values that fit `real` */
function checkVectors(vectors: readonly Json[], dimensions: number | null): number[][] {
  const [first] = vectors;
  const length = dimensions ?? (Array.isArray(first) ? first.length : 0);
  return vectors.map((vector) => {
    if (!Array.isArray(vector)) throw invalidResponse('returned a vector that is not a list');
    if (vector.length === 0 || vector.length !== length) {
      throw invalidResponse(`returned a vector of ${vector.length} dimensions where ${length} were expected`);
    }
    if (vector.length > MAX_DIMENSIONS) {
      throw invalidResponse(`returned a vector of ${vector.length} dimensions, more than ${MAX_DIMENSIONS}`);
    }
    return vector.map((item) => {
      if (typeof item !== 'number' || !Number.isFinite(item) || Math.abs(item) > MAX_REAL)
        throw invalidResponse('returned a vector with a value that is not a number of single precision');
      return Math.abs(item) < MIN_REAL ? 0 : item;
    });
  });
}

/** Some providers return only the total. */
function countTokens(answer: JsonObject): number {
  const usage = ownValue(answer, 'usage');
  return toStorableCount(ownValue(usage, 'prompt_tokens') ?? ownValue(usage, 'total_tokens'));
}

/**
 * Embeds the texts in one request.
 * @throws APICallError for an error response; NodeError `provider_response_invalid` unless each text has a usable vector;
 *   what the endpoint's fetch throws
 */
export async function callEmbeddingModel(
  { baseUrl, apiKey, fetch }: EmbeddingEndpoint,
  { model: { model, dimensions }, texts, signal }: EmbeddingCall,
): Promise<EmbeddingResult> {
  const url = `${baseUrl.replace(/\/+$/, '')}/embeddings`;
  const sent = {
    model,
    input: texts,
    encoding_format: 'float',
    ...(dimensions === null ? {} : { dimensions }),
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(sent),
    signal,
  });
  const body = await response.text();
  if (!response.ok) {
    throw new APICallError({
      message: readMessage(body, response.statusText),
      url,
      requestBodyValues: null,
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
    });
  }
  let answer: Json;
  try {
    answer = JSON.parse(body) as Json;
  } catch {
    throw invalidResponse('returned invalid JSON');
  }
  const rows = ownValue(answer, 'data');
  if (!isObject(answer) || !Array.isArray(rows)) throw invalidResponse('returned no list of vectors');
  return { vectors: checkVectors(sortByIndex(rows, texts.length), dimensions), tokens: countTokens(answer) };
}
