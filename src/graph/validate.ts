/**
 * Everything that is wrong with a definition, root causes first. One check per subject lives in check-*.ts; this file
 * owns their order and the bounds that must hold before anything reads the definition.
 */
import { checkEdges } from './check-edges.ts';
import { checkFlow } from './check-flow.ts';
import { checkNodes } from './check-nodes.ts';
import { checkTemplates } from './check-templates.ts';
import { checkWriters } from './check-writers.ts';
import { MAX_EDGES, MAX_NODES, MAX_STATE_FIELDS, type Problem } from './definition.ts';
import type { Examined } from './examined.ts';
import { MAX_PATTERNS_SIZE, measurePatterns } from './pattern-size.ts';
import { linksOf, type KindRules } from './plan.ts';
import { readDefinition } from './read.ts';
import { deeperThan, isObject, ownValue, type JsonObject } from './value.ts';

/** Deeper JSON is refused before anything walks it recursively. */
const MAX_DEPTH = 128;

/**
 * Problems of a definition: errors refuse a deploy or a run, warnings only tell. Never throws on any JSON. A
 * definition without errors is what compile() takes.
 */
export function validate(definition: unknown, kinds: KindRules): Problem[] {
  if (!isObject(definition)) return [refusal('invalid_definition', 'Definition must be an object', [])];
  const tooLarge = checkBounds(definition);
  if (tooLarge !== null) return [tooLarge];
  const read = readDefinition(definition);
  const nodeIds = new Set(read.nodes.map((node) => node.id).filter((id) => id !== ''));
  const own = Object.keys(read.fields).filter((name) => !nodeIds.has(name)).length;
  if (own > MAX_STATE_FIELDS) {
    const message = `State schema has ${own} fields beside those of the nodes; at most ${MAX_STATE_FIELDS} are allowed`;
    return [refusal('too_many_state_fields', message, ['state_schema'])];
  }
  const examined: Examined = { read, kinds, nodeIds, problems: [...read.problems] };
  const policies = checkNodes(examined);
  checkEdges(examined, policies);
  const links = linksOf(read);
  checkFlow(examined, links, policies);
  checkTemplates(examined);
  checkWriters(examined, links);
  return examined.problems;
}

function checkBounds(definition: JsonObject): Problem | null {
  if (deeperThan(definition, MAX_DEPTH)) {
    return refusal('too_deep', `Definition is nested deeper than ${MAX_DEPTH} levels`, []);
  }
  for (const [key, limit] of [
    ['nodes', MAX_NODES],
    ['edges', MAX_EDGES],
  ] as const) {
    const list = ownValue(definition, key);
    if (Array.isArray(list) && list.length > limit) {
      return refusal(
        `too_many_${key}`,
        `Definition has ${list.length} ${key}; at most ${limit} are allowed`,
        [key],
      );
    }
  }
  // Counted before any of them is compiled.
  if (measurePatterns(definition, MAX_PATTERNS_SIZE) > MAX_PATTERNS_SIZE) {
    const message = `Definition has patterns of more than ${MAX_PATTERNS_SIZE} instructions together`;
    return refusal('patterns_too_large', message, []);
  }
  return null;
}

function refusal(code: string, message: string, path: readonly string[]): Problem {
  return { severity: 'error', code, message, path };
}
