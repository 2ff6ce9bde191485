/**
 * Runs a tenant's JavaScript in a fresh QuickJS instance in WebAssembly. The guest gets and returns JSON text; the only host
 * function that it can call writes a log line.
 */
import type { JSValueHandle } from 'quickjs-wasi';
import { EvalFlags, JSException, QuickJS } from 'quickjs-wasi';
import { systemClock } from '../../base/clock.ts';
import { cutText } from '../../language/graph/values/cut-text.ts';
import { MAX_LOG_CHARACTERS, MAX_LOG_LINES, MAX_RESULT_BYTES, createTimeoutResult } from './messages.ts';
import type { CodeJob, CodeResult, WasmModule } from './messages.ts';
import { usesLocales, REFUSE_LOCALES, NO_INTL_MESSAGE } from './without-intl.ts';

/** Small enough that deep recursion is a RangeError of the guest, not of the host. */
const MAX_STACK_BYTES = 256 * 1024;
const MAX_MESSAGE = 1_000;

// Runs before the tenant's code, which can replace every global, so it keeps the intrinsics that are used later.
const PRELUDE = `(write) => {
  const { parse, stringify } = JSON;
  const text = String;
  const show = (item) => {
    if (typeof item === 'string') return item;
    try { return stringify(item) ?? text(item); } catch { return text(item); }
  };
  const line = (...items) => {
    let all = '';
    for (let at = 0; at < items.length; at += 1) all += (at === 0 ? '' : ' ') + show(items[at]);
    write(all);
  };
  delete globalThis.SharedArrayBuffer;
  globalThis.console = { log: line, info: line, warn: line, error: line, debug: line };
  return { parse, stringify: (value) => stringify(value), show };
}`;

class GuestFailure extends Error {
  readonly code: 'timeout' | 'memory' | 'function_error';

  constructor(code: 'timeout' | 'memory' | 'function_error', message: string) {
    super(message);
    this.code = code;
  }
}

/** Awaits a promise of the guest. The guest has no timers and no I/O, so a promise that is pending after all jobs never settles. */
async function awaitPromise(vm: QuickJS, handle: JSValueHandle): Promise<JSValueHandle> {
  if (!handle.isPromise) return handle;
  vm.executePendingJobs();
  if (handle.promiseState === 0)
    throw new GuestFailure('timeout', 'The promise of the function never resolves');
  const outcome = await vm.resolvePromise(handle);
  if ('error' in outcome) throw new JSException(outcome.error);
  return outcome.value;
}

function collectLogs(vm: QuickJS, logs: string[]): JSValueHandle {
  let left = MAX_LOG_CHARACTERS;
  return vm.newFunction('write', (line) => {
    if (line !== undefined && logs.length < MAX_LOG_LINES && left > 0) {
      const text = line.length > MAX_LOG_CHARACTERS ? '[line too long]' : cutText(line.toString(), left);
      left -= text.length + 1;
      logs.push(text);
    }
    return vm.undefined;
  });
}

async function evaluate({ vm, parse, stringify }: FreshVm, job: CodeJob): Promise<string> {
  // Only if needed, because each line of guest code takes microseconds.
  if (usesLocales(job.code)) vm.evalCode(REFUSE_LOCALES, 'without-intl.js');
  const argument = vm.callFunction(parse, vm.undefined, vm.newString(job.argument));
  const module = await awaitPromise(vm, vm.evalCode(job.code, 'function.js', EvalFlags.TYPE_MODULE));
  const entry = module.getProp('default');
  if (!entry.isFunction)
    throw new GuestFailure('function_error', 'The code must export a function as its default');
  const value = await awaitPromise(vm, vm.callFunction(entry, vm.undefined, argument));
  const text = vm.callFunction(stringify, vm.undefined, value);
  // A function that returns nothing returns null.
  if (!text.isString) return 'null';
  if (text.length > MAX_RESULT_BYTES)
    throw new GuestFailure('function_error', 'The returned value is larger than 1 MiB');
  return text.toString();
}

