/** One request to a model that turns texts into vectors, in OpenAI's protocol, and what its answer means. */
import { APICallError } from 'ai';
import { isObject, ownValue } from '../graph/value.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import { storableCount } from '../graph/storable.ts';
import type { Embedded, EmbeddingModel } from './embedding-port.ts';
import { NodeError } from '../nodes/kind.ts';

/** Where the requests go, and with which key. */
export interface EmbeddingEndpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

export interface EmbeddingCall {
  readonly model: Pick<EmbeddingModel, 'model' | 'dimensions'>;
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
}

/** The largest that `real` holds, and the most dimensions that pgvector's `vector` has. */
const MAX_REAL = 3.4028234663852886e38;
const MAX_DIMENSIONS = 16_000;
/** PostgreSQL refuses what is nearer to zero than `real` can say. */
const MIN_REAL = 1.1754943508222875e-38;

const unusable = (what: string): NodeError =>
  new NodeError('provider_response_invalid', `The embedding model ${what}`);

/** The sentence of a refusal: providers send `{error: {message}}`, `{error}`, `{message}`, `{detail}` or a text. */
function sentenceIn(body: string, statusText: string): string {
  let told: Json;
  try {
    told = JSON.parse(body) as Json;
  } catch {
    return body.trim() || statusText;
  }
  const error = ownValue(told, 'error');
  const candidates = [
    ownValue(error, 'message'),
    error,
    ownValue(told, 'message'),
    ownValue(told, 'detail'),
    told,
  ];
  const found = candidates.find((candidate) => typeof candidate === 'string' && candidate !== '');
  return typeof found === 'string' ? found : statusText;
}

/** The vectors in the order of their texts. @throws NodeError where a text would have none, or two */
function placed(rows: readonly Json[], count: number): Json[] {
  if (rows.length !== count) throw unusable(`answered ${rows.length} vectors for ${count} texts`);
  const vectors: (Json | undefined)[] = Array.from({ length: count });
  for (const row of rows) {
    // One vector for one text can only be that.
    const index = ownValue(row, 'index') ?? (count === 1 ? 0 : null);
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count)
      throw unusable(`answered a vector whose index is not one of ${count} texts`);
    if (vectors[index] !== undefined) throw unusable('answered two vectors of one index');
    vectors[index] = ownValue(row, 'embedding') ?? null;
  }
  return vectors.map((vector) => vector ?? null);
}

/** @throws NodeError for anything but one usable vector for each text */
function checked(vectors: readonly Json[], dimensions: number | null): number[][] {
  const [first] = vectors;
  const length = dimensions ?? (Array.isArray(first) ? first.length : 0);
  return vectors.map((vector) => {
    if (!Array.isArray(vector)) throw unusable('answered something that is no vector');
    if (vector.length === 0 || vector.length !== length) {
      throw unusable(`answered a vector of ${vector.length} dimensions where ${length} were expected`);
    }
    if (vector.length > MAX_DIMENSIONS) {
      throw unusable(`answered a vector of ${vector.length} dimensions, more than ${MAX_DIMENSIONS}`);
    }
    return vector.map((item) => {
      if (typeof item !== 'number' || !Number.isFinite(item) || Math.abs(item) > MAX_REAL)
        throw unusable('answered a vector with something that is no number, or one beyond single precision');
      return Math.abs(item) < MIN_REAL ? 0 : item;
    });
  });
}

/** Some providers count all tokens alone. */
function tokensOf(answer: JsonObject): number {
  const usage = ownValue(answer, 'usage');
  return storableCount(ownValue(usage, 'prompt_tokens') ?? ownValue(usage, 'total_tokens'));
}

/**
 * Sends the texts in one request.
 * @throws APICallError for a refusal; NodeError `provider_response_invalid` for anything but one usable vector for each
 *   text; what the endpoint's fetch throws
 */
export async function callEmbeddingModel(
  { baseUrl, apiKey, fetch }: EmbeddingEndpoint,
  { model: { model, dimensions }, texts, signal }: EmbeddingCall,
): Promise<Embedded> {
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
      message: sentenceIn(body, response.statusText),
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
    throw unusable('answered something that is no JSON');
  }
  const rows = ownValue(answer, 'data');
  if (!isObject(answer) || !Array.isArray(rows)) throw unusable('answered no list of vectors');
  return { vectors: checked(placed(rows, texts.length), dimensions), tokens: tokensOf(answer) };
}
