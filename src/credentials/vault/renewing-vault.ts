/**
 * The vault for work: an OAuth account whose access token is about to end is renewed before it is handed out, and one whose
 * token a service has refused before its end is renewed then. One
 * process alone renews a credential at a time, under a lease in its row; the others wait for the new token. Two that
 * renewed at once would make a provider revoke both grants.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { systemClock } from '../../clock.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/config.ts';
import type { Db } from '../../db/client.ts';
import { findIntegration, findScheme } from '../../nodes/integrations/catalog.ts';
import type { Logger } from '../../log.ts';
import { NothingSentError } from '../../nodes/failure.ts';
import type { Owner } from './envelope.ts';
import { masked } from './masking.ts';
import { renewalOf, withTokens } from './oauth-data.ts';
import type { OpenCredential, Vault } from './vault.ts';
import { OAuthFailure, partyOf, requestTokens } from '../oauth-client.ts';
import type { OAuthParty, Tokens } from '../oauth-client.ts';

/** A token that ends sooner would end on its way. */
const MARGIN_MS = 60_000;
/** Longer than a request for tokens may take: who holds the lease longer is dead. */
const LEASE = '30 seconds';
const LOOK_MS = 250;
const MAX_LOOKS = 140;
/** A service that refuses a new token as well refuses something else: then it is not asked for another one. */
const REFUSAL_PAUSE_MS = 60_000;
const MAX_REFUSED = 1_000;

const TAKE = `
  UPDATE credentials SET renewing_until = now() + interval '${LEASE}'
  WHERE organization_id = $1 AND id = $2 AND (renewing_until IS NULL OR renewing_until < now())
  RETURNING renewing_until::text AS lease`;
// Who replaces the data of a credential ends its lease: what was renewed of the old data is not written over it.
const HELD = 'organization_id = $1 AND id = $2 AND renewing_until = $3::timestamptz';
const RENEWED = `
  UPDATE credentials SET renewing_until = NULL, status = CASE status WHEN 'revoked' THEN status ELSE 'active' END,
         status_message = NULL, key_id = $4, wrapped_key = $5, ciphertext = $6, masked = $7::jsonb
  WHERE ${HELD}`;
const RELEASE = `UPDATE credentials SET renewing_until = NULL WHERE ${HELD}`;
/** The grant is gone for good; what the token is still good for, it may be used for. */
const ENDED = `
  UPDATE credentials SET renewing_until = NULL, expires_at = $4,
         status_message = 'The provider does not renew the access any more: authorize the account again'
  WHERE ${HELD}`;

export interface RenewingDeps {
  readonly config: Pick<Config, 'oauthClients' | 'outboundAllow'>;
  readonly db: Pick<Db, 'query'>;
  readonly log: Logger;
  readonly clock?: Pick<Clock, 'monotonic'>;
}

/** A credential that this process alone renews now. */
interface Held extends Owner {
  readonly lease: string;
}

/** An account, the tokens that renew it, and whom to ask. */
interface Stale {
  readonly found: OpenCredential;
  readonly party: OAuthParty;
  readonly refreshToken: string;
  readonly endsAt: number;
}

