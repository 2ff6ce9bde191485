/** Messages between the worker, the sandbox process and its threads: plain data, values as JSON text. */

/** A compiled WebAssembly module; the types of Node.js do not declare it. */
export type WasmModule = object;

export interface CodeJob {
  readonly job: number;
  readonly code: string;
  /** JSON of the single argument. */
  readonly argument: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

export type ToProcess = { readonly run: CodeJob } | { readonly cancel: number };

export type CodeResult =
  | { readonly ok: true; /** JSON of the value. */ readonly value: string; readonly logs: readonly string[] }
  | { readonly ok: false; readonly code: 'timeout' | 'memory' | 'function_error'; readonly message: string };

export interface Done {
  readonly job: number;
  readonly result: CodeResult;
}

/** A thread reports the result of its job, and `ready` when it can take another one. */
export type FromThread = Done | 'ready';

/** The JSON of an argument has at most 8 MiB. */
export const MAX_ARGUMENT_BYTES = 8 * 1024 * 1024;
/** SPEC SEC-X08: a result has at most 1 MiB of JSON. */
export const MAX_RESULT_BYTES = 1024 * 1024;
export const MAX_LOG_LINES = 100;
export const MAX_LOG_CHARACTERS = 10_240;

export const createTimeoutResult = (timeoutMs: number): CodeResult => ({
  ok: false,
  code: 'timeout',
  message: `The function timed out after ${timeoutMs / 1_000} s`,
});
