/**
 * Validates a definition: checks its bounds before anything reads it, then runs the checks of check-*.ts, root causes
 * first.
 */
import { checkEdges } from './check-edges.ts';
import { checkFlow } from './check-flow.ts';
import { checkMarks } from './check-marks.ts';
import { checkNodes } from './check-nodes.ts';
import { checkRetries } from './check-retries.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkTemplates } from './check-templates.ts';
import { checkUntrusted } from './check-untrusted.ts';
import { checkWriters } from './check-writers.ts';
import { MAX_EDGES, MAX_NODES, MAX_STATE_FIELDS, type Problem } from '../definition/definition.ts';
import { addProblem, type CheckContext } from './examined.ts';
import { MAX_PATTERNS_SIZE, measurePatterns } from './pattern-size.ts';
import { listLinks, type KindRules } from '../schedule/plan.ts';
import { readDefinition } from '../definition/read.ts';
import { quote } from '../definition/reader.ts';
import { isDeeperThan, isObject, ownValue, type JsonObject } from '../values/value.ts';

/** Deeper JSON is refused before a recursive function walks it. */
const MAX_DEPTH = 128;

/** Finds the problems of a definition; one without errors can be compiled. Never throws on any JSON. */
export function validate(definition: unknown, kinds: KindRules): Problem[] {
  if (!isObject(definition)) return [createError('invalid_definition', 'Definition must be an object', [])];
  const tooLarge = checkBounds(definition);
  if (tooLarge !== null) return [tooLarge];
  const read = readDefinition(definition);
  const nodeIds = new Set(read.nodes.map((node) => node.id).filter((id) => id !== ''));
  const own = Object.keys(read.fields).filter((name) => !nodeIds.has(name)).length;
  if (own > MAX_STATE_FIELDS) {
    const message = `State schema has ${own} fields beside those of the nodes; at most ${MAX_STATE_FIELDS} are allowed`;
    return [createError('too_many_state_fields', message, ['state_schema'])];
  }
  const examined: CheckContext = { read, kinds, nodeIds, problems: [...read.problems] };
  const policies = checkNodes(examined);
  checkEdges(examined, policies);
  checkRetries(examined, policies);
  checkSecrets(examined);
  checkMarks(examined, policies);
  const links = listLinks(read);
  checkFlow(examined, links, policies);
  checkTemplates(examined);
  checkWriters(examined, links);
  checkTriggers(examined);
  checkUntrusted(examined, links, policies);
  return examined.problems;
}

/** Reports the problems of what starts the workflow; no run of it depends on them. */
function checkTriggers(examined: CheckContext): void {
  for (const { code, message, path } of examined.kinds.triggerProblems(examined.read.triggers)) {
    const [id] = path;
    const subject = id === undefined ? 'config.triggers' : `Trigger ${quote(String(id))}:`;
    addProblem(examined, { code, message: `${subject} ${message}`, path: ['config', 'triggers', ...path] });
  }
}

function checkBounds(definition: JsonObject): Problem | null {
  if (isDeeperThan(definition, MAX_DEPTH)) {
    return createError('too_deep', `Definition is nested deeper than ${MAX_DEPTH} levels`, []);
  }
  for (const [key, limit] of [
    ['nodes', MAX_NODES],
    ['edges', MAX_EDGES],
  ] as const) {
    const list = ownValue(definition, key);
    if (Array.isArray(list) && list.length > limit) {
      return createError(
        `too_many_${key}`,
        `Definition has ${list.length} ${key}; at most ${limit} are allowed`,
        [key],
      );
    }
  }
  // Must precede the checks, which compile every pattern.
  if (measurePatterns(definition, MAX_PATTERNS_SIZE) > MAX_PATTERNS_SIZE) {
    const message = `Definition has patterns of more than ${MAX_PATTERNS_SIZE} instructions together`;
    return createError('patterns_too_large', message, []);
  }
  return null;
}

function createError(code: string, message: string, path: readonly string[]): Problem {
  return { severity: 'error', code, message, path };
}
