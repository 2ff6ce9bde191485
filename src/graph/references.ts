/**
 * What the nodes of a definition name of their organization: workflows, credentials and knowledge bases. Only where configs
 * have them: the same words in a body are data.
 */
import { isObject, ownValue, type Json, type JsonObject } from './value.ts';

export interface Reference {
  readonly kind: 'workflow' | 'credential' | 'knowledge_base';
  /** In lower case. */
  readonly id: string;
  readonly nodeId: string;
  /** Where it stands in the definition. */
  readonly path: readonly (string | number)[];
}

type Path = Reference['path'];
interface Place {
  /** The config of a node of this type, or an entry of one of its lists. */
  readonly role: 'node' | 'tools' | 'checks';
  readonly type: Json | undefined;
  readonly config: Json;
  readonly path: Path;
}

/** Lists of a config whose entries name things of their own (SPEC DEF-2.3, DEF-2.8). */
const LISTS = ['tools', 'checks'] as const;

function placesIn(node: Json, path: Path): Place[] {
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

const callsWorkflow = ({ role, type, config }: Place): boolean =>
  ownValue(config, 'kind') === 'workflow' &&
  (role === 'node' ? type === 'tool' : role === 'tools' && type === 'agent');

function searches({ role, type, config }: Place): boolean {
  if (role === 'node') return type === 'knowledge';
  if (role === 'checks') return type === 'guardrails';
  return type === 'agent' && ownValue(config, 'kind') === 'knowledge';
}

type Named = Omit<Reference, 'nodeId'>;

function namedIn(place: Place): Named[] {
  const named: Named[] = [];
  const add = (kind: Named['kind'], id: Json | undefined, key: readonly (string | number)[]): void => {
    if (typeof id === 'string' && id !== '')
      named.push({ kind, id: id.toLowerCase(), path: [...place.path, ...key] });
  };
  add('credential', ownValue(place.config, 'credential_id'), ['credential_id']);
  if (callsWorkflow(place)) add('workflow', ownValue(place.config, 'workflow_id'), ['workflow_id']);
  if (searches(place)) {
    const ids = ownValue(place.config, 'knowledge_base_ids');
    for (const [at, id] of (Array.isArray(ids) ? ids : []).entries())
      add('knowledge_base', id, ['knowledge_base_ids', at]);
  }
  return named;
}

/** Lists the references of a definition, in the order of its nodes. Never throws. */
export function listReferences(definition: JsonObject): Reference[] {
  const nodes = ownValue(definition, 'nodes');
  return (Array.isArray(nodes) ? nodes : []).flatMap((node, at) => {
    const id = ownValue(node, 'id');
    const nodeId = typeof id === 'string' ? id : '';
    return placesIn(node, ['nodes', at])
      .flatMap(namedIn)
      .map((named) => ({ ...named, nodeId }));
  });
}
