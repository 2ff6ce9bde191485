/** The pattern port of NodeTools: `matches` of rules and schemas, in linear time. */
import { matches as search } from '../nodes/pattern.ts';
import type { NodeTools } from '../nodes/tools.ts';

/** Searches an RE2 pattern in a text; compiled patterns are kept in a bounded cache. */
export const matches: NodeTools['matches'] = (pattern, text) => search(pattern, text);
