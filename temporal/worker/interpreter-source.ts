/** Paths of the code in the workflow sandbox, for the build, a worker in development and tests. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (name: string): string =>
  fileURLToPath(new URL(`../interpreter/${name}${extname(import.meta.url)}`, import.meta.url));

/** Options of `bundleWorkflowCode`. */
export const INTERPRETER_SOURCE = {
  workflowsPath: path('interpret'),
  workflowInterceptorModules: [path('trace-headers'), path('ordered-results')],
};