export class RenewingVault implements Pick<Vault, 'find'> {
  readonly #vault: Vault;
  readonly #deps: RenewingDeps;
  /** What renewals for refused tokens have led to, and when. */
  readonly #renewals = new LRUCache<string, { readonly digest: string; readonly at: number }>({
    max: MAX_REFUSED,
  });

  constructor(vault: Vault, deps: RenewingDeps) {
    this.#vault = vault;
    this.#deps = deps;
  }

  /**
   * As `Vault.find`, with an access token that is good for a minute at least where the provider gives one.
   * @throws NothingSentError `credential_not_renewed` (retryable) when the token has ended and there is no new one yet
   */
  find(owner: Owner): Promise<OpenCredential | null> {
    return this.#findGood(owner, null);
  }

  /**
   * The credential with another access token than the one that a service has refused, before its end as far as is known.
   * @returns null when there is none: nothing renews it, it was renewed a moment ago, or the provider does not
   */
  async renew(owner: Owner, refused: string): Promise<OpenCredential | null> {
    const other = (found: OpenCredential | null): OpenCredential | null =>
      found?.state === 'active' && found.data['access_token'] !== refused ? found : null;
    const { organizationId, credentialId } = owner;
    const key = `${organizationId} ${credentialId}`;
    const { monotonic } = this.#deps.clock ?? systemClock;
    const last = this.#renewals.get(key);
    if (last?.digest === digestOf(refused) && monotonic() - last.at < REFUSAL_PAUSE_MS)
      return other(await this.#vault.find(owner));
    let found: OpenCredential | null = null;
    try {
      found = other(await this.#findGood(owner, refused));
    } catch (error) {
      if (!(error instanceof NothingSentError)) throw error;
    }
    const token = found?.data['access_token'];
    this.#renewals.set(key, {
      digest: digestOf(typeof token === 'string' ? token : refused),
      at: monotonic(),
    });
    return found;
  }

  /** @param refused the access token that a service did not take: it counts as ended */
  async #findGood(owner: Owner, refused: string | null): Promise<OpenCredential | null> {
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const found = await this.#vault.find(owner);
      const stale = this.#staleOf(found, refused);
      if (stale === null) return found;
      const { organizationId, credentialId } = owner;
      const [taken] = await this.#deps.db.query<{ lease: string }>(TAKE, [organizationId, credentialId]);
      if (taken !== undefined) return this.#renew({ ...owner, lease: taken.lease }, refused);
      // Until another process has renewed it the old token serves as long as it lasts.
      if (stale.endsAt > Date.now()) return found;
      await pause(LOOK_MS);
    }
    throw notRenewed();
  }

  #staleOf(found: OpenCredential | null, refused: string | null): Stale | null {
    if (found === null || found.authType !== 'oauth2' || found.state !== 'active') return null;
    const renewal = renewalOf(found.data);
    const party = partyOf(this.#deps.config, found.integration);
    if (renewal === null || party === null) return null;
    const now = Date.now();
    const isRefused = refused !== null && found.data['access_token'] === refused;
    const endsAt = isRefused ? now : renewal.endsAt;
    if (endsAt === null || endsAt - MARGIN_MS > now) return null;
    return { found, party, refreshToken: renewal.refreshToken, endsAt };
  }

  /** With the lease in hand: another process may have renewed the token just before. */
  async #renew(owner: Held, refused: string | null): Promise<OpenCredential | null> {
    try {
      const found = await this.#vault.find(owner);
      const stale = this.#staleOf(found, refused);
      if (stale === null) return found;
      return await this.#ask(owner, stale);
    } finally {
      await this.#deps.db.query(RELEASE, idsOf(owner));
    }
  }

  async #ask(owner: Held, { found, party, refreshToken, endsAt }: Stale): Promise<OpenCredential | null> {
    let tokens: Tokens;
    try {
      const grant = { grant_type: 'refresh_token', refresh_token: refreshToken };
      tokens = await requestTokens(this.#deps.config, party, grant);
    } catch (error) {
      if (!(error instanceof OAuthFailure)) throw error;
      const { credentialId } = owner;
      this.#deps.log.warn(
        { credential_id: credentialId, is_refused: error.refused },
        'a token was not renewed',
      );
      if (error.refused) await this.#deps.db.query(ENDED, [...idsOf(owner), new Date(endsAt)]);
      if (endsAt > Date.now()) return found;
      if (error.refused) return { ...found, state: 'expired' };
      throw notRenewed();
    }
    const data = withTokens(found.data, tokens);
    await this.#store(owner, found, data);
    return { ...found, data };
  }

  async #store(
    owner: Held,
    { integration, authType }: OpenCredential,
    data: OpenCredential['data'],
  ): Promise<void> {
    const entry = findIntegration(integration);
    const scheme = entry === null ? null : findScheme(entry, authType);
    const { keyId, wrappedKey, ciphertext } = this.#vault.seal(owner, data);
    await this.#deps.db.query(RENEWED, [
      ...idsOf(owner),
      keyId,
      wrappedKey,
      ciphertext,
      JSON.stringify(scheme === null ? {} : masked(scheme, data)),
    ]);
  }
}

const idsOf = ({ organizationId, credentialId, lease }: Held): string[] => [
  organizationId,
  credentialId,
  lease,
];

/** What stands for a token in memory: its text could be used by whoever reads it. */
const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64');

const notRenewed = (): NothingSentError =>
  new NothingSentError('credential_not_renewed', 'The access token of the credential could not be renewed', {
    retryable: true,
  });
