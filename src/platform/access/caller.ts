/** The caller of a request and the organization that it acts in: the first argument of every service function. */

export interface Caller {
  readonly userId: string;
  /** The identity provider's `sub`. */
  readonly subject: string;
  readonly email: string;
  /** Role of the user (`USER`, ...), independent of organizations. */
  readonly role: string;
  readonly via: CallerVia;
}

type CallerVia =
  | {
      readonly kind: 'jwt';
      readonly sessionId: string | null;
      /** The provider has verified the email address of this token. */
      readonly isEmailVerified: boolean;
    }
  | CallerKey;

/** The API key of a caller, with its limits. */
export interface CallerKey {
  readonly kind: 'api_key';
  readonly apiKeyId: string;
  /** The first characters of the key's random part, by which owners and logs identify it. */
  readonly keyHint: string;
  /** Null: valid in all the owner's organizations. */
  readonly organizationId: string | null;
  readonly expiresAt: Date | null;
  readonly rateLimitPerMinute: number;
  /** The limits of the service account that owns the key; null for a key of a person. */
  readonly account: AccountLimits | null;
}

/** The limits of a service account. */
export interface AccountLimits {
  readonly rateLimitPerMinute: number;
  readonly subscription: Subscription;
}

/** Live roles (SPEC API-organizations); any other role has no rights. */
export const LIVE_ROLES = ['owner', 'admin'] as const;

/** The stored subscription of an organization; billing/plans.ts resolves its entitlements. */
export interface Subscription {
  readonly plan: string;
  /** Entitlements that the operator has set for this organization. */
  readonly overrides: Readonly<Record<string, number | null>>;
  readonly isSuspended: boolean;
}

/** A caller acting in an organization as a member. */
export interface Scope {
  readonly caller: Caller;
  readonly organizationId: string;
  readonly role: string;
  /** The subscription at the start of the request. */
  readonly subscription: Subscription;
  /** Depth of the run that makes this request (run-depth.ts); undefined when no run of this service makes it. */
  readonly callingRunDepth?: number;
}
