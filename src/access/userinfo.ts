/**
 * The identity provider's userinfo (OpenID Connect Core, section 5.3), for access tokens that carry no email: found by
 * discovery from the issuer, and asked once a token.
 */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { fetchProviderJson, ProviderRefused } from './provider-json.ts';
import { digestToken } from './verified-tokens.ts';

type Facts = Readonly<Record<string, unknown>>;

/** Tokens whose users are remembered; beyond, the one that was idle longest is asked about again. */
const MAX_TOKENS = 1_000;
/** As long as the key set: an address that changes at the provider changes here. */
const FACTS_MS = 300_000;
/** A provider that failed is left alone this long. */
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
   * The facts about the user of a verified token.
   * @returns null when the provider refuses the token, or speaks of somebody else
   * @throws Error when the provider cannot be asked; until PAUSE_MS later it is not asked again about this token
   */
  async find(token: string, subject: unknown): Promise<Facts | null> {
    const digest = digestToken(token);
    const known = this.#byToken.get(digest);
    if (known !== undefined) return known;
    const asked = this.#fetch(token, subject);
    this.#byToken.set(digest, asked);
    asked.catch(() => this.#byToken.set(digest, asked, { ttl: PAUSE_MS }));
    return asked;
  }

  async #fetch(token: string, subject: unknown): Promise<Facts | null> {
    const endpoint = await this.#findEndpoint();
    try {
      const user = facts.parse(await fetchProviderJson(endpoint, `Bearer ${token}`));
      // Core, section 5.3.2: an answer about another subject must not be used.
      return user.sub === subject ? user : null;
    } catch (error) {
      if (error instanceof ProviderRefused && [400, 401, 403].includes(error.status)) return null;
      throw error;
    }
  }

  /** The endpoint; a failure is not remembered. */
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
    // OpenID Connect Discovery, section 4.3: else anyone's document could name where tokens are sent.
    if (trimSlashes(found.issuer) !== issuer) throw new Error('the discovered issuer is another one');
    return found.userinfo_endpoint;
  }
}
