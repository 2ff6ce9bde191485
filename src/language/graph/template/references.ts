/**
 * Lists the resources that the nodes of a definition refer to: workflows, credentials, knowledge bases and tables. Only configs
 * refer to resources; the same keys in a request body are data.
 */
import { isObject, ownValue, type Json, type JsonObject } from '../values/value.ts';

export interface ResourceReference {
  readonly kind: 'workflow' | 'credential' | 'knowledge_base' | 'table';
  /** In lower case. */
  readonly id: string;
  readonly nodeId: string;
  /** Path in the definition. */
  readonly path: readonly (string | number)[];
}

type Path = ResourceReference['path'];
interface Place {
  /** The config of a node of this type, or an entry of one of its lists. */
  readonly role: 'node' | (typeof LISTS)[number];
  readonly type: Json | undefined;
  readonly config: Json;
  readonly path: Path;
}

/** Lists of a config whose entries refer to resources of their own (SPEC DEF-2.3, DEF-2.6, DEF-2.8). */
const LISTS = ['tools', 'checks', 'notify'] as const;

function listPlaces(node: Json, path: Path): Place[] {
  const type = ownValue(node, 'type');
  const own = ownValue(node, 'config') ?? null;
  // Without a `config` the keys of the node itself are the config (SPEC DEF-2.0).
  const [config, at] = own === null ? [node, path] : [own, [...path, 'config']];
  const entries = LISTS.flatMap((role) => {
    const list = ownValue(config, role);
    return (Array.isArray(list) ? list : []).map((entry, index) => ({
      role,
      type,
      config: entry,
      path: [...at, role, index],
    }));
  });
  return [{ role: 'node', type, config, path: at }, ...entries.filter((entry) => isObject(entry.config))];
}

const isWorkflowCall = ({ role, type, config }: Place): boolean =>
  ownValue(config, 'kind') === 'workflow' &&
  (role === 'node' ? type === 'tool' : role === 'tools' && type === 'agent');

function isSearch({ role, type, config }: Place): boolean {
  if (role === 'node') return type === 'knowledge';
  if (role === 'checks') return type === 'guardrails';
  return type === 'agent' && ownValue(config, 'kind') === 'knowledge';
}

type NamedReference = Omit<ResourceReference, 'nodeId'>;

function findNames(place: Place): NamedReference[] {
  const named: NamedReference[] = [];
  const add = (
    kind: NamedReference['kind'],
    id: Json | undefined,
    key: readonly (string | number)[],
  ): void => {
    if (typeof id === 'string' && id !== '')
      named.push({ kind, id: id.toLowerCase(), path: [...place.path, ...key] });
  };
  add('credential', ownValue(place.config, 'credential_id'), ['credential_id']);
  if (isWorkflowCall(place)) add('workflow', ownValue(place.config, 'workflow_id'), ['workflow_id']);
  if (place.role === 'node' && place.type === 'tool' && ownValue(place.config, 'kind') === 'table')
    add('table', ownValue(place.config, 'table_id'), ['table_id']);
  if (isSearch(place)) {
    const ids = ownValue(place.config, 'knowledge_base_ids');
    for (const [at, id] of (Array.isArray(ids) ? ids : []).entries())
      add('knowledge_base', id, ['knowledge_base_ids', at]);
  }
  return named;
}

/** Lists the references of a definition, in the order of its nodes. Never throws. */
export function listReferences(definition: JsonObject): ResourceReference[] {
  const nodes = ownValue(definition, 'nodes');
  return (Array.isArray(nodes) ? nodes : []).flatMap((node, at) => {
    const id = ownValue(node, 'id');
    const nodeId = typeof id === 'string' ? id : '';
    return listPlaces(node, ['nodes', at])
      .flatMap(findNames)
      .map((named) => ({ ...named, nodeId }));
  });
}

/** Lists the references to resources of one kind, in the order of the nodes. Never throws. */
export const listReferencesTo = (
  kind: ResourceReference['kind'],
  definition: JsonObject,
): ResourceReference[] => listReferences(definition).filter((reference) => reference.kind === kind);
