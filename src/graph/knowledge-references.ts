/** Which knowledge bases the nodes of a definition name. Only where configs have them: the same words in a body are data. */
import { isObject, ownValue, type Json, type JsonObject } from './value.ts';

export interface KnowledgeReference {
  readonly nodeId: string;
  readonly knowledgeBaseId: string;
}

function idsOf(config: Json): string[] {
  const ids = ownValue(config, 'knowledge_base_ids');
  return (Array.isArray(ids) ? ids : []).flatMap((id) => (typeof id === 'string' ? [id.toLowerCase()] : []));
}

/** The entries of a config that search: an agent's tools, and guardrails' checks. */
function searchesIn(type: Json | undefined, config: Json): JsonObject[] {
  const entries = (key: string): JsonObject[] => {
    const list = ownValue(config, key);
    return Array.isArray(list) ? list.filter(isObject) : [];
  };
  if (type === 'agent') return entries('tools').filter((tool) => ownValue(tool, 'kind') === 'knowledge');
  return type === 'guardrails' ? entries('checks') : [];
}

/** The references of a definition, in the order of its nodes. Never throws. */
export function knowledgeReferences(definition: JsonObject): KnowledgeReference[] {
  const nodes = ownValue(definition, 'nodes');
  return (Array.isArray(nodes) ? nodes : []).flatMap((node) => {
    const type = ownValue(node, 'type');
    const id = ownValue(node, 'id');
    const nodeId = typeof id === 'string' ? id : '';
    // Without a `config` the keys of the node itself are the config (SPEC DEF-2.0).
    const config = ownValue(node, 'config') ?? node;
    const places = type === 'knowledge' ? [config] : searchesIn(type, config);
    return places.flatMap(idsOf).map((knowledgeBaseId) => ({ nodeId, knowledgeBaseId }));
  });
}
