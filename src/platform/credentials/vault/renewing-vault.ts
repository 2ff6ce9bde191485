/**
 * The vault for nodes: renews an OAuth access token that is about to expire, or that a service rejected earlier. One process
 * renews a credential at a time, under a lease in its row, and the others wait for the new token: two concurrent renewals
 * would make a provider revoke both grants.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { systemClock } from '../../../base/clock.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Config } from '../../../base/config/config.ts';
import type { Db } from '../../../base/db/client.ts';
import { findScheme } from '../../../language/nodes/integrations/catalog.ts';
import type { Logger } from '../../../base/log.ts';
import { NothingSentError } from '../../../language/nodes/failure.ts';
import type { Owner } from './envelope.ts';
import { maskData } from './masking.ts';
import { readRenewal, withTokens } from './oauth-data.ts';
import type { OpenCredential, Vault } from './vault.ts';
import { OAuthFailure, renewTokens } from '../oauth-client.ts';
import type { Tokens } from '../oauth-client.ts';
import { findOAuthParty, type OAuthParty } from '../oauth-party.ts';

/** A token that expires sooner might expire before it arrives. */
const MARGIN_MS = 60_000;
/** Longer than a token request may take, so the holder of an older lease is dead. */
const LEASE = '30 seconds';
const POLL_MS = 250;
const MAX_POLLS = 140;
/** A service that rejects a fresh token rejects something else, so the token is not renewed again for this long. */
const REJECTION_PAUSE_MS = 60_000;
const MAX_REJECTED = 1_000;

const TAKE = `
  UPDATE credentials SET renewing_until = now() + interval '${LEASE}'
  WHERE organization_id = $1 AND id = $2 AND (renewing_until IS NULL OR renewing_until < now())
  RETURNING renewing_until::text AS lease`;
// Replacing the data of a credential ends its lease, so that a renewal of the old data is not written over the new.
const HELD = 'organization_id = $1 AND id = $2 AND renewing_until = $3::timestamptz';
const RENEWED = `
  UPDATE credentials SET renewing_until = NULL, status = CASE status WHEN 'revoked' THEN status ELSE 'active' END,
         status_message = NULL, key_id = $4, wrapped_key = $5, ciphertext = $6, masked = $7::jsonb
  WHERE ${HELD}`;
const RELEASE = `UPDATE credentials SET renewing_until = NULL WHERE ${HELD}`;
/** The provider has ended the grant; the access token remains usable until it expires. */
const ENDED = `
  UPDATE credentials SET renewing_until = NULL, expires_at = $4,
         status_message = 'The provider no longer renews the access. Connect the account again'
  WHERE ${HELD}`;

/** The provider refused the secret of a grant without a person; the next token tells again. */
const REFUSED = `
  UPDATE credentials SET renewing_until = NULL, status = CASE status WHEN 'revoked' THEN status ELSE 'error' END, status_message = $4
  WHERE ${HELD}`;

interface RenewingVaultDeps {
  readonly config: Pick<Config, 'oauthClients' | 'outboundAllow'>;
  readonly db: Pick<Db, 'query'>;
  readonly log: Logger;
  readonly clock?: Pick<Clock, 'monotonic'>;
}

/** A credential whose lease this process holds. */
interface LeasedCredential extends Owner {
  readonly lease: string;
}

/** A credential that is due for renewal. */
interface DueRenewal {
  readonly found: OpenCredential;
  readonly party: OAuthParty;
  readonly expiresAt: number;
}

