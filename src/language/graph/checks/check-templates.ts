/** Checks of templates: their syntax, and that every root they read exists in their place. */
import { MAX_PROBLEMS } from '../definition/definition.ts';
import { addProblem, type CheckContext } from './examined.ts';
import type { ReadNode } from '../definition/read-node.ts';
import { quote } from '../definition/reader.ts';
import { listSides } from '../template/roots.ts';
import type { Path } from '../template/template-scanner.ts';
import { findReferences } from '../template/template.ts';
import type { Json } from '../values/value.ts';

/** Roots that exist in every template (SPEC DEF-2.14). */
const COMMON_ROOTS: ReadonlySet<string> = new Set(['input', 'state', 'run', 'loop']);
const ITEM_ROOTS: readonly string[] = ['item', 'index'];
const NO_ROOTS: ReadonlySet<string> = new Set();

/** The place of a value with templates, and its roots beside the common ones. */
interface Place {
  readonly path: Path;
  readonly subject: string;
  readonly nodeId?: string;
  readonly bound: ReadonlySet<string>;
}

/** Checks configs, `confirm`, `state_updates`, `for_each.items`, `when` rules and `config.output`. */
export function checkTemplates(examined: CheckContext): void {
  for (const node of examined.read.nodes) checkNode(node, examined);
  for (const edge of examined.read.edges) {
    if (edge.when === null) continue;
    const path = ['edges', edge.position, 'when'];
    const place: Place = { path, subject: `Edge ${quote(edge.id)}`, bound: NO_ROOTS };
    for (const side of listSides(edge.when)) checkValue(side, place, examined);
  }
  const { output } = examined.read;
  const place: Place = { path: ['config', 'output'], subject: 'Workflow output', bound: NO_ROOTS };
  if (output !== undefined) checkValue(output, place, examined);
}

function checkNode(node: ReadNode, examined: CheckContext): void {
  const { type, config, configPath, forEach } = node;
  const at = ['nodes', node.position];
  const own = { subject: `Node ${quote(node.id)}`, nodeId: node.id, bound: NO_ROOTS };
  const { kinds } = examined;
  const skipKeys = kinds.has(type) ? kinds.literalKeys(type) : [];
  const itemKeys = kinds.has(type) ? kinds.itemKeys(type) : [];
  const responseKeys = kinds.has(type) ? kinds.responseKeys(type) : [];
  const perItem = forEach === null ? NO_ROOTS : new Set([...ITEM_ROOTS, forEach.as]);
  const perKey = new Set([...perItem, ...ITEM_ROOTS]);
  for (const [key, value] of Object.entries(config)) {
    if (skipKeys.includes(key)) continue;
    const names = itemKeys.includes(key) ? perKey : perItem;
    const bound = responseKeys.includes(key) ? new Set([...names, 'response']) : names;
    checkValue(value, { ...own, path: [...configPath, key], bound }, examined);
  }
  checkValue(node.stateUpdates, { ...own, path: [...at, 'state_updates'] }, examined);
  checkValue(node.confirm ?? null, { ...own, path: [...at, 'confirm'] }, examined);
  if (forEach !== null) checkValue(forEach.items, { ...own, path: [...at, 'for_each', 'items'] }, examined);
}

function checkValue(value: Json, place: Place, examined: CheckContext): void {
  const { references, errors } = findReferences(value);
  const tell = (code: string, message: string, at: Path): void =>
    addProblem(examined, {
      code,
      message: `${place.subject}: ${message}`,
      path: [...place.path, ...at],
      ...(place.nodeId === undefined ? {} : { nodeId: place.nodeId }),
    });
  for (const error of errors) tell('invalid_template', error.message, error.at);
  for (const { root, text, at } of references) {
    if (examined.problems.length >= MAX_PROBLEMS) return;
    const isKnown =
      COMMON_ROOTS.has(root) ||
      place.bound.has(root) ||
      examined.nodeIds.has(root) ||
      Object.hasOwn(examined.read.fields, root);
    if (isKnown) continue;
    const words = ITEM_ROOTS.includes(root)
      ? 'which exists only inside for_each and lists'
      : 'which is neither a node nor a state field';
    tell(
      'unknown_template_root',
      `template {{${quote(text).slice(1, -1)}}} reads ${quote(root)}, ${words}`,
      at,
    );
  }
}
