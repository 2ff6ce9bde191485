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

/** The references of a definition, in the order of its nodes. Never throws. */
export function knowledgeReferences(definition: JsonObject): KnowledgeReference[] {
  const nodes = ownValue(definition, 'nodes');
  return (Array.isArray(nodes) ? nodes : []).flatMap((node) => {
    const type = ownValue(node, 'type');
    const id = ownValue(node, 'id');
    const nodeId = typeof id === 'string' ? id : '';
    // Without a `config` the keys of the node itself are the config (definition, 2.0).
    const config = ownValue(node, 'config') ?? node;
    const tools = type === 'agent' ? ownValue(config, 'tools') : null;
    const searches = (Array.isArray(tools) ? tools : [])
      .filter(isObject)
      .filter((tool) => ownValue(tool, 'kind') === 'knowledge');
    const places = type === 'knowledge' ? [config] : searches;
    return places.flatMap(idsOf).map((knowledgeBaseId) => ({ nodeId, knowledgeBaseId }));
  });
}
