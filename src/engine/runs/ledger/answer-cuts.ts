/** The answers of models in a run that are not whole, for those who get the output of the run. */
import type { Sql } from '../../../base/db/client.ts';

export interface AnswerCut {
  readonly node_id: string;
  /** `answer_truncated` or `model_refused`. */
  readonly code: string;
  /** The finish reason of the model; null for a step of an earlier release. */
  readonly reason: string | null;
  readonly message: string;
}

/** Lists the answers of a run that were cut off, filtered or refused (prisma/README.md, `answer_cuts`). */
export const readAnswerCuts = (sql: Sql, rootRunPk: string): Promise<AnswerCut[]> =>
  sql.query<AnswerCut>('SELECT node_id, code, reason, message FROM answer_cuts($1)', [rootRunPk]);
