/**
 * Reads the identity provider's userinfo (OpenID Connect Core, section 5.3) for access tokens without an email. The endpoint is
 * discovered from the issuer, and queried once per token.
 */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { fetchProviderJson, ProviderStatusError } from './provider-json.ts';
import { digestToken } from './verified-tokens.ts';

type Facts = Readonly<Record<string, unknown>>;

/** Maximum number of cached tokens; the least recently used one is dropped. */
const MAX_TOKENS = 1_000;
/** Cached as long as the key set, so that a changed address takes effect. */
const FACTS_MS = 300_000;
/** After a failure the provider is not queried about the same token for this long. */
const PAUSE_MS = 2_000;

const discovered = z.looseObject({ issuer: z.string(), userinfo_endpoint: z.url({ protocol: /^https?$/ }) });
const facts = z.looseObject({ sub: z.string() });

const trimSlashes = (issuer: string): string => issuer.replace(/\/+$/, '');

export class Userinfo {
  readonly #issuer: string;
  readonly #byToken = new LRUCache<string, Promise<Facts | null>>({ max: MAX_TOKENS, ttl: FACTS_MS });
  #endpoint: Promise<string> | null = null;

  /** @param issuer AUTH_ISSUER */
  constructor(issuer: string) {
    this.#issuer = issuer;
  }

  /**
   * Finds the userinfo of a verified token.
   * @returns null when the provider refuses the token or answers about another subject
   * @throws Error when the query fails; the failure is cached for PAUSE_MS
   */
  async find(token: string, subject: unknown): Promise<Facts | null> {
    const digest = digestToken(token);
    const known = this.#byToken.get(digest);
    if (known !== undefined) return known;
    const found = this.#fetch(token, subject);
    this.#byToken.set(digest, found);
    found.catch(() => this.#byToken.set(digest, found, { ttl: PAUSE_MS }));
    return found;
  }

  async #fetch(token: string, subject: unknown): Promise<Facts | null> {
    const endpoint = await this.#findEndpoint();
    try {
      const user = facts.parse(await fetchProviderJson(endpoint, `Bearer ${token}`));
      // Core, section 5.3.2: an answer about another subject must not be used.
      return user.sub === subject ? user : null;
    } catch (error) {
      if (error instanceof ProviderStatusError && [400, 401, 403].includes(error.status)) return null;
      throw error;
    }
  }

  /** Returns the endpoint; a failed discovery is not cached. */
  #findEndpoint(): Promise<string> {
    this.#endpoint ??= this.#discover().catch((error: unknown) => {
      this.#endpoint = null;
      throw error;
    });
    return this.#endpoint;
  }

  async #discover(): Promise<string> {
    const issuer = trimSlashes(this.#issuer);
    const found = discovered.parse(await fetchProviderJson(`${issuer}/.well-known/openid-configuration`));
    // OpenID Connect Discovery, section 4.3: a document of another issuer could redirect tokens.
    if (trimSlashes(found.issuer) !== issuer) throw new Error('the discovery document has another issuer');
    return found.userinfo_endpoint;
  }
}
