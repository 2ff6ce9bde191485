/** The mode `parse`: reads what others have written as values. All formats but JSON are read in a process of their own. */
import { parseUntrustedExactJson } from '../../graph/values/storable.ts';
import { isObject, ownValue, type Json } from '../../graph/values/value.ts';
import { NodeError, type NodeCall } from '../kind.ts';
import { createNumberWarnings } from '../number-warning.ts';
import type { Config, ConfigOf } from './config.ts';
import type { Transformed } from './items.ts';

/** As much as a function takes: more is no message but an archive. */
const MAX_SOURCE_BYTES = 8 * 1024 * 1024;
/** Time in a process, its start included; the wait for a turn does not count. */
export const PARSE_TIMEOUT_MS = 30_000;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

type ParseConfig = ConfigOf<'parse'>;

/** Whether a process reads the source. JSON is read by the engine itself, in linear time: a process for it would cost more. */
export const isParsedInProcess = (config: Config): boolean =>
  config.mode === 'parse' && config.format !== 'json';

function parseJson(text: string): Transformed {
  try {
    const exact = parseUntrustedExactJson(text.replace(/^\uFEFF/, ''));
    return { output: { data: exact.value }, warnings: createNumberWarnings('data', exact) };
  } catch {
    throw new NodeError('invalid_json', 'The source is not JSON, or is nested deeper than 64 levels');
  }
}

/** Reads the base64 of a file, as HTTP tools give it; null for any other value. */
function readBase64(value: Json): string | null {
  const base64 = isObject(value) ? ownValue(value, 'base64') : undefined;
  return typeof base64 === 'string' && BASE64.test(base64) ? base64 : null;
}

/** Renders the source, a text or a file. @throws NodeError `not_a_text`, `source_too_large` */
function readSource(
  call: NodeCall<unknown>,
  { source, format }: ParseConfig,
): { text: string; isText: boolean; size: number } {
  const value = call.render(source);
  const base64 = readBase64(value);
  const isText = typeof value === 'string';
  const text = isText ? value : base64;
  if (text === null) throw new NodeError('not_a_text', 'The source is neither a text nor a file `{base64}`');
  if (isText && format === 'xlsx')
    throw new NodeError('not_a_file', 'A workbook is a file `{base64}`, and the source is a text');
  const size = isText ? Buffer.byteLength(text) : Buffer.byteLength(text, 'base64');
  if (size > MAX_SOURCE_BYTES)
    throw new NodeError('source_too_large', `The source has more than ${MAX_SOURCE_BYTES} bytes`);
  return { text, isText, size };
}

/**
 * @throws NodeError `not_a_text`, `not_a_file`, `source_too_large`, `invalid_json`, and what ParserPort throws
 */
export async function parseSource(call: NodeCall<unknown>, config: ParseConfig): Promise<Transformed> {
  const { text, isText, size } = readSource(call, config);
  const decode = (): Buffer => Buffer.from(text, isText ? 'utf8' : 'base64');
  if (config.format === 'json') {
    const charset = config.charset ?? 'utf-8';
    // As a stream: in one piece Node 20 takes windows-1252 for Latin-1.
    return parseJson(isText ? text : new TextDecoder(charset).decode(decode(), { stream: true }));
  }
  await call.hold(size);
  const { mode: _mode, source: _source, respond: _respond, ...task } = config;
  const output = await call.tools.parser.parse({
    organizationId: call.identity.organizationId,
    bytes: decode(),
    task: { ...task, isText },
    signal: call.signal,
  });
  return { output, warnings: [] };
}
