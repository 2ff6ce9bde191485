/**
 * Opens credentials for nodes: inside the activity, each at most once. Every secret is remembered, so that it can be removed
 * from results and errors.
 */
import { findScheme } from '../../language/nodes/integrations/catalog.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import { NothingSentError } from '../../language/nodes/failure.ts';
import type { Integration } from '../../language/nodes/integrations/integration.ts';
import type { CredentialRef, CredentialsPort } from '../../language/nodes/tools.ts';
import { UnreadableError } from './vault/envelope.ts';
import { allowsHost } from './vault/hosts.ts';
import { place, type PlacedSecrets } from './vault/placement.ts';
import type { PlaceableAccount } from './place-secrets.ts';
import type { RenewingVault } from './vault/renewing-vault.ts';
import type { Secrets } from './vault/secrets.ts';
import type { OpenCredential, Vault } from './vault/vault.ts';
import type { CredentialPort, ModelCredential } from '../outbound/models.ts';

/** Integration of the credential that every new account has; it has no secret and stands for the managed model. */
export const MANAGED_INTEGRATION = 'managed';

/** An opened credential: its secrets in their places, and the hosts that may receive them. */
export interface Account extends PlaceableAccount, Pick<PlacedSecrets, 'signing'> {
  readonly integration: string;
  readonly apiKey: string | null;
  /** A request without effect that tests the account; null: its type has none. */
  readonly test: Integration['test'];
  /** The token in the headers of an OAuth account; null for other types. */
  readonly accessToken: string | null;
  /** Removes secrets from a response that echoes them. */
  redactBytes(bytes: Uint8Array): Uint8Array;
  /** @throws NothingSentError `credential_host_not_allowed` */
  requireHost(url: string): void;
}

const NOTHING_PLACED: PlacedSecrets = {
  headers: {},
  query: {},
  cookies: {},
  secrets: [],
  signing: null,
  apiKey: null,
  baseUrl: null,
  sentBaseUrl: null,
};

/** Source of credentials; `renew` is missing where rejected tokens are not renewed. */
interface CredentialSource extends Pick<Vault, 'find'> {
  readonly renew?: RenewingVault['renew'];
}

/** Opens credentials for one attempt. */
export class Accounts implements CredentialsPort, CredentialPort {
  readonly #vault: CredentialSource;
  readonly #secrets: Secrets;
  readonly #opened = new Map<string, Promise<Account>>();

  /** @param secrets receives every opened secret */
  constructor(vault: CredentialSource, secrets: Secrets) {
    this.#vault = vault;
    this.#secrets = secrets;
  }

  async find(ref: CredentialRef): Promise<{ readonly integration: string; readonly baseUrl: string | null }> {
    const { integration, baseUrl } = await this.open(ref);
    return { integration, baseUrl };
  }

  /** @throws NothingSentError `credential_not_found`, `credential_revoked`, `credential_expired`, `credential_unreadable` */
  open(ref: CredentialRef): Promise<Account> {
    const key = `${ref.organizationId}:${ref.credentialId}`;
    const opened = this.#opened.get(key) ?? this.#open(ref);
    this.#opened.set(key, opened);
    return opened;
  }

  /**
   * Opens an account of a model provider. Every provider except Anthropic uses OpenAI's protocol.
   * @returns `managed` for the credential of the managed model
   * @throws NodeError `credential_not_usable` for another integration; what `open` throws
   */
  async modelCredential(
    organizationId: string,
    credentialId: string,
    provider: string,
  ): Promise<ModelCredential | 'managed'> {
    const account = await this.open({ organizationId, credentialId });
    if (account.integration === MANAGED_INTEGRATION) return 'managed';
    const { integration, apiKey, baseUrl } = account;
    const wanted = provider === 'anthropic' ? 'anthropic' : 'openai';
    if (integration !== wanted || apiKey === null || baseUrl === null) {
      throw new NodeError(
        'credential_not_usable',
        `The credential does not belong to the provider ${provider}`,
      );
    }
    account.requireHost(baseUrl);
    return { apiKey, baseUrl };
  }

  /** Returns the account with a new access token after a service rejected the current one; null without a new one. */
  async renew(ref: CredentialRef, { accessToken }: Account): Promise<Account | null> {
    if (accessToken === null || this.#vault.renew === undefined) return null;
    const found = await this.#vault.renew(ref, accessToken);
    if (found === null) return null;
    const account = this.#toAccount(found);
    this.#opened.set(`${ref.organizationId}:${ref.credentialId}`, Promise.resolve(account));
    return account;
  }

  async #open(ref: CredentialRef): Promise<Account> {
    return this.#toAccount(await this.#read(ref));
  }

  #toAccount(found: OpenCredential): Account {
    const placed =
      found.integration === MANAGED_INTEGRATION
        ? NOTHING_PLACED
        : found.type === null
          ? null
          : place(found.type, found.authType, found.data);
    if (placed === null) {
      throw new NothingSentError(
        'credential_unreadable',
        'The type of the credential is no longer supported',
      );
    }
    this.#secrets.add(...placed.secrets);
    const { secrets: _secrets, ...parts } = placed;
    const hasTokens = found.type !== null && findScheme(found.type, found.authType)?.oauth !== undefined;
    const token = hasTokens ? found.data['access_token'] : null;
    return {
      integration: found.integration,
      ...parts,
      test: found.type?.test ?? null,
      accessToken: typeof token === 'string' ? token : null,
      redactBytes: (bytes) => this.#secrets.bytes(bytes),
      requireHost(url) {
        if (allowsHost(found.allowedHosts, url)) return;
        throw new NothingSentError(
          'credential_host_not_allowed',
          'The credential is not allowed for this host',
        );
      },
    };
  }

  async #read(ref: CredentialRef): Promise<OpenCredential> {
    let found: OpenCredential | null;
    try {
      found = await this.#vault.find(ref);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      throw new NothingSentError('credential_unreadable', 'The credential cannot be decrypted', {
        cause: error,
      });
    }
    if (found === null) throw new NothingSentError('credential_not_found', 'The credential does not exist');
    if (found.state === 'active') return found;
    throw new NothingSentError(`credential_${found.state}`, `The credential is ${found.state}`);
  }
}
