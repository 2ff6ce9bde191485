/**
 * Verifies JWTs of the identity provider: signature by a published key, issuer, times, client and, if configured, audience.
 * The algorithm is that of the published key, never the token's choice.
 */
import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { systemClock } from '../../base/clock.ts';
import type { Config } from '../../base/config/config.ts';
import { ApiError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import {
  readClaim,
  isMissing,
  isStorableClaim,
  readAuthorizedParty,
  readRole,
  type Claims,
} from './claims.ts';
import { Userinfo } from './userinfo.ts';
import { VerifiedTokens } from './verified-tokens.ts';
import { fetchKeys, type VerificationKey } from './key-set-fetch.ts';

/**
 * Clock skew between two machines: a provider whose clock is ahead issues tokens of the next minute, which are accepted
 * (SPEC SEC-J09); an expired token is not accepted for long (SPEC SEC-J07).
 */
const TOLERANCE = { earlySeconds: 60, lateSeconds: 5 };
/** Minimum interval of fetches for an unknown `kid`, which may be a new key or an attack (SPEC SEC-J05). */
const COOLDOWN_MS = 30_000;
/** Minimum interval of fetches while there are no keys. */
const RETRY_WITHOUT_KEYS_MS = 2_000;
/** Time for which an expired key set is still used when it cannot be fetched again. */
const STALE_MS = 3_600_000;
/** The year 9999, in seconds. */
const MAX_EXPIRY = 253_402_300_799;

/** The reason in the log for a refused token. */
type TokenFault =
  | 'unconfigured'
  | 'no_signed_token'
  | 'unknown_key'
  | 'signature'
  | 'expired'
  | 'not_yet_valid'
  | 'end'
  | 'issuer'
  | 'audience'
  | 'authorized_party'
  | 'no_subject'
  | 'no_email'
  | 'malformed_claim'
  | 'userinfo_refused'
  | 'no_keys'
  | 'no_userinfo';

/** A refused token. SPEC API-jwt fixes the HTTP text; the canvas handshake reads `reason`. */
export class TokenRefused extends ApiError {
  readonly reason: 'invalid' | 'expired' | 'names_nobody' | 'provider_away';
  readonly fault: TokenFault;

  constructor(why: TokenFault) {
    const isAway = why === 'no_keys' || why === 'no_userinfo';
    const reason = isAway ? 'provider_away' : (REASONS[why] ?? 'invalid');
    super(
      {
        shape: 'A',
        status: isAway ? 503 : 401,
        code: CODES[reason],
        detail: DETAILS[why] ?? 'Invalid or expired token',
      },
      isAway ? { 'Retry-After': String(RETRY_WITHOUT_KEYS_MS / 1000) } : { 'WWW-Authenticate': 'Bearer' },
    );
    this.fault = why;
    this.reason = reason;
  }
}

const PROVIDER_AWAY = 'The identity provider cannot be reached; try again';
const DETAILS: Readonly<Partial<Record<TokenFault, string>>> = {
  no_subject: 'User ID missing in token',
  no_email: 'Email not found in token claims',
  no_keys: PROVIDER_AWAY,
  no_userinfo: PROVIDER_AWAY,
};
const REASONS: Readonly<Partial<Record<TokenFault, TokenRefused['reason']>>> = {
  expired: 'expired',
  no_subject: 'names_nobody',
  no_email: 'names_nobody',
};

const CODES = {
  invalid: 'token_invalid',
  expired: 'token_expired',
  names_nobody: 'token_without_user',
  provider_away: 'identity_provider_unavailable',
} as const;

/** Converts an error of jose. */
function toTokenRefused(error: unknown): TokenRefused {
  if (error instanceof errors.JWTExpired) return new TokenRefused('expired');
  if (error instanceof errors.JWTClaimValidationFailed) {
    const whys: Readonly<Record<string, TokenFault>> = {
      iss: 'issuer',
      aud: 'audience',
      nbf: 'not_yet_valid',
      exp: 'end',
    };
    return new TokenRefused(whys[error.claim] ?? 'malformed_claim');
  }
  return new TokenRefused('signature');
}

export class KeySet {
  readonly #auth: Config['auth'];
  readonly #appUrl: string | undefined;
  /** Whether a token may omit its client. */
  readonly #isClientOptional: boolean;
  readonly #log: Logger;
  readonly #userinfo: Userinfo | null;
  readonly #verified = new VerifiedTokens(TOLERANCE);
  #keys: ReadonlyMap<string, VerificationKey> = new Map();
  #loadedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | null = null;

  constructor(config: Pick<Config, 'auth' | 'appUrl' | 'env'>, log: Logger) {
    this.#auth = config.auth;
    this.#appUrl = config.appUrl;
    // SPEC SEC-J13: tokens of the provider's other clients are not for us. A developer's issuer has one client.
    this.#isClientOptional = config.env === 'development' || config.env === 'test';
    this.#log = log;
    const { asksUserinfo, issuer } = config.auth;
    this.#userinfo = asksUserinfo && issuer !== undefined ? new Userinfo(issuer) : null;
  }

  /**
   * Verifies a token. Logs the reason of a refusal, never the token.
   * @throws TokenRefused 401, with the texts of SPEC API-jwt for a missing `sub` or `email`; 503 without keys or userinfo
   */
  async verify(token: string): Promise<Claims> {
    try {
      const payload = await this.#verifySignature(token);
      this.#requireValidClaims(payload);
      return this.#toClaims(payload, await this.#findUserFacts(token, payload));
    } catch (error) {
      if (error instanceof TokenRefused) this.#log.info({ reason: error.fault }, 'a token was refused');
      throw error;
    }
  }

  /** Returns whether tokens can be verified now, for the health report. */
  async state(): Promise<'ready' | 'stale' | 'unconfigured' | 'unreachable'> {
    const { issuer, jwksUrl } = this.#auth;
    if (issuer === undefined || jwksUrl === undefined) return 'unconfigured';
    if (this.#keySetAgeMs() >= this.#cacheMs()) await this.#loadKeys(jwksUrl, RETRY_WITHOUT_KEYS_MS);
    if (this.#keySetAgeMs() < this.#cacheMs()) return 'ready';
    return this.#isUsable() ? 'stale' : 'unreachable';
  }

  /** Verifies the signature and jose's claims. @returns the payload @throws TokenRefused */
  async #verifySignature(token: string): Promise<JWTPayload> {
    const { issuer, jwksUrl, audience } = this.#auth;
    if (issuer === undefined || jwksUrl === undefined) throw new TokenRefused('unconfigured');
    const key = await this.#findKey(jwksUrl, readKeyId(token));
    // Without any keys the token can be neither verified nor refused.
    if (key === undefined) throw new TokenRefused(this.#isUsable() ? 'unknown_key' : 'no_keys');
    const known = this.#verified.find(token, key);
    if (known !== undefined) return known;
    const { payload } = await jwtVerify(token, key.key, {
      algorithms: [key.algorithm],
      issuer,
      clockTolerance: TOLERANCE.earlySeconds,
      requiredClaims: ['exp'],
      ...(audience === null ? {} : { audience: [...audience] }),
    }).catch((error: unknown) => {
      throw toTokenRefused(error);
    });
    this.#verified.remember(token, key, payload);
    return payload;
  }

  /** Checks the claims that jose does not check. @throws TokenRefused */
  #requireValidClaims(payload: JWTPayload): void {
    const { iat, exp } = payload;
    const subject = readClaim(payload, this.#auth.claimNames, 'sub');
    if (isMissing(subject)) throw new TokenRefused('no_subject');
    if (!isStorableClaim(subject)) throw new TokenRefused('malformed_claim');
    // A token that expires after the year 9999 counts as one without `exp`.
    if (exp === undefined || exp > MAX_EXPIRY) throw new TokenRefused('end');
    const now = Math.floor(systemClock.now() / 1_000);
    // jose has one tolerance for both times and does not check `iat`.
    if (exp <= now - TOLERANCE.lateSeconds) throw new TokenRefused('expired');
    if (iat !== undefined && iat > now + TOLERANCE.earlySeconds) throw new TokenRefused('not_yet_valid');
    if (!this.#isForUs(payload)) throw new TokenRefused('authorized_party');
  }

  /** Returns the claims with the email: the token's, or the provider's userinfo. @throws TokenRefused */
  async #findUserFacts(token: string, payload: JWTPayload): Promise<Readonly<Record<string, unknown>>> {
    const { claimNames } = this.#auth;
    if (this.#userinfo === null || !isMissing(readClaim(payload, claimNames, 'email'))) return payload;
    const facts = await this.#userinfo.find(token, payload.sub).catch((error: unknown) => {
      this.#log.warn(
        { err: error, dependency: 'identity_provider' },
        'the userinfo of the identity provider was not fetched',
      );
      throw new TokenRefused('no_userinfo');
    });
    if (facts === null) throw new TokenRefused('userinfo_refused');
    return facts;
  }

  /** @param user the claims with the email; userinfo has the standard names */
  #toClaims(payload: JWTPayload, user: Readonly<Record<string, unknown>>): Claims {
    const { claimNames: names, isEmailAlwaysVerified } = this.#auth;
    const userNames = user === payload ? names : {};
    const subject = readClaim(payload, names, 'sub');
    const email = readClaim(user, userNames, 'email');
    if (isMissing(email)) throw new TokenRefused('no_email');
    if (!isStorableClaim(subject) || !isStorableClaim(email)) throw new TokenRefused('malformed_claim');
    const sid = readClaim(payload, names, 'sid');
    return {
      subject,
      email,
      isEmailVerified: isEmailAlwaysVerified || readClaim(user, userNames, 'email_verified') === true,
      sessionId: typeof sid === 'string' ? sid : null,
      role: readRole(payload, names),
    };
  }

  /**
   * Whether the token was issued to our client: one of the configured clients, or else APP_URL. The client may be missing when
   * the audience was checked, and is not checked without APP_URL.
   */
  #isForUs(payload: JWTPayload): boolean {
    const { authorizedParties, claimNames, audience } = this.#auth;
    if (authorizedParties !== null) {
      const party = readAuthorizedParty(payload, claimNames);
      return typeof party === 'string' && authorizedParties.includes(party);
    }
    const azp = readClaim(payload, claimNames, 'azp');
    if (this.#appUrl === undefined || azp === this.#appUrl) return true;
    return azp === undefined && (this.#isClientOptional || audience !== null);
  }

  async #findKey(jwksUrl: string, kid: string): Promise<VerificationKey | undefined> {
    if (this.#keySetAgeMs() >= this.#cacheMs()) {
      await this.#loadKeys(jwksUrl, this.#isUsable() ? COOLDOWN_MS : RETRY_WITHOUT_KEYS_MS);
    }
    if (!this.#keys.has(kid))
      await this.#loadKeys(jwksUrl, this.#isUsable() ? COOLDOWN_MS : RETRY_WITHOUT_KEYS_MS);
    return this.#isUsable() ? this.#keys.get(kid) : undefined;
  }

  #cacheMs(): number {
    return this.#auth.jwksCacheSeconds * 1000;
  }

  #keySetAgeMs(): number {
    return systemClock.monotonic() - this.#loadedAt;
  }

  #isUsable(): boolean {
    return this.#keySetAgeMs() < this.#cacheMs() + STALE_MS;
  }

  /** Fetches the key set; concurrent calls share one fetch. Does nothing within `pauseMs` of the last. Never throws. */
  #loadKeys(jwksUrl: string, pauseMs: number): Promise<void> {
    if (this.#loading !== null) return this.#loading;
    if (systemClock.monotonic() - this.#triedAt < pauseMs) return Promise.resolve();
    this.#triedAt = systemClock.monotonic();
    this.#loading = fetchKeys(jwksUrl)
      .then(
        (keys) => {
          this.#keys = keys;
          this.#loadedAt = systemClock.monotonic();
        },
        (error: unknown) =>
          this.#log.warn(
            { err: error, dependency: 'identity_provider' },
            'the key set of the identity provider was not fetched',
          ),
      )
      .finally(() => {
        this.#loading = null;
      });
    return this.#loading;
  }
}

/** @throws TokenRefused unless it is a signed token with a key id */
function readKeyId(token: string): string {
  try {
    const { kid } = decodeProtectedHeader(token);
    if (typeof kid === 'string' && kid !== '') return kid;
  } catch {
    throw new TokenRefused('no_signed_token');
  }
  throw new TokenRefused('no_signed_token');
}
