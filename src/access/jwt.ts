/**
 * JWTs of the identity provider: signature by a key of its published set, issuer, times and audience. The algorithm
 * is the published key's, never the token's choice; whatever cannot be verified is refused.
 */
import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import type { Config } from '../config/config.ts';
import { ApiError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { VerifiedTokens } from './verified-tokens.ts';
import { fetchKeys, type VerificationKey } from './key-set-fetch.ts';

/** Between two machines' clocks (SPEC SEC-J07, SEC-J09). */
const CLOCK_TOLERANCE_SECONDS = 5;
/** An unknown kid may be a new key, or one of a flood: it asks the provider at most this often (SPEC SEC-J05). */
const COOLDOWN_MS = 30_000;
/** While there is no key at all, a provider that just failed is asked again this soon. */
const RETRY_WITHOUT_KEYS_MS = 2_000;
/** A set that cannot be renewed is used this much longer than it would be cached. */
const STALE_MS = 3_600_000;
const MAX_CLAIM_LENGTH = 320;
/** The year 9999, in seconds. */
const MAX_EXPIRY = 253_402_300_799;

/** What the service reads of a token (SPEC API-jwt). */
export interface Claims {
  readonly subject: string;
  /** As the provider wrote it. */
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly sessionId: string | null;
  /** `metadata.role`, upper-cased; null when there is none. */
  readonly role: string | null;
}

/** Why a token is not taken. HTTP says less than a handshake does: SPEC API-jwt fixes its words. */
export class TokenRefused extends ApiError {
  readonly reason: 'invalid' | 'expired' | 'names_nobody' | 'no_keys';

  constructor(reason: TokenRefused['reason'], detail = 'Invalid or expired token') {
    super({ shape: 'A', status: 401, detail }, { 'WWW-Authenticate': 'Bearer' });
    this.reason = reason;
  }
}

const refused = (): Error => new TokenRefused('invalid');

export class KeySet {
  readonly #auth: Config['auth'];
  readonly #appUrl: string | undefined;
  /** Whether a token may leave out for whom it was made. */
  readonly #isClientOptional: boolean;
  readonly #log: Logger;
  readonly #verified = new VerifiedTokens(CLOCK_TOLERANCE_SECONDS);
  #keys: ReadonlyMap<string, VerificationKey> = new Map();
  #loadedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | null = null;

  constructor(config: Pick<Config, 'auth' | 'appUrl' | 'env'>, log: Logger) {
    this.#auth = config.auth;
    this.#appUrl = config.appUrl;
    // SPEC SEC-J13: a provider has other clients, whose tokens are not for us. A developer's issuer has one.
    this.#isClientOptional = config.env === 'development' || config.env === 'test';
    this.#log = log;
  }

  /**
   * Verifies a token.
   * @throws TokenRefused (401), with the words of SPEC API-jwt for a missing `sub` or `email`
   */
  async verify(token: string): Promise<Claims> {
    const { issuer, jwksUrl } = this.#auth;
    if (issuer === undefined || jwksUrl === undefined) throw refused();
    const key = await this.#find(jwksUrl, keyId(token));
    // Without any keys nobody can tell what the token is worth.
    if (key === undefined) throw this.#isUsable() ? refused() : new TokenRefused('no_keys');
    const known = this.#verified.find(token, key);
    if (known !== undefined) return this.#read(known);
    const options = { algorithms: [key.algorithm], issuer, clockTolerance: CLOCK_TOLERANCE_SECONDS };
    const payload = await jwtVerify(token, key.key, { ...options, requiredClaims: ['exp'] }).then(
      (verified) => verified.payload,
      (error: unknown) => {
        throw error instanceof errors.JWTExpired ? new TokenRefused('expired') : refused();
      },
    );
    this.#verified.remember(token, key, payload);
    return this.#read(payload);
  }

  /** For the health report: whether tokens can be verified right now. */
  async state(): Promise<'ready' | 'stale' | 'unconfigured' | 'unreachable'> {
    const { issuer, jwksUrl } = this.#auth;
    if (issuer === undefined || jwksUrl === undefined) return 'unconfigured';
    if (this.#age() >= this.#cacheMs()) await this.#load(jwksUrl, RETRY_WITHOUT_KEYS_MS);
    if (this.#age() < this.#cacheMs()) return 'ready';
    return this.#isUsable() ? 'stale' : 'unreachable';
  }

  #read(payload: JWTPayload): Claims {
    const { sub, iat, exp } = payload;
    const { email, azp, sid, metadata, email_verified: verified } = payload;
    if (sub === undefined || sub === '') throw new TokenRefused('names_nobody', 'User ID missing in token');
    if (email === undefined || email === null || email === '') {
      throw new TokenRefused('names_nobody', 'Email not found in token claims');
    }
    if (!isPlain(sub) || !isPlain(email)) throw refused();
    // A token that never expires in practice is as good as one without exp.
    if (exp === undefined || exp > MAX_EXPIRY) throw refused();
    // jose takes an iat of any time for good.
    if (iat !== undefined && iat > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS) throw refused();
    if (!this.#isForUs(azp)) throw refused();
    const role: unknown =
      typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'role') : null;
    return {
      subject: sub,
      email,
      isEmailVerified: verified === true,
      sessionId: typeof sid === 'string' ? sid : null,
      role: typeof role === 'string' && /^\w{1,64}$/.test(role) ? role.toUpperCase() : null,
    };
  }

  /** `azp` is the client that the token was issued to. Without APP_URL there is nothing to compare it with. */
  #isForUs(azp: unknown): boolean {
    if (this.#appUrl === undefined || azp === this.#appUrl) return true;
    return azp === undefined && this.#isClientOptional;
  }

  async #find(jwksUrl: string, kid: string): Promise<VerificationKey | undefined> {
    if (this.#age() >= this.#cacheMs()) {
      await this.#load(jwksUrl, this.#isUsable() ? COOLDOWN_MS : RETRY_WITHOUT_KEYS_MS);
    }
    if (!this.#keys.has(kid))
      await this.#load(jwksUrl, this.#isUsable() ? COOLDOWN_MS : RETRY_WITHOUT_KEYS_MS);
    return this.#isUsable() ? this.#keys.get(kid) : undefined;
  }

  #cacheMs(): number {
    return this.#auth.jwksCacheSeconds * 1000;
  }

  #age(): number {
    return performance.now() - this.#loadedAt;
  }

  #isUsable(): boolean {
    return this.#age() < this.#cacheMs() + STALE_MS;
  }

  /** One fetch at a time, shared by all that wait; none within `pauseMs` of the last. Never throws. */
  #load(jwksUrl: string, pauseMs: number): Promise<void> {
    if (this.#loading !== null) return this.#loading;
    if (performance.now() - this.#triedAt < pauseMs) return Promise.resolve();
    this.#triedAt = performance.now();
    this.#loading = fetchKeys(jwksUrl)
      .then(
        (keys) => {
          this.#keys = keys;
          this.#loadedAt = performance.now();
        },
        (error: unknown) =>
          this.#log.warn({ err: error }, 'the key set of the identity provider was not fetched'),
      )
      .finally(() => {
        this.#loading = null;
      });
    return this.#loading;
  }
}

/** A claim that may be stored and compared: text of sane length without control characters. */
function isPlain(claim: unknown): claim is string {
  return (
    typeof claim === 'string' && claim.length <= MAX_CLAIM_LENGTH && !/[\p{Cc}\p{Surrogate}]/u.test(claim)
  );
}

/** @throws TokenRefused for what is no signed token with a key id */
function keyId(token: string): string {
  try {
    const { kid } = decodeProtectedHeader(token);
    if (typeof kid === 'string' && kid !== '') return kid;
  } catch {
    throw refused();
  }
  throw refused();
}
