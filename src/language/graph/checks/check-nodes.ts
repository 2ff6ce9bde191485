/** Checks of single nodes: id, type, config, `for_each` and written state fields. */
import { END, NODE_ID, RESERVED_NODE_IDS, START } from '../definition/definition.ts';
import type { NodePolicy } from '../schedule/plan.ts';
import type { ReadNode } from '../definition/read-node.ts';
import { quote } from '../definition/reader.ts';
import { addProblem, type CheckContext } from './examined.ts';

/** Reports the problems of each node. @returns the policies by node index; null where the config is invalid */
export function checkNodes(examined: CheckContext): (NodePolicy | null)[] {
  const seen = new Set<string>();
  return examined.read.nodes.map((node) => {
    checkId(node, seen, examined);
    seen.add(node.id);
    checkMapping(node, examined);
    checkStateUpdates(node, examined);
    return checkKind(node, examined);
  });
}

function checkId(node: ReadNode, seen: ReadonlySet<string>, examined: CheckContext): void {
  const path = ['nodes', node.position, 'id'];
  const tell = (code: string, message: string): void =>
    addProblem(examined, { code, message, path, nodeId: node.id });
  const { id } = node;
  if (id === '') tell('missing_node_id', `Node at position ${node.position} needs a string "id"`);
  else if (id === START || id === END)
    tell('virtual_node', `${id} is a virtual node and must not appear in nodes`);
  else if (RESERVED_NODE_IDS.has(id)) tell('reserved_node_id', `Node id ${quote(id)} is reserved`);
  else if (!NODE_ID.test(id) || Object.hasOwn(Object.prototype, id)) {
    // Names such as `constructor` pass the grammar but are properties of every JavaScript object.
    tell(
      'invalid_node_id',
      `Node id ${quote(id)} must be a letter, then at most 63 letters, digits, "_" or "-", and no built-in name`,
    );
  }
  if (id !== '' && seen.has(id)) tell('duplicate_node_id', `Node id ${quote(id)} is used more than once`);
  // A node replaces the field of its own id with its result, so another reducer would never apply.
  const field = Object.hasOwn(examined.read.fields, id) ? examined.read.fields[id] : undefined;
  if (field !== undefined && field.reducer !== 'none') {
    tell(
      'node_id_collides',
      `Node id ${quote(id)} is also a state field with the reducer "${field.reducer}"`,
    );
  }
}

function checkMapping({ id, type, position, forEach }: ReadNode, examined: CheckContext): void {
  if (forEach === null) return;
  const at = ['nodes', position, 'for_each'];
  if (type === 'interrupt') {
    const message = `Node ${quote(id)} is an interrupt, so it cannot have for_each`;
    addProblem(examined, { code: 'interrupt_mapped', message, path: at, nodeId: id });
  }
  if (examined.nodeIds.has(forEach.as) || Object.hasOwn(examined.read.fields, forEach.as)) {
    const message = `Node ${quote(id)}: for_each.as ${quote(forEach.as)} is also the id of a node or a state field`;
    addProblem(examined, { code: 'ambiguous_item_name', message, path: [...at, 'as'], nodeId: id });
  }
}

function checkStateUpdates(node: ReadNode, examined: CheckContext): void {
  for (const name of Object.keys(node.stateUpdates)) {
    if (Object.hasOwn(examined.read.fields, name)) continue;
    const message = `Node ${quote(node.id)} updates ${quote(name)}, which state_schema does not declare`;
    const path = ['nodes', node.position, 'state_updates', name];
    addProblem(examined, { code: 'undeclared_state_field', message, path, nodeId: node.id });
  }
}

function checkKind(node: ReadNode, examined: CheckContext): NodePolicy | null {
  const { id: nodeId, type, config } = node;
  const subject = nodeId === '' ? `Node at position ${node.position}` : `Node ${quote(nodeId)}`;
  if (!examined.kinds.has(type)) {
    const message =
      type === '' ? `${subject} needs a "type"` : `${subject} has the unknown type ${quote(type)}`;
    addProblem(examined, {
      code: 'unknown_node_type',
      message,
      path: ['nodes', node.position, 'type'],
      nodeId,
    });
    return null;
  }
  const problems = examined.kinds.problems(type, config);
  for (const { code, message, path } of problems) {
    addProblem(examined, {
      code,
      message: `${subject}: ${message}`,
      path: [...node.configPath, ...path],
      nodeId,
    });
  }
  if (problems.length > 0) return null;
  checkConfirm(node, subject, examined);
  const policy = examined.kinds.policy(type, config);
  if ((policy.asks === true || node.confirm !== null) && node.forEach !== null) {
    const message = `${subject} may ask people, so it cannot have for_each`;
    addProblem(examined, {
      code: 'interrupt_mapped',
      message,
      path: ['nodes', node.position, 'for_each'],
      nodeId,
    });
  }
  return policy;
}

function checkConfirm(node: ReadNode, subject: string, examined: CheckContext): void {
  const { id: nodeId, type, config, confirm } = node;
  if (confirm === null) return;
  for (const { code, message, path } of examined.kinds.confirmProblems(type, config, confirm))
    addProblem(examined, {
      code,
      message: `${subject}: ${message}`,
      path: ['nodes', node.position, 'confirm', ...path],
      nodeId,
    });
}
