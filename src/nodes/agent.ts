/** The agent (definition 2.3): known by name, not available yet. */
import { unavailable } from './unavailable.ts';

export const agent = unavailable('agent');
