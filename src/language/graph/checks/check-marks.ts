/** Checks of nodes that give items which the end of another node marks: that node must be there, and the items be one list. */
import { quote } from '../definition/reader.ts';
import type { NodePolicy } from '../schedule/plan.ts';
import { addProblem, type CheckContext } from './examined.ts';

/**
 * Reports a `mark_after` that names no other node, and `for_each` of a node that gives such items.
 * @param policies by node index; null where the config is invalid
 */
export function checkMarks(examined: CheckContext, policies: readonly (NodePolicy | null)[]): void {
  const { nodes } = examined.read;
  for (const [at, node] of nodes.entries()) {
    const marks = policies[at]?.marks;
    if (marks === undefined) continue;
    const nodeId = node.id;
    const subject = `Node ${quote(nodeId)}`;
    if (node.forEach !== null)
      addProblem(examined, {
        code: 'marks_mapped',
        message: `${subject} chooses from a list, so it cannot have for_each`,
        path: ['nodes', node.position, 'for_each'],
        nodeId,
      });
    if (marks.after !== nodeId && examined.nodeIds.has(marks.after)) continue;
    addProblem(examined, {
      // A node alone, as in its test, marks nothing.
      severity: nodes.length === 1 && marks.after !== nodeId ? 'warning' : 'error',
      code: 'unknown_mark_after',
      message: `${subject}: mark_after must be the id of another node, which acts on the items`,
      path: [...node.configPath, 'mark_after'],
      nodeId,
    });
  }
}
