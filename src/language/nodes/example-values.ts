/** Values in the examples of nodes: the ids of the other examples of the OpenAPI document. */
import type { JsonObject } from '../graph/values/value.ts';

export const CREDENTIAL_ID = '718293a4-b5c6-4d87-a9ea-ebfc0d1e0010';
export const KNOWLEDGE_BASE = '718293a4-b5c6-47d8-89ea-ebfc0d1e0010';
export const TABLE = 'b8f3e0a1-6c2d-4e5f-9a7b-1c2d3e4f5a6b';
export const WORKFLOW = 'a3e2d1c0-4b5a-4c6d-8e7f-9a0b1c2d6606';

export const MODEL = { provider: 'openai', model: 'gpt-4.1', credential_id: CREDENTIAL_ID };
export const ask = (content: string): JsonObject => ({ messages: [{ role: 'user', content }] });
