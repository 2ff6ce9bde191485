/** The fields of the outputs of nodes that have not run: what their kind always returns. */
import { isObject, ownValue, type JsonObject } from '../../graph/value.ts';
import { readText } from '../canvas/binding.ts';

/** Of a tool by its `kind`; others have the output of their action. */
const TOOLS: Readonly<Record<string, readonly string[]>> = { http: ['data', 'status', 'headers'] };
const KINDS: Readonly<Record<string, readonly string[]>> = {
  llm: ['content', 'data', 'usage'],
  agent: ['content', 'data', 'tool_calls', 'usage'],
  conditional: ['selected', 'matched'],
  interrupt: ['action', 'data', 'responded_by', 'responded_at', 'timed_out'],
  guardrails: ['passed', 'text', 'violations'],
  knowledge: ['matches', 'total_matches', 'context'],
};
/** Of a transformer by its mode. */
const MODES: Readonly<Record<string, readonly string[]>> = {
  list: ['items', 'count'],
  template: ['text'],
  merge: ['value'],
};
/** Of a node that ran once for each item of a list. */
const MAPPED: readonly string[] = ['results', 'errors', 'count'];

/** Lists the fields that the output of a node will have; of some kinds nothing is known before. */
export function listOutputFields(node: JsonObject): readonly string[] {
  const type = readText(node, 'type');
  const stored = ownValue(node, 'config');
  const config = isObject(stored) ? stored : {};
  if (ownValue(node, 'for_each') !== undefined) return MAPPED;
  if (type === 'tool') return TOOLS[readText(config, 'kind')] ?? [];
  if (type !== 'transformer') return KINDS[type] ?? [];
  const mode = readText(config, 'mode');
  const fields = ownValue(config, 'fields');
  return mode === 'map' && isObject(fields) ? Object.keys(fields) : (MODES[mode] ?? []);
}
