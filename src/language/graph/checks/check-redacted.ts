/** Warns of templates that read a redacted value: they get the text `[redacted]`. */
import { report, type Problem } from '../definition/definition.ts';
import { Redaction } from '../redaction/redaction.ts';
import { findReferences } from '../template/template.ts';
import { isObject, ownValue, type JsonObject } from '../values/value.ts';
import { REQUEST_WORK, WorkBudget, WorkLimitExceeded } from '../values/work-budget.ts';

/** Lists the reads of values at these paths, by the nodes of a definition; as many as the work of a request finds. */
export function findRedactedReads(definition: JsonObject, paths: readonly string[]): Problem[] {
  const nodes = ownValue(definition, 'nodes');
  if (paths.length === 0 || !Array.isArray(nodes)) return [];
  const redaction = new Redaction(paths);
  const work = new WorkBudget(REQUEST_WORK);
  const names = (at: readonly (string | number)[]): boolean => {
    try {
      return redaction.names(at, work);
    } catch (error) {
      if (!(error instanceof WorkLimitExceeded)) throw error;
      return false;
    }
  };
  const problems: Problem[] = [];
  for (const { root, path, text, at } of findReferences(nodes).references) {
    // A state field is read by its name, or below `state`.
    if (!names(path) && !names([root, ...path])) continue;
    const node = nodes[Number(at[0])];
    const given = isObject(node) ? ownValue(node, 'id') : null;
    const id = typeof given === 'string' ? given : '';
    report(problems, {
      severity: 'warning',
      code: 'redacted_path',
      message: `Node ${JSON.stringify(id)}: {{${text}}} is redacted: the node reads "[redacted]". Put a value that the node must use into a credential`,
      path: ['nodes', ...at],
      nodeId: id,
    });
  }
  return problems;
}
