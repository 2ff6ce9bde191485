/** Which knowledge bases the nodes of a definition name. */
import { listReferences } from './references.ts';
import type { JsonObject } from './value.ts';

export interface KnowledgeReference {
  readonly nodeId: string;
  readonly knowledgeBaseId: string;
}

/** The references of a definition, in the order of its nodes. Never throws. */
export const knowledgeReferences = (definition: JsonObject): KnowledgeReference[] =>
  listReferences(definition).flatMap(({ kind, nodeId, id }) =>
    kind === 'knowledge_base' ? [{ nodeId, knowledgeBaseId: id }] : [],
  );
