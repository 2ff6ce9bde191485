/** Ends the waiting executions that their loop has overtaken: nothing waits for their ends any more. */
import type { Progress } from '../../../../language/graph/schedule/schedule.ts';
import type { Skeleton } from '../../../../language/graph/definition/skeleton.ts';
import { abandonVisits } from '../../ledger/write/cancel.ts';
import { cancelVisitQuestions } from '../../ledger/questions/questions.ts';
import type { RunContext } from '../context.ts';
import { buildResolvedEvent, toQuestionExecution } from './questions.ts';
import type { AdvanceWrites } from './writes.ts';

/** Cancels the steps and the questions of the executions that the progress lists as overtaken, and empties the list. */
export async function endOvertaken(
  context: RunContext,
  { graph, progress }: { readonly graph: Skeleton; readonly progress: Progress },
  writes: AdvanceWrites,
): Promise<void> {
  const visits = progress.overtaken.splice(0).flatMap(({ node, visit }) => {
    const nodeId = graph.nodes[node]?.id;
    return nodeId === undefined ? [] : [{ nodeId, visit }];
  });
  if (visits.length === 0) return;
  // Their steps may be of this advance.
  await writes.flush(context);
  await abandonVisits(context.sql, context.segment.rootRunPk, visits);
  for (const row of await cancelVisitQuestions(context.sql, context.segment, visits)) {
    const execution = toQuestionExecution(context, row);
    if (execution !== null) writes.event(buildResolvedEvent(row, execution, false));
  }
}
