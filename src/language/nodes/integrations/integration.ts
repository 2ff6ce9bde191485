/**
 * An entry of the integration catalog, as data: its auth schemes, the placement of secrets, and its actions, each a template
 * of one HTTP request.
 */
import type { JsonObject } from '../../graph/values/value.ts';
import type { ServiceRules } from './service-rules.ts';

export type AuthType =
  | 'api_key'
  | 'query'
  | 'cookie'
  | 'basic'
  | 'bearer'
  | 'oauth2'
  | 'service_account'
  | 'aws_sigv4'
  | 'none';

/** A place with a fixed name, or with the name in the credential's `nameField`. */
interface NamedPlace {
  readonly name: string;
  readonly nameField?: string;
  readonly field: string;
}

/**
 * One place of a request that receives a field of a credential. A secret in the URL needs none: it stands as `{field}` in the
 * base URL.
 */
export type Placement =
  | { readonly kind: 'bearer'; readonly field: string }
  /** A signature of the whole request by the key in `access_key_id`, `secret_access_key` and `session_token`. */
  | { readonly kind: 'aws' }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  /** `prefix` stands before the value, such as `Token `; the credential's `prefixField` replaces it. */
  | ({ readonly kind: 'header'; readonly prefix?: string; readonly prefixField?: string } & NamedPlace)
  | ({ readonly kind: 'query' } & NamedPlace)
  | ({ readonly kind: 'cookie' } & NamedPlace);

/**
 * The grant that gives tokens: a person at the provider with PKCE (RFC 6749, 4.1; RFC 7636), the client itself (RFC 6749, 4.4), or
 * a signed assertion of a service account (RFC 7523).
 */
export type OAuthGrant = 'authorization_code' | 'client_credentials' | 'jwt_bearer';

/** How a client proves itself to its provider (RFC 6749, 2.3.1; OpenID Connect Core, 9). */
export type ClientAuthentication = 'basic' | 'body' | 'private_key_jwt';

/** An OAuth 2 provider. */
export interface OAuthProvider {
  /** Undefined: `authorization_code`. */
  readonly grant?: OAuthGrant;
  /** Only for people at the provider; empty for the other grants. */
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** The separator of scopes; the standard says a space. */
  readonly scopeSeparator: ' ' | ',';
  /** Undefined: `body`. */
  readonly clientAuthentication?: ClientAuthentication;
  /** More parameters of the authorization URL, such as `access_type`. */
  readonly authorizationParameters?: Readonly<Record<string, string>>;
  /** More parameters of requests for tokens, such as `audience`. */
  readonly tokenParameters?: Readonly<Record<string, string>>;
  /** `aud` of assertions; undefined: the token URL. */
  readonly audience?: string;
}

export interface AuthScheme {
  readonly type: AuthType;
  readonly required: boolean;
  readonly scopes: readonly string[];
  /** JSON Schema of a credential's `data`; secrets carry `x-secret`. */
  readonly schema: JsonObject;
  /** Several for services with several secrets; none when nothing is sent, or the secret stands in the URL. */
  readonly placements: readonly Placement[];
  /** The base URL of accounts of this type in place of that of the integration. */
  readonly baseUrl?: string;
  /** Only for types with tokens that a provider gives. */
  readonly oauth?: OAuthProvider;
}

/** One HTTP request, filled from an action's parameters. */
interface RequestTemplate {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL; `{name}` is a parameter as one path segment. */
  readonly path: string;
  /** Parameters in the query string. */
  readonly query: readonly string[];
  /** Parameters in the JSON body; null: no body. */
  readonly body: readonly string[] | null;
  readonly headers: Readonly<Record<string, string>>;
  /** A constant part of the JSON body. */
  readonly constant?: JsonObject;
  /** A constant part of the query string. */
  readonly fixedQuery?: Readonly<Record<string, string>>;
  /** Places within the JSON body of parameters that are not at its top. */
  readonly bodyPaths?: Readonly<Record<string, readonly string[]>>;
  /** Second places of parameters that the service wants twice. */
  readonly secondPaths?: Readonly<Record<string, readonly string[]>>;
  /** Places of each item of a list within an object of the body, such as `emailAddress.address`. */
  readonly itemPaths?: Readonly<Record<string, readonly string[]>>;
  /** Names in the query string of parameters that are called otherwise. */
  readonly queryNames?: Readonly<Record<string, string>>;
  /** The field of the body that gets a mail made of the parameters of `mail-message.ts`, in base64url. */
  readonly mailField?: string;
  /** The place of a key that is the same for each attempt, by which the service knows a repeated request. */
  readonly repetitionKey?: { readonly in: 'query' | 'body'; readonly name: string };
}

/**
 * A read of the same service that finds what an action has made, for a person who must say whether its request had its effect. Templates
 * read `input.parameters`, as they were sent, and `input.since`, the time of sending less a minute, for clocks differ.
 */
interface Verification {
  /** A reading action of the same integration. */
  readonly action: string;
  readonly parameters: JsonObject;
  /** Template of the list in the output of the action, `read`. */
  readonly source: string;
  /** Rules over `item` of this list. */
  readonly found: JsonObject;
  /** Sentence for people: how far a hit, or none, can be trusted. */
  readonly about: string;
}

export interface Action {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** Allows retries, also after a crash. */
  readonly idempotent: boolean;
  readonly requiresAuth: boolean;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly request: RequestTemplate;
  readonly verify?: Verification;
  /** Rules before those of the integration. */
  readonly answers?: ServiceRules;
}

export interface Integration {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly category: string;
  readonly docsUrl: string | null;
  readonly tags: readonly string[];
  /**
   * The base URL unless the credential has its own; null: the credential or the node has it. `{field}` in it is a field of the
   * credential: put in at once, or only while sending when the field is secret.
   */
  readonly baseUrl: string | null;
  /** Hosts that credentials may be sent to beside that of the base URL. */
  readonly allowedHosts?: readonly string[];
  /** The credential's field with its own base URL; null: none. */
  readonly baseUrlField: string | null;
  readonly auth: readonly AuthScheme[];
  readonly actions: readonly Action[];
  /** The meaning of answers beside their status. */
  readonly answers?: ServiceRules;
  /** A request without effect that tests a credential; null: none. */
  readonly test: { readonly path: string; readonly headers: Readonly<Record<string, string>> } | null;
}
