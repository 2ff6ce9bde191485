/**
 * The lenient reader of a whole definition, used by validation and by compilation: defaults filled in, aliases
 * resolved, problems collected. What is stored stays as it was sent; only this reading is normalised.
 */
import { START, type Problem, type Reducer, type RuleGroup, type StateField, report } from './definition.ts';
import { readNode, type ReadNode } from './read-node.ts';
import { quote, Reader, tell, type Sink } from './reader.ts';
import { readRules } from './rules.ts';
import { isForbiddenKey, isObject, ownValue, type Json, type JsonObject } from './value.ts';

export interface ReadEdge {
  /** Index in `edges`. */
  readonly position: number;
  readonly id: string;
  /** Empty when there is none. */
  readonly source: string;
  readonly target: string;
  readonly handle: string;
  readonly when: RuleGroup | null;
}

export interface ReadDefinition {
  readonly nodes: readonly ReadNode[];
  readonly edges: readonly ReadEdge[];
  readonly entryPoint: string;
  /** Without a prototype: the names are the user's. */
  readonly fields: Readonly<Record<string, StateField>>;
  /** `config.output`, or undefined. */
  readonly output: Json | undefined;
  readonly strictTemplates: boolean;
  /** Errors of shape and value only; validate.ts adds those of meaning. */
  readonly problems: readonly Problem[];
}

const REDUCERS: readonly Reducer[] = ['none', 'add', 'update'];

/** Reads a definition of bounded depth. Never throws: what cannot be read is left out and is a problem. */
export function readDefinition(definition: JsonObject): ReadDefinition {
  const problems: Problem[] = [];
  const reader = new Reader(definition, { problems, path: [], nodeId: undefined, subject: 'Definition' });
  const configSink: Sink = { problems, path: ['config'], nodeId: undefined, subject: 'Workflow config' };
  const config = new Reader(reader.objectAt('config') ?? {}, configSink);
  // Read for their problems only: the run's own settings are read where a run starts.
  config.integer('recursion_limit', 1, 1_000);
  config.integer('batch_interval_ms', 0, 60_000);
  return {
    nodes: listAt(reader, 'nodes')
      .map((raw, position) => readNode(raw, position, problems))
      .filter((node) => node !== null),
    edges: listAt(reader, 'edges')
      .map((raw, position) => readEdge(raw, position, problems))
      .filter((edge) => edge !== null),
    entryPoint: reader.text('entry_point') ?? START,
    fields: readFields(reader, problems),
    output: config.value('output'),
    strictTemplates: config.flag('strict_templates') ?? false,
    problems,
  };
}

function listAt(reader: Reader, key: 'nodes' | 'edges'): Json[] {
  const list = ownValue(reader.object, key);
  if (Array.isArray(list)) return list;
  tell(reader.sink, { code: `invalid_${key}`, message: ` needs an array "${key}"`, path: [key] });
  return [];
}

function readEdge(raw: Json, position: number, problems: Problem[]): ReadEdge | null {
  const path = ['edges', position];
  if (!isObject(raw)) {
    report(problems, {
      severity: 'error',
      code: 'invalid_edge',
      message: `Edge at position ${position} must be an object`,
      path,
    });
    return null;
  }
  const given = ownValue(raw, 'id');
  const subject = typeof given === 'string' ? `Edge ${quote(given)}` : `Edge at position ${position}`;
  const reader = new Reader(raw, { problems, path, nodeId: undefined, subject });
  return {
    position,
    id: reader.text('id') ?? `edge:${position}`,
    source: aliased(reader, ['source', 'from']) ?? '',
    target: aliased(reader, ['target', 'to']) ?? '',
    handle: aliased(reader, ['source_handle', 'sourceHandle']) ?? 'default',
    when: readWhen(reader),
  };
}

/** The first of several spellings that is present (SPEC DEF-2.10). */
function aliased(reader: Reader, keys: readonly string[]): string | undefined {
  const key = keys.find((spelling) => reader.value(spelling) !== undefined);
  return key === undefined ? undefined : reader.text(key);
}

function readWhen(reader: Reader): RuleGroup | null {
  const when = reader.value('when');
  if (when === undefined) return null;
  const read = readRules(when);
  if ('rules' in read) return read.rules;
  for (const { code, message, path } of read.problems)
    tell(reader.sink, { code, message: `: ${message}`, path: ['when', ...path] });
  return null;
}

/** Reads `{"fields": {...}}` or the flat form; a flat field may itself be called "fields". */
function readFields(reader: Reader, problems: Problem[]): Record<string, StateField> {
  const schema = reader.objectAt('state_schema') ?? {};
  const wrapped = ownValue(schema, 'fields');
  const isWrapped =
    isObject(wrapped) && typeof wrapped['type'] !== 'string' && typeof wrapped['reducer'] !== 'string';
  const path = isWrapped ? ['state_schema', 'fields'] : ['state_schema'];
  const fields = Object.create(null) as Record<string, StateField>;
  for (const [name, raw] of Object.entries(isWrapped ? wrapped : schema)) {
    const sink: Sink = {
      problems,
      path: [...path, name],
      nodeId: undefined,
      subject: `State field ${quote(name)}`,
    };
    if (isForbiddenKey(name))
      tell(sink, { code: 'invalid_state_field', message: ' has a name that cannot be used', path: [] });
    else if (isObject(raw)) {
      const field = new Reader(raw, sink);
      fields[name] = {
        reducer: field.word('reducer', REDUCERS) ?? 'none',
        default: ownValue(raw, 'default'),
      };
    } else if (isWrapped)
      tell(sink, { code: 'invalid_state_field', message: ' must be an object', path: [] });
  }
  return fields;
}
