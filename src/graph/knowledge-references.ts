/** The knowledge bases to which the nodes of a definition refer. */
import { listReferences } from './references.ts';
import type { JsonObject } from './value.ts';

interface KnowledgeReference {
  readonly nodeId: string;
  readonly knowledgeBaseId: string;
}

/** Lists the references in the order of the nodes. Never throws. */
export const listKnowledgeReferences = (definition: JsonObject): KnowledgeReference[] =>
  listReferences(definition).flatMap(({ kind, nodeId, id }) =>
    kind === 'knowledge_base' ? [{ nodeId, knowledgeBaseId: id }] : [],
  );
