/**
 * Credentials as nodes use them: opened inside the activity, at most once each, with every secret remembered so that
 * it can be struck out of what the node leaves behind.
 */
import { NodeError } from '../nodes/kind.ts';
import { NothingSentError } from '../nodes/failure.ts';
import type { CredentialRef, CredentialsPort } from '../nodes/tools.ts';
import { UnreadableError } from './vault/envelope.ts';
import { allowsHost } from './vault/hosts.ts';
import { place, type Placed } from './vault/placement.ts';
import type { RenewingVault } from './vault/renewing-vault.ts';
import type { Secrets } from './vault/secrets.ts';
import type { OpenCredential, Vault } from './vault/vault.ts';
import type { CredentialPort, ModelCredential } from '../outbound/models.ts';

/** The integration of the credential that a new account is given: it holds no secret, and stands for the managed model. */
export const MANAGED_INTEGRATION = 'managed';

/** The headers of an account, and where they may go. */
export interface Account {
  readonly integration: string;
  readonly baseUrl: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly apiKey: string | null;
  /** Of an OAuth account: what the headers carry. */
  readonly accessToken: string | null;
  /** Bytes that a service answered, without the secrets that it was sent. */
  strikeFrom(bytes: Uint8Array): Uint8Array;
  /** @throws NothingSentError `credential_host_not_allowed` */
  requireHost(url: string): void;
}

const NOTHING_PLACED: Placed = { headers: {}, secrets: [], apiKey: null, baseUrl: null };

/** Where credentials come from; one that renews gives another access token in place of a refused one, or null. */
interface CredentialSource extends Pick<Vault, 'find'> {
  readonly renew?: RenewingVault['renew'];
}

/** Opens credentials for one piece of work. */
export class Accounts implements CredentialsPort, CredentialPort {
  readonly #vault: CredentialSource;
  readonly #secrets: Secrets;
  readonly #opened = new Map<string, Promise<Account>>();

  /** @param secrets gets every secret that is opened */
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
   * An account of a model provider. Any provider but Anthropic is spoken to in OpenAI's protocol.
   * @returns `managed` for the credential that stands for the managed model
   * @throws NodeError `credential_not_usable` for an account of something else, and what `open` throws
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
        `The credential is no account of the provider ${provider}`,
      );
    }
    account.requireHost(baseUrl);
    return { apiKey, baseUrl };
  }

  /** The account with another access token, after a service has refused the one it has; null when there is none. */
  async renew(ref: CredentialRef, { accessToken }: Account): Promise<Account | null> {
    if (accessToken === null || this.#vault.renew === undefined) return null;
    const found = await this.#vault.renew(ref, accessToken);
    if (found === null) return null;
    const account = this.#accountOf(found);
    this.#opened.set(`${ref.organizationId}:${ref.credentialId}`, Promise.resolve(account));
    return account;
  }

  async #open(ref: CredentialRef): Promise<Account> {
    return this.#accountOf(await this.#read(ref));
  }

  #accountOf(found: OpenCredential): Account {
    const placed =
      found.integration === MANAGED_INTEGRATION
        ? NOTHING_PLACED
        : place(found.integration, found.authType, found.data);
    if (placed === null) {
      throw new NothingSentError(
        'credential_unreadable',
        'The credential is of a kind that is not supported any more',
      );
    }
    this.#secrets.add(...placed.secrets);
    const { baseUrl, headers, apiKey } = placed;
    const token = found.authType === 'oauth2' ? found.data['access_token'] : null;
    return {
      integration: found.integration,
      baseUrl,
      headers,
      apiKey,
      accessToken: typeof token === 'string' ? token : null,
      strikeFrom: (bytes) => this.#secrets.bytes(bytes),
      requireHost(url) {
        if (allowsHost(found.allowedHosts, url)) return;
        throw new NothingSentError(
          'credential_host_not_allowed',
          'The credential may not be sent to this host',
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
