/** Reads the fields that all node types share, the envelope (SPEC DEF-2.0); the config stays as it is. */
import {
  NODE_ID,
  RESERVED_NODE_IDS,
  type ForEach,
  type OnError,
  type OnUnknown,
  type Problem,
  type RetryPolicy,
  report,
} from './definition.ts';
import { quote, Reader } from './reader.ts';
import type { Path } from '../template/template-scanner.ts';
import { isObject, ownValue, setOwn, type Json, type JsonObject } from '../values/value.ts';

export interface ReadNode {
  /** Index in `nodes`. */
  readonly position: number;
  /** Empty when there is none. */
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly config: JsonObject;
  /** Path of the config in the definition; the path of the node when it has no `config`. */
  readonly configPath: Path;
  /** Undefined: the policy of the kind decides. */
  readonly maxAttempts: number | undefined;
  readonly retry: Omit<RetryPolicy, 'maxAttempts'>;
  readonly timeoutMs: number | undefined;
  readonly onError: OnError | undefined;
  readonly onUnknown: OnUnknown;
  readonly defaultOutput: Json;
  readonly join: 'all' | 'any';
  readonly forEach: ForEach | null;
  readonly stateUpdates: JsonObject;
  readonly disabled: boolean;
  /** The fixed output, or undefined. */
  readonly mock: Json | undefined;
  /** The approval that the node needs before it sends; null: none. Its kind checks it. */
  readonly confirm: JsonObject | null;
  /** Values of others that may decide what the node does, each with the reason. */
  readonly trustedValues: readonly TrustedValue[];
}

/** A reference without braces, such as `input.url`, which its author vouches for; it holds for all below it. */
export interface TrustedValue {
  readonly value: string;
  readonly reason: string;
}

const ENVELOPE_KEYS: ReadonlySet<string> = new Set([
  'id',
  'type',
  'name',
  'position',
  'config',
  'retry',
  'timeout_ms',
  'on_error',
  'on_unknown',
  'default_output',
  'join',
  'for_each',
  'state_updates',
  'disabled',
  'mock',
  'confirm',
  'trusted_values',
]);
const MAX_TRUSTED_VALUES = 50;
/** Characters of a trusted value, and of its reason. */
export const MAX_REASON = 500;

/** One hour: the maximum of the timeout of one attempt and of the interval between attempts. */
export const MAX_DURATION_MS = 3_600_000;
export const MAX_ATTEMPTS = 20;

/** Reads one entry of `nodes`; null when it is not an object. Never throws. */
export function readNode(raw: Json, position: number, problems: Problem[]): ReadNode | null {
  const path = ['nodes', position];
  if (!isObject(raw)) {
    report(problems, {
      severity: 'error',
      code: 'invalid_node',
      message: `Node at position ${position} must be an object`,
      path,
    });
    return null;
  }
  const id = toStringOr(ownValue(raw, 'id'), '');
  const subject = id === '' ? `Node at position ${position}` : `Node ${quote(id)}`;
  const reader = new Reader(raw, { problems, path, nodeId: id === '' ? undefined : id, subject });
  const hasConfig = reader.value('config') !== undefined;
  return {
    position,
    id,
    type: toStringOr(ownValue(raw, 'type'), ''),
    name: toStringOr(ownValue(raw, 'name'), id),
    config: hasConfig ? (reader.objectAt('config') ?? {}) : collectConfig(raw),
    configPath: hasConfig ? [...path, 'config'] : path,
    ...readRetry(reader),
    timeoutMs: reader.integer('timeout_ms', 1, MAX_DURATION_MS),
    onError: reader.word('on_error', ['fail', 'continue', 'branch']),
    onUnknown: reader.word('on_unknown', ['fail', 'ask']) ?? 'fail',
    defaultOutput: reader.value('default_output') ?? null,
    join: reader.word('join', ['all', 'any']) ?? 'all',
    forEach: readForEach(reader),
    stateUpdates: reader.objectAt('state_updates') ?? {},
    disabled: reader.flag('disabled') ?? false,
    mock: readMock(reader),
    confirm: reader.objectAt('confirm') ?? null,
    trustedValues: readTrustedValues(reader),
  };
}

function toStringOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** Collects the config of a node without `config`: all keys that are not of the envelope. */
function collectConfig(raw: JsonObject): JsonObject {
  const config: JsonObject = {};
  for (const [key, value] of Object.entries(raw)) if (!ENVELOPE_KEYS.has(key)) setOwn(config, key, value);
  return config;
}

function readRetry(envelope: Reader): Pick<ReadNode, 'maxAttempts' | 'retry'> {
  const reader = openReader(envelope, 'retry');
  return {
    maxAttempts: reader?.integer('max_attempts', 1, MAX_ATTEMPTS),
    retry: {
      initialIntervalMs: reader?.integer('initial_interval_ms', 1, MAX_DURATION_MS) ?? 1_000,
      backoffCoefficient: reader?.number('backoff_coefficient', 1, 10) ?? 2,
      maxIntervalMs: reader?.integer('max_interval_ms', 1, MAX_DURATION_MS) ?? 30_000,
    },
  };
}

function readMock(envelope: Reader): Json | undefined {
  const reader = openReader(envelope, 'mock');
  return reader?.flag('enabled') === true ? (reader.value('output') ?? null) : undefined;
}

function readTrustedValues(envelope: Reader): readonly TrustedValue[] {
  const list = envelope.value('trusted_values');
  if (list === undefined) return [];
  if (!Array.isArray(list) || list.length > MAX_TRUSTED_VALUES) {
    envelope.refuse('trusted_values', `must be a list of at most ${MAX_TRUSTED_VALUES} values`);
    return [];
  }
  return list.flatMap((one, index) => {
    const value = ownValue(one, 'value');
    const reason = ownValue(one, 'reason');
    const isGiven = (text: Json | undefined): text is string =>
      typeof text === 'string' && text.trim() !== '' && text.length <= MAX_REASON;
    if (isGiven(value) && isGiven(reason)) return [{ value: value.trim(), reason: reason.trim() }];
    envelope.refuse(
      `trusted_values.${index}`,
      `needs a value, such as input.url, and a reason of 1 to ${MAX_REASON} characters`,
    );
    return [];
  });
}

function readForEach(envelope: Reader): ForEach | null {
  const reader = openReader(envelope, 'for_each');
  if (reader === null) return null;
  const items = reader.value('items');
  if (typeof items !== 'string' && !Array.isArray(items))
    reader.refuse('items', 'must be an array or a template of one');
  const as = reader.text('as') ?? 'item';
  if (!NODE_ID.test(as) || (as !== 'item' && RESERVED_NODE_IDS.has(as))) {
    reader.refuse('as', 'must be a plain name that is not reserved');
  }
  return {
    items: items ?? null,
    as,
    maxConcurrency: reader.integer('max_concurrency', 1, 100) ?? 5,
    maxItems: reader.integer('max_items', 1, 10_000) ?? 1_000,
    onItemError: reader.word('on_item_error', ['fail', 'continue', 'drop']) ?? 'fail',
  };
}

/** A reader of the object under `key`; null when there is none. */
function openReader(envelope: Reader, key: string): Reader | null {
  const object = envelope.objectAt(key);
  return object === undefined ? null : new Reader(object, envelope.sink, [key]);
}
