/**
 * Reads a whole definition leniently, for validation and compilation: fills in defaults, resolves aliases, collects
 * problems. The stored definition stays as it was sent.
 */
import { START, type Problem, type Reducer, type RuleGroup, type StateField, report } from './definition.ts';
import { readNode, type ReadNode } from './read-node.ts';
import { readLimits, type Limits } from './limits.ts';
import { quote, Reader, addError, type ProblemSink } from './reader.ts';
import { readRules } from '../template/rules.ts';
import { isForbiddenKey, isObject, ownValue, type Json, type JsonObject } from '../values/value.ts';

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
  /** Has no prototype: users choose the names. */
  readonly fields: Readonly<Record<string, StateField>>;
  /** `config.output`, or undefined. */
  readonly output: Json | undefined;
  readonly strictTemplates: boolean;
  /** `config.limits`; null: none. */
  readonly limits: Limits | null;
  /** `config.triggers`, or undefined. */
  readonly triggers: Json | undefined;
  /** Errors of shape and value only; validate.ts adds semantic ones. */
  readonly problems: readonly Problem[];
}

const REDUCERS: readonly Reducer[] = ['none', 'add', 'update'];

/** Reads a definition of bounded depth. Never throws: reports invalid parts as problems and leaves them out. */
export function readDefinition(definition: JsonObject): ReadDefinition {
  const problems: Problem[] = [];
  const reader = new Reader(definition, { problems, path: [], nodeId: undefined, subject: 'Definition' });
  const configSink: ProblemSink = {
    problems,
    path: ['config'],
    nodeId: undefined,
    subject: 'Workflow config',
  };
  const config = new Reader(reader.objectAt('config') ?? {}, configSink);
  // Read only to report problems: the start of a run reads the values.
  config.integer('recursion_limit', 1, 1_000);
  config.integer('batch_interval_ms', 0, 60_000);
  return {
    nodes: readList(reader, 'nodes')
      .map((raw, position) => readNode(raw, position, problems))
      .filter((node) => node !== null),
    edges: readList(reader, 'edges')
      .map((raw, position) => readEdge(raw, position, problems))
      .filter((edge) => edge !== null),
    entryPoint: reader.text('entry_point') ?? START,
    fields: readFields(reader, problems),
    output: config.value('output'),
    strictTemplates: config.flag('strict_templates') ?? false,
    limits: readLimits(config, configSink),
    triggers: config.value('triggers'),
    problems,
  };
}

function readList(reader: Reader, key: 'nodes' | 'edges'): Json[] {
  const list = ownValue(reader.object, key);
  if (Array.isArray(list)) return list;
  addError(reader.sink, { code: `invalid_${key}`, message: ` needs an array "${key}"`, path: [key] });
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
    source: readAliased(reader, ['source', 'from']) ?? '',
    target: readAliased(reader, ['target', 'to']) ?? '',
    handle: readAliased(reader, ['source_handle', 'sourceHandle']) ?? 'default',
    when: readWhen(reader),
  };
}

/** The first of several spellings that is present (SPEC DEF-2.10). */
function readAliased(reader: Reader, keys: readonly string[]): string | undefined {
  const key = keys.find((spelling) => reader.value(spelling) !== undefined);
  return key === undefined ? undefined : reader.text(key);
}

function readWhen(reader: Reader): RuleGroup | null {
  const when = reader.value('when');
  if (when === undefined) return null;
  const read = readRules(when);
  if ('rules' in read) return read.rules;
  for (const { code, message, path } of read.problems)
    addError(reader.sink, { code, message: `: ${message}`, path: ['when', ...path] });
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
    const sink: ProblemSink = {
      problems,
      path: [...path, name],
      nodeId: undefined,
      subject: `State field ${quote(name)}`,
    };
    if (isForbiddenKey(name))
      addError(sink, { code: 'invalid_state_field', message: ' has a name that cannot be used', path: [] });
    else if (isObject(raw)) {
      const field = new Reader(raw, sink);
      fields[name] = {
        reducer: field.word('reducer', REDUCERS) ?? 'none',
        default: ownValue(raw, 'default'),
      };
    } else if (isWrapped)
      addError(sink, { code: 'invalid_state_field', message: ' must be an object', path: [] });
  }
  return fields;
}
