/**
 * Reads typed keys of an object in a definition. A missing key or a null reads as undefined; so does an invalid value, which
 * is also reported, so that one reader serves validation and compilation.
 */
import { shortenText } from '../values/cut-text.ts';
import { report } from './definition.ts';
import type { Problem } from './definition.ts';
import type { Path } from '../template/template-scanner.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../values/value.ts';

/** Collects errors about one object of the definition. */
export interface ProblemSink {
  readonly problems: Problem[];
  readonly path: Path;
  readonly nodeId: string | undefined;
  /** The subject of messages: `Node "fetch"`, `Edge "e1"`. */
  readonly subject: string;
}

/** Adds an error below the sink's path; its message begins with the sink's subject. */
export function addError(
  sink: ProblemSink,
  told: Pick<Problem, 'code' | 'message'> & { readonly path: Path },
): void {
  const problem = {
    severity: 'error',
    code: told.code,
    message: `${sink.subject}${told.message}`,
    path: [...sink.path, ...told.path],
  } as const;
  report(sink.problems, sink.nodeId === undefined ? problem : { ...problem, nodeId: sink.nodeId });
}

/** Quotes a name for a message and cuts it: names come from tenants and may be megabytes long. */
export function quote(name: string): string {
  return JSON.stringify(shortenText(name, 80));
}

/** Reads keys of one object. `prefix` is the path of the object below the sink's path. */
export class Reader {
  readonly object: JsonObject;
  readonly sink: ProblemSink;
  readonly prefix: Path;

  constructor(object: JsonObject, sink: ProblemSink, prefix: Path = []) {
    this.object = object;
    this.sink = sink;
    this.prefix = prefix;
  }

  /** The value, or undefined when it is missing or null. */
  value(key: string): Json | undefined {
    return ownValue(this.object, key) ?? undefined;
  }

  word<Word extends string>(key: string, words: readonly Word[]): Word | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    const word = words.find((known) => known === value);
    return word ?? this.refuse(key, `must be one of: ${words.join(', ')}`);
  }

  integer(key: string, min: number, max: number): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    return this.refuse(key, `must be an integer from ${min} to ${max}`);
  }

  number(key: string, min: number, max: number): number | undefined {
    const value = this.value(key);
    if (value === undefined || (typeof value === 'number' && value >= min && value <= max)) return value;
    return this.refuse(key, `must be a number from ${min} to ${max}`);
  }

  flag(key: string): boolean | undefined {
    const value = this.value(key);
    return value === undefined || typeof value === 'boolean'
      ? value
      : this.refuse(key, 'must be true or false');
  }

  text(key: string): string | undefined {
    const value = this.value(key);
    return value === undefined || typeof value === 'string' ? value : this.refuse(key, 'must be a string');
  }

  texts(key: string): readonly string[] | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
    return isList ? value : this.refuse(key, 'must be a list of strings');
  }

  objectAt(key: string): JsonObject | undefined {
    const value = this.value(key);
    return value === undefined || isObject(value) ? value : this.refuse(key, 'must be an object');
  }

  refuse(key: string, demand: string): undefined {
    const path = [...this.prefix, key];
    addError(this.sink, { code: 'invalid_value', message: `: ${path.join('.')} ${demand}`, path });
    return undefined;
  }
}
