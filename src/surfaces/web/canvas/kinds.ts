/** Nodes on the canvas: how a type looks, and the handles of a node. */
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { findFace, listFaces } from '../../../language/nodes/faces.ts';
import { readText, type Handle, type NodeFace } from '../../../language/nodes/face.ts';

export interface KindStyle extends Pick<NodeFace, 'label' | 'hint' | 'color' | 'icon' | 'config'> {
  readonly type: string;
}

const UNKNOWN: KindStyle = {
  type: '',
  label: 'Unknown node',
  hint: 'Not supported by this version',
  color: 'gray',
  icon: 'circle',
  config: {},
};

const STYLES: ReadonlyMap<string, KindStyle> = new Map(listFaces().map((face) => [face.type, face]));

/** Finds the style of a node type, the same object each time; an unknown type is grey. */
export const findKindStyle = (type: string): KindStyle => STYLES.get(type) ?? UNKNOWN;

/** Whether the node has a mock: a fixed output in the definition, which is deployed with it. */
export function isMocked(node: JsonObject): boolean {
  const mock = ownValue(node, 'mock');
  return isObject(mock) && ownValue(mock, 'enabled') === true;
}

/**
 * Lists the handles at which edges leave a node.
 * @param used handles of existing edges: they stay visible when the config no longer has them
 */
export function listHandles(node: JsonObject, used: readonly string[]): readonly Handle[] {
  const config = ownValue(node, 'config');
  const face = findFace(readText(node, 'type'));
  const own = face?.listHandles?.(isObject(config) ? config : {}) ?? [{ id: 'default', label: '' }];
  const ids = new Set(own.map(({ id }) => id));
  const error = ownValue(node, 'on_error') === 'branch' || used.includes('error') ? ['error'] : [];
  const others = [...new Set([...used.filter((id) => id !== 'error'), ...error])].filter(
    (id) => !ids.has(id),
  );
  return [...own, ...others.map((id) => ({ id, label: id }))];
}