export class RenewingVault implements Pick<Vault, 'find'> {
  readonly #vault: Vault;
  readonly #deps: RenewingVaultDeps;
  /** Hash and time of the token that the last renewal after a rejection gave, by credential. */
  readonly #renewals = new LRUCache<string, { readonly digest: string; readonly at: number }>({
    max: MAX_REJECTED,
  });

  constructor(vault: Vault, deps: RenewingVaultDeps) {
    this.#vault = vault;
    this.#deps = deps;
  }

  /**
   * As `Vault.find`, with an access token that is valid for at least a minute if the provider issues one.
   * @throws NothingSentError `credential_not_renewed` (retryable) when the token has expired and there is no new one yet
   */
  find(owner: Owner): Promise<OpenCredential | null> {
    return this.#findValid(owner, null);
  }

  /**
   * Returns the credential with another access token than the one that a service rejected before it expired.
   * @returns null when it cannot be renewed, was renewed within the last minute, or the provider refuses
   */
  async renew(owner: Owner, rejected: string): Promise<OpenCredential | null> {
    const other = (found: OpenCredential | null): OpenCredential | null =>
      found?.state === 'active' && found.data['access_token'] !== rejected ? found : null;
    const { organizationId, credentialId } = owner;
    const key = `${organizationId} ${credentialId}`;
    const { monotonic } = this.#deps.clock ?? systemClock;
    const last = this.#renewals.get(key);
    if (last?.digest === hashToken(rejected) && monotonic() - last.at < REJECTION_PAUSE_MS)
      return other(await this.#vault.find(owner));
    let found: OpenCredential | null = null;
    try {
      found = other(await this.#findValid(owner, rejected));
    } catch (error) {
      if (!(error instanceof NothingSentError)) throw error;
    }
    const token = found?.data['access_token'];
    this.#renewals.set(key, {
      digest: hashToken(typeof token === 'string' ? token : rejected),
      at: monotonic(),
    });
    return found;
  }

  /** @param rejected the access token that a service rejected; it counts as expired */
  async #findValid(owner: Owner, rejected: string | null): Promise<OpenCredential | null> {
    for (let polls = 0; polls < MAX_POLLS; polls += 1) {
      const found = await this.#vault.find(owner);
      const due = this.#findDue(found, rejected);
      if (due === null) return found;
      const { organizationId, credentialId } = owner;
      const [taken] = await this.#deps.db.query<{ lease: string }>(TAKE, [organizationId, credentialId]);
      if (taken !== undefined) return this.#renew({ ...owner, lease: taken.lease }, rejected);
      // While another process renews the token, the old one is used until it expires.
      if (due.expiresAt > systemClock.now()) return found;
      await pause(POLL_MS);
    }
    throw notRenewed();
  }

  #findDue(found: OpenCredential | null, rejected: string | null): DueRenewal | null {
    if (found === null || found.type === null || found.state !== 'active') return null;
    const party = findOAuthParty(this.#deps.config, { ...found, type: found.type });
    if (party === null) return null;
    const { accessToken, refreshToken, expiresAt: stored } = readRenewal(found.data);
    if (needsPerson(party) && refreshToken === null) return null;
    const now = systemClock.now();
    const isRejected = rejected !== null && accessToken === rejected;
    // The first token of a grant without a person is requested when it is needed.
    const expiresAt = isRejected || accessToken === null ? now : stored;
    if (expiresAt === null || expiresAt - MARGIN_MS > now) return null;
    return { found, party, expiresAt };
  }

  /** Renews under the lease, unless another process renewed the token just before. */
  async #renew(owner: LeasedCredential, rejected: string | null): Promise<OpenCredential | null> {
    try {
      const found = await this.#vault.find(owner);
      const due = this.#findDue(found, rejected);
      if (due === null) return found;
      return await this.#requestTokens(owner, due);
    } finally {
      await this.#deps.db.query(RELEASE, toParameters(owner));
    }
  }

  async #requestTokens(
    owner: LeasedCredential,
    { found, party, expiresAt }: DueRenewal,
  ): Promise<OpenCredential | null> {
    let tokens: Tokens;
    try {
      tokens = await renewTokens(this.#deps.config, party, found.data);
    } catch (error) {
      if (!(error instanceof OAuthFailure)) throw error;
      const { credentialId } = owner;
      this.#deps.log.warn(
        { credential_id: credentialId, is_refused: error.refused },
        'access token not renewed',
      );
      if (error.refused && !needsPerson(party)) {
        // Kept usable: the provider may accept the same secret again once its side is set up.
        const message = `The provider refused to issue a token: ${error.message}`;
        await this.#deps.db.query(REFUSED, [...toParameters(owner), message]);
        if (expiresAt > systemClock.now()) return found;
        throw new NothingSentError('credential_refused', message);
      }
      if (error.refused) await this.#deps.db.query(ENDED, [...toParameters(owner), new Date(expiresAt)]);
      if (expiresAt > systemClock.now()) return found;
      if (error.refused) return { ...found, state: 'expired' };
      throw notRenewed();
    }
    const data = withTokens(found.data, tokens);
    await this.#store(owner, found, data);
    return { ...found, data };
  }

  async #store(
    owner: LeasedCredential,
    { type, authType }: OpenCredential,
    data: OpenCredential['data'],
  ): Promise<void> {
    const scheme = type === null ? null : findScheme(type, authType);
    const { keyId, wrappedKey, ciphertext } = this.#vault.seal(owner, data);
    await this.#deps.db.query(RENEWED, [
      ...toParameters(owner),
      keyId,
      wrappedKey,
      ciphertext,
      JSON.stringify(scheme === null ? {} : maskData(scheme, data)),
    ]);
  }
}

const toParameters = ({ organizationId, credentialId, lease }: LeasedCredential): string[] => [
  organizationId,
  credentialId,
  lease,
];

/** True when only a person at the provider can authorize the credential anew. */
const needsPerson = ({ provider }: OAuthParty): boolean =>
  (provider.grant ?? 'authorization_code') === 'authorization_code';

/** Tokens are kept in memory only as hashes, so that a memory dump reveals none. */
const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64');

const notRenewed = (): NothingSentError =>
  new NothingSentError('credential_not_renewed', 'The access token of the credential could not be renewed', {
    retryable: true,
  });
