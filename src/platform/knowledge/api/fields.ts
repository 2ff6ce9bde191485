/** Fields that recur in the schemas of this room, each with its description. */
import { z } from 'zod';
import { uuid } from '../../http/wire.ts';

export const knowledgeBaseId = uuid.meta({ description: 'Id of the knowledge base' });
export const tokenCount = z.int().meta({ description: 'Number of tokens' });
export const ABOUT_DOC_METADATA = 'Free-form metadata of the document, for filters of searches';
