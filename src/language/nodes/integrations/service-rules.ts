/** Rules of the catalog for the answers of services, beside their status, and those that several services share. */
import type { Rule, RuleGroup } from '../../graph/definition/definition.ts';

/** An answer that is a failure, whatever its status. */
interface ServiceFailure {
  readonly when: RuleGroup;
  readonly code: string;
  /** A template. */
  readonly message: string;
}

/** An answer of a service that has done nothing, so that the same request may be sent again. */
interface ServiceDecline {
  readonly when: RuleGroup;
  /** Seconds, an HTTP date or a template of them, where the answer has no `Retry-After`; undefined: the backoff of the node. */
  readonly after?: number | string;
}

/** Rules over `response`, which has `status`, `headers` and `data`; of each list the first that holds decides. */
export interface ServiceRules {
  readonly failures?: readonly ServiceFailure[];
  readonly declines?: readonly ServiceDecline[];
}

export const all = (...rules: readonly (Rule | RuleGroup)[]): RuleGroup => ({ match: 'all', rules });
export const any = (...rules: readonly (Rule | RuleGroup)[]): RuleGroup => ({ match: 'any', rules });

export const hasStatus = (status: number): Rule => ({ left: '{{response.status}}', op: 'eq', right: status });

/** An answer that HTTP calls a success. */
export const isSuccess: Rule = { left: '{{response.status}}', op: 'lt', right: 300 };

/** Too many requests: the service refuses before it acts. @param after as in ServiceDecline */
export const tooMany = (after?: number): ServiceDecline => ({
  when: all(hasStatus(429)),
  ...(after !== undefined && { after }),
});

/**
 * A field that says whether an answer is a success, for services that report failures with status 200.
 * @param reason field of the reason
 */
export const unlessTrue = (field: string, reason: string): ServiceFailure => ({
  when: all(isSuccess, { left: `{{response.data.${field}}}`, op: 'eq', right: false }),
  code: 'integration_error',
  message: `The service returned an error: {{response.data.${reason} | default("unknown")}}`,
});
