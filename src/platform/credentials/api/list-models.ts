/** GET /models: the models of an account, or of the managed endpoint, as the provider lists them. */
import { z } from 'zod';
import type { Scope } from '../../access/caller.ts';
import type { Clock } from '../../../base/clock.ts';
import { BoundedMap } from '../../../language/graph/values/bounded-map.ts';
import { parseUntrustedJson } from '../../../language/graph/values/storable.ts';
import { accountHttp } from '../account-http.ts';
import { Accounts, MANAGED_INTEGRATION } from '../node-credentials.ts';
import { RenewingVault } from '../vault/renewing-vault.ts';
import { Secrets } from '../vault/secrets.ts';
import { Vault } from '../vault/vault.ts';
import { findIntegration } from '../../../language/nodes/integrations/catalog.ts';
import { NodeError } from '../../../language/nodes/kind.ts';
import type { HttpRequest, HttpResponse } from '../../../language/nodes/tools.ts';
import { createGuardedAgent } from '../../outbound/guarded-agent.ts';
import { guardedHttp } from '../../outbound/guarded-http.ts';
import { toHostPort } from '../../outbound/destinations.ts';
import { findCredential, type CredentialDeps } from './service.ts';
import type { CredentialRow } from './store.ts';

/** The form waits for the list; without one it takes any name. */
const TIMEOUT_MS = 5_000;
/** Providers add a model every few weeks. */
const CACHE_MS = 5 * 60_000;
const MAX_CACHED_LISTS = 1_000;
const MAX_MODELS = 1_000;
const MAX_ID_LENGTH = 256;
/** The path of OpenAI's and Anthropic's list; Anthropic's has pages, of which the largest is asked for. */
const PATH = '/models';
const PAGES: Readonly<Record<string, string>> = { anthropic: `?limit=${MAX_MODELS}` };

/** The response of both providers. */
const listed = z.object({ data: z.array(z.object({ id: z.string().min(1).max(MAX_ID_LENGTH) })) });

interface ModelList {
  readonly models: readonly { readonly id: string }[];
  readonly total: number;
  readonly reason: 'not_configured' | 'not_listed' | 'refused' | 'unavailable' | null;
}

const createEmpty = (reason: ModelList['reason']): ModelList => ({ models: [], total: 0, reason });

/** @param secrets that the provider may repeat */
function readList({ status, text }: HttpResponse, secrets: Secrets): ModelList {
  if (status === 401 || status === 403) return createEmpty('refused');
  if (status === 429 || status >= 500) return createEmpty('unavailable');
  try {
    const { data } = listed.parse(parseUntrustedJson(text));
    const ids = [...new Set(data.map(({ id }) => secrets.text(id)))].toSorted().slice(0, MAX_MODELS);
    return { models: ids.map((id) => ({ id })), total: ids.length, reason: null };
  } catch {
    return createEmpty('not_listed');
  }
}

interface ProviderAccess {
  readonly accounts: Accounts;
  readonly secrets: Secrets;
  /** Addresses of the network that the endpoint may have. */
  readonly allowed: readonly string[];
}

/** Asks an endpoint for its list. @throws NodeError when the credential or the provider failed */
async function askProvider(
  request: Pick<HttpRequest, 'url' | 'headers' | 'credential'>,
  { accounts, secrets, allowed }: ProviderAccess,
): Promise<ModelList> {
  const guarded = createGuardedAgent(allowed, { keepAlive: false });
  try {
    const response = await accountHttp(guardedHttp(guarded), accounts).send({
      ...request,
      method: 'GET',
      body: null,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      mayRepeat: true,
    });
    return readList(response, secrets);
  } finally {
    await guarded.agent.destroy();
  }
}

/** Presents a failure of the credential or the provider. @throws any other error */
function toEmpty(error: unknown): ModelList {
  if (!(error instanceof NodeError)) throw error;
  return createEmpty(error.code.startsWith('credential_') ? 'refused' : 'unavailable');
}

/** Lists models; keeps each list for some minutes. */
export class ModelLists {
  readonly #cache = new BoundedMap<string, { readonly list: ModelList; readonly untilMs: number }>(
    MAX_CACHED_LISTS,
  );
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Lists the models of a credential's account, or those of the managed endpoint.
   * @param credentialId null: the managed endpoint
   * @throws ApiError 404 for the credential
   */
  async list(deps: CredentialDeps, scope: Scope, credentialId: string | null): Promise<ModelList> {
    const found = credentialId === null ? null : await findCredential(deps, scope, credentialId);
    const row = found?.integration === MANAGED_INTEGRATION ? null : found;
    // A credential that has changed may have another key or another address.
    const key =
      row === null ? MANAGED_INTEGRATION : `${row.organizationId} ${row.id} ${row.updatedAt.getTime()}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined && cached.untilMs > this.#clock.now()) return cached.list;
    const asked = row === null ? this.#askManaged(deps) : this.#askAccount(deps, row);
    const list = await asked.catch(toEmpty);
    // A failure may be over at the next try.
    if (list.reason === null || list.reason === 'not_listed')
      this.#cache.set(key, { list, untilMs: this.#clock.now() + CACHE_MS });
    return list;
  }

  async #askManaged(deps: CredentialDeps): Promise<ModelList> {
    const { managedLlm } = deps.config;
    if (managedLlm === null) return createEmpty('not_configured');
    const { baseUrl, apiKey } = managedLlm;
    const secrets = new Secrets();
    const headers: Record<string, string> = {};
    if (apiKey !== undefined) {
      secrets.add(apiKey);
      headers['authorization'] = `Bearer ${apiKey}`;
    }
    const accounts = new Accounts(new Vault(deps), secrets);
    const url = `${baseUrl.replace(/\/+$/, '')}${PATH}`;
    return askProvider({ url, headers }, { accounts, secrets, allowed: [toHostPort(baseUrl)] });
  }

  async #askAccount(
    deps: CredentialDeps,
    { id: credentialId, organizationId, integration }: CredentialRow,
  ): Promise<ModelList> {
    const entry = findIntegration(integration);
    if (entry === null || !entry.tags.includes('llm')) return createEmpty('not_listed');
    const credential = { organizationId, credentialId };
    const secrets = new Secrets();
    const accounts = new Accounts(new RenewingVault(new Vault(deps), deps), secrets);
    const { baseUrl } = await accounts.open(credential);
    const url = `${baseUrl}${PATH}${PAGES[integration] ?? ''}`;
    const request = { url, headers: entry.test?.headers ?? {}, credential };
    return askProvider(request, { accounts, secrets, allowed: deps.config.outboundAllow });
  }
}