/** Tells whether the guest exceeded its memory limit. QuickJS has no error code for it; the name keeps out errors of the guest's own. */
const isOutOfMemory = ({ name, message }: JSException): boolean =>
  name === 'InternalError' && message === 'out of memory';

/** Describes a thrown value. Non-Error values can be thrown, too; shows their JSON. */
function describeThrown({ vm, show }: FreshVm, { handle, name, message }: JSException): string {
  const isSelfExplaining = handle.isString || (handle.isObject && !handle.getProp('message').isUndefined);
  if (isSelfExplaining) return `${name}: ${message}`;
  const shown = vm.callFunction(show, vm.undefined, handle);
  return `Error: ${shown.length > MAX_LOG_CHARACTERS ? '[value too long]' : shown.toString()}`;
}

function toFailure(
  fresh: FreshVm,
  error: unknown,
  { job, late }: { job: CodeJob; late: boolean },
): CodeResult {
  if (late) return createTimeoutResult(job.timeoutMs);
  if (error instanceof GuestFailure) return { ok: false, code: error.code, message: error.message };
  if (!(error instanceof JSException)) {
    // A trap of the WebAssembly instance or a stack overflow of the host.
    return {
      ok: false,
      code: 'function_error',
      message: 'The function overran the stack or the memory of its runtime',
    };
  }
  if (isOutOfMemory(error)) {
    return {
      ok: false,
      code: 'memory',
      message: `The function needs more than ${job.memoryMb} MB of memory`,
    };
  }
  const hint = error.message === 'Intl is not defined' ? `: ${NO_INTL_MESSAGE}` : '';
  const message = cutText(`${describeThrown(fresh, error)}${hint}`, MAX_MESSAGE);
  return { ok: false, code: 'function_error', message };
}

/** An instance in which no code of a tenant has run. */
export interface FreshVm {
  readonly vm: QuickJS;
  readonly memoryMb: number;
  readonly parse: JSValueHandle;
  readonly stringify: JSValueHandle;
  /** Writes any value as a text for people. */
  readonly show: JSValueHandle;
  /** The log lines of its code. */
  readonly logs: readonly string[];
  /** The time of the monotonic clock at which its code is interrupted. */
  deadline: number;
}

/** Creates an instance with a memory limit. */
export async function createVm(module: WasmModule, memoryMb: number): Promise<FreshVm> {
  const clock = { deadline: Infinity };
  const vm = await QuickJS.create({
    wasm: module,
    memoryLimit: memoryMb * 1024 * 1024,
    maxStackSize: MAX_STACK_BYTES,
    interruptHandler: () => systemClock.monotonic() > clock.deadline,
    timezoneOffset: 0,
    // The guest has no standard output.
    wasi: () => ({ fd_write: () => 0 }),
  });
  const logs: string[] = [];
  const kept = vm.callFunction(vm.evalCode(PRELUDE, 'prelude.js'), vm.undefined, collectLogs(vm, logs));
  const [parse, stringify, show] = [kept.getProp('parse'), kept.getProp('stringify'), kept.getProp('show')];
  return Object.assign(clock, { vm, memoryMb, parse, stringify, show, logs });
}

/**
 * Runs the job; never throws. The deadline interrupts bytecode only: the pool terminates the thread of a native builtin that
 * stalls.
 * @param fresh an unused instance with the memory limit of the job
 */
export async function runCode(fresh: FreshVm, job: CodeJob): Promise<CodeResult> {
  fresh.deadline = systemClock.monotonic() + job.timeoutMs;
  const isLate = (): boolean => systemClock.monotonic() > fresh.deadline;
  try {
    const value = await evaluate(fresh, job);
    return { ok: true, value, logs: fresh.logs };
  } catch (error) {
    try {
      return toFailure(fresh, error, { job, late: isLate() });
    } catch {
      // Reading the guest's error ran guest code (a getter) that failed again.
      return { ok: false, code: 'function_error', message: 'The function threw a value that cannot be read' };
    }
  }
}
