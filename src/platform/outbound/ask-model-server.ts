/** Asks the server of a managed model whether it works, without calling a model. */
import { request } from 'undici';

const TIMEOUT_MS = 4_000;

/**
 * Lists the server's models, which is free of charge. A server without such a list (404) works, and so does one that limits the
 * rate of questions (429).
 * @throws Error without an answer in time, for a refused key, or when the server reports a failure of its own
 */
export async function askModelServer(model: {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}): Promise<void> {
  const url = `${model.baseUrl.replace(/\/+$/, '')}/models`;
  const { statusCode, body } = await request(url, {
    headers: {
      accept: 'application/json',
      ...(model.apiKey === undefined ? {} : { authorization: `Bearer ${model.apiKey}` }),
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await body.dump();
  const { origin } = new URL(url);
  if (statusCode === 401 || statusCode === 403) throw new Error(`${origin} refuses the key (${statusCode})`);
  if (statusCode >= 500) throw new Error(`${origin} answers ${statusCode}`);
}
