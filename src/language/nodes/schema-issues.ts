/** Validates values of API requests against JSON Schemas; a check that cannot be completed is an issue, not an error. */
import { checkSchema } from '../graph/schema/json-schema.ts';
import type { SchemaIssue } from '../graph/schema/schema-check.ts';
import type { Json } from '../graph/values/value.ts';
import { REQUEST_WORK, WorkBudget, WorkLimitExceeded } from '../graph/values/work-budget.ts';
import { NodeError } from './kind.ts';
import { PatternSearch, Patterns } from './pattern.ts';

/** The checks of one request, which share a work budget. */
export class RequestChecks {
  readonly #search = new PatternSearch(new Patterns(), new WorkBudget(REQUEST_WORK));

  /**
   * Validates a value. An invalid pattern is one issue `invalid_pattern`, a check beyond the budget one issue
   * `work_limit_exceeded`.
   */
  findIssues(schema: Json, value: Json): SchemaIssue[] {
    try {
      return checkSchema(schema, value, this.#search);
    } catch (error) {
      if (error instanceof NodeError) return [{ path: [], message: error.message, type: error.code }];
      if (!(error instanceof WorkLimitExceeded)) throw error;
      return [{ path: [], message: error.message, type: 'work_limit_exceeded' }];
    }
  }
}
