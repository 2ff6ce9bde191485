/** The knowledge search (definition 2.9): known by name, not available yet. */
import { unavailable } from './unavailable.ts';

export const knowledge = unavailable('knowledge');
