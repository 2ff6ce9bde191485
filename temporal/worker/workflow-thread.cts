/**
 * Entry of a thread of workflow code (workflow-threads.ts): the SDK's own, without stack traces for promises. It is plain CommonJS, as
 * the SDK's, so that both have the same instance of the SDK's modules.
 */
const { globalHandlers } = require('@temporalio/worker/lib/workflow/vm-shared.js');

if (typeof globalHandlers?.setPromiseHook !== 'function' || globalHandlers.promiseHookInstalled !== false)
  throw new Error(
    'This release of the Temporal SDK installs its promise hook in another way: see workflow-thread.cts',
  );
// Not `v8.promiseHooks.createHook`, which is also behind AsyncLocalStorage: no cancellation scope would outlive an `await`.
globalHandlers.setPromiseHook = () => undefined;

require('@temporalio/worker/lib/workflow/workflow-worker-thread.js');
