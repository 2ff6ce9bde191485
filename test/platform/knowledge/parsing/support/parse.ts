/** Parses in this process what a process of its own would. */
import type { JsonObject } from '../../../../../src/language/graph/values/value.ts';
import { parseConfig, type ParseTask } from '../../../../../src/language/nodes/transformer/parse-config.ts';
import { parseToJson } from '../../../../../src/platform/knowledge/parsing/parse-to-json.ts';

/** Reads the task of a config. */
export function taskOf(format: string, more: JsonObject = {}, isText = true): ParseTask {
  const {
    mode: _mode,
    source: _source,
    respond: _respond,
    ...task
  } = parseConfig.parse({
    mode: 'parse',
    format,
    source: '',
    ...more,
  });
  return { ...task, isText };
}

export async function parsed(
  format: string,
  source: string | Uint8Array,
  more: JsonObject = {},
): Promise<JsonObject> {
  const isText = typeof source === 'string';
  return JSON.parse(
    await parseToJson(isText ? Buffer.from(source) : Buffer.from(source), taskOf(format, more, isText)),
  ) as JsonObject;
}

/** The code with which a source is refused. */
export const refusal = (
  format: string,
  source: string | Uint8Array,
  more: JsonObject = {},
): Promise<string> =>
  parsed(format, source, more).then(
    () => 'read',
    (error: Error & { readonly code?: string }) =>
      error.name === 'ExtractionFailed' ? (error.code ?? '') : String(error),
  );
