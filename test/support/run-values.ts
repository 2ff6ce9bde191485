/** The values of a run as a node loads them, alone in its organization. */
import type { Sql } from '../../src/db/client.ts';
import { NO_REDACTION } from '../../src/graph/redaction.ts';
import { BYTE_LIMITS } from '../../src/outbound/answer-bytes.ts';
import { MAX_STATE_BYTES, ValueShare } from '../../src/runs/ledger/value-share.ts';
import { RunValues } from '../../src/runs/ledger/values.ts';
import { ByteBudget } from '../../src/shares/byte-budget.ts';

/** @param maxBytes the most that one load reads */
export function createValues(
  sql: Sql,
  runPk: string,
  maxBytes = MAX_STATE_BYTES,
  budget = new ByteBudget(BYTE_LIMITS),
): RunValues {
  const share = new ValueShare(budget.open('o'), maxBytes);
  return new RunValues(sql, runPk, { redaction: NO_REDACTION, share });
}
