/** The deploy's checks, off the main thread: a definition in, its problems out. */
import './jitless.ts';
import './node-globals.ts';
import { findRedactedReads } from '../../../language/graph/checks/check-redacted.ts';
import { validate } from '../../../language/graph/checks/validate.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { kindRules } from '../../../language/nodes/registry.ts';

interface ValidationRequest {
  readonly definition: JsonObject;
  readonly redactedPaths: readonly string[];
}

addEventListener('message', ({ data: { definition, redactedPaths } }: MessageEvent<ValidationRequest>) => {
  postMessage([...validate(definition, kindRules), ...findRedactedReads(definition, redactedPaths)]);
});
