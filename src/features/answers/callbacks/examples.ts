/** OpenAPI examples of callbacks. */
import type { RowExamples } from '../../../platform/http/route.ts';

export const CALLBACK_EXAMPLES: RowExamples = {
  'POST /callbacks/:token': {
    request: { state: 'signed', document_id: 'doc_81' },
    replies: { 200: { status: 'delivered' } },
  },
};
