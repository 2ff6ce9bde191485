/** The deploy's checks, off the main thread: a definition in, its problems out. */
import './jitless.ts';
import './node-globals.ts';
import { validate } from '../../graph/validate.ts';
import { kindRules } from '../../nodes/registry.ts';

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  postMessage(validate(data, kindRules));
});
