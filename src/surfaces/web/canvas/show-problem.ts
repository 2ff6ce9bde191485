/** Goes to a problem: its node, its edge or the settings of the workflow, and its field there. */
import { flushSync } from 'react-dom';
import type { Problem } from '../../../language/graph/definition/definition.ts';
import type { Entity } from '../forms/entity.ts';
import { formatProblemPointer } from '../forms/field-place.ts';
import { revealField } from '../panel/reveal-field.ts';
import type { CommandContext } from './run-command.ts';

/** The parts of the workflow's settings, by their key in the definition. */
const SETTINGS: Readonly<Record<string, Entity>> = {
  config: 'config',
  metadata: 'metadata',
  state_schema: 'state',
};

export function showProblem(
  problem: Problem,
  { connection, actions, openNode }: CommandContext,
  openSettings: () => void,
): void {
  const { nodes, edges } = connection.view;
  const [list, at] = problem.path;
  const edgeId = list === 'edges' ? edges.order[Number(at)] : undefined;
  const nodeId = problem.nodeId ?? (list === 'nodes' ? nodes.order[Number(at)] : undefined);
  const settings = SETTINGS[String(list)] ?? 'workflow';
  const ofNode: Entity = nodeId === undefined ? settings : `node:${nodeId}`;
  const entity = edgeId === undefined ? ofNode : (`edge:${edgeId}` as const);
  flushSync(() => {
    if (edgeId === undefined && nodeId !== undefined) {
      actions.select([nodeId]);
      return openNode(nodeId);
    }
    openSettings();
    // A selected edge is shown in place of the settings.
    if (edgeId !== undefined) actions.selectEdge(edgeId);
  });
  revealField(entity, formatProblemPointer(problem));
}
