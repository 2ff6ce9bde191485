/** The values of a run as a node loads them, alone in its organization. */
import type { Sql } from '../../src/base/db/client.ts';
import { NO_REDACTION } from '../../src/language/graph/redaction/redaction.ts';
import { BYTE_LIMITS } from '../../src/platform/outbound/answer-bytes.ts';
import { MAX_STATE_BYTES, ValueShare } from '../../src/engine/runs/ledger/read/value-share.ts';
import { RunValues } from '../../src/engine/runs/ledger/read/values.ts';
import { ByteBudget } from '../../src/base/shares/byte-budget.ts';

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
