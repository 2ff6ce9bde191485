/** The face of the type `knowledge`. */
import type { NodeFace } from '../face.ts';
import { FILTERS } from '../search-fields.ts';

export const knowledgeFace: NodeFace = {
  group: 'data',
  label: 'Knowledge',
  hint: 'Search knowledge bases',
  color: 'cyan',
  icon: 'book',
  keywords: 'rag search documents files vector retrieval embeddings lookup',
  config: { knowledge_base_ids: [], query: '{{input.text}}' },
  canConfirm: true,
  fields: [
    { ptr: '/knowledge_base_ids', label: 'Knowledge bases', widget: 'bases' },
    { ptr: '/query', label: 'Query', widget: 'template' },
    { ptr: '/top_k', label: 'Max. results', widget: 'number' },
    { ptr: '/min_score', label: 'Min. score', widget: 'number' },
    FILTERS,
    { ptr: '/include_content', label: 'Include content', widget: 'switch' },
    { ptr: '/include_metadata', label: 'Include metadata', widget: 'switch' },
  ],
  listOutputs: () => ['matches', 'total_matches', 'context'],
};
