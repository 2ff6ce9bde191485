/** The deploy's checks, off the main thread: a definition in, its problems out. */
import './jitless.ts';
import './node-globals.ts';
import { findRedactedReads } from '../../graph/check-redacted.ts';
import { validate } from '../../graph/validate.ts';
import type { JsonObject } from '../../graph/value.ts';
import { kindRules } from '../../nodes/registry.ts';

interface ValidationRequest {
  readonly definition: JsonObject;
  readonly redactedPaths: readonly string[];
}

addEventListener('message', ({ data: { definition, redactedPaths } }: MessageEvent<ValidationRequest>) => {
  postMessage([...validate(definition, kindRules), ...findRedactedReads(definition, redactedPaths)]);
});
