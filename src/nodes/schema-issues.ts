/** Checks of what clients send against JSON Schemas: what cannot be checked is an issue, and no fault of the service. */
import { checkSchema, type SchemaIssue } from '../graph/json-schema.ts';
import type { Json } from '../graph/value.ts';
import { REQUEST_WORK, WorkBudget, WorkLimitExceeded } from '../graph/work-budget.ts';
import { NodeError } from './kind.ts';
import { PatternSearch, Patterns } from './pattern.ts';

/** Checks within one request: together they have one budget. */
export class RequestChecks {
  readonly #search = new PatternSearch(new Patterns(), new WorkBudget(REQUEST_WORK));

  /**
   * Everything about `value` that the schema refuses. Of a pattern that cannot be searched, and of a check that would take
   * more than the request may, it is one issue of the type `invalid_pattern` or `work_limit_exceeded`.
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
