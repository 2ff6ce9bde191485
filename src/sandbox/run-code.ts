/**
 * Runs one piece of a tenant's JavaScript in a fresh QuickJS inside WebAssembly and throws the instance away. The
 * guest gets JSON text and gives JSON text; the one function of the host that it can reach takes a line of log.
 */
import type { JSValueHandle } from 'quickjs-wasi';
import { EvalFlags, JSException, QuickJS } from 'quickjs-wasi';
import { cutText } from '../graph/cut-text.ts';
import { MAX_LOG_CHARACTERS, MAX_LOG_LINES, MAX_RESULT_BYTES, timedOut } from './messages.ts';
import type { CodeJob, CodeResult, WasmModule } from './messages.ts';
import { namesLanguages, REFUSE_LANGUAGES, WITHOUT_INTL } from './without-intl.ts';

/** Deep recursion must end in the guest's RangeError, not in the host's. */
const MAX_STACK_BYTES = 256 * 1024;
const MAX_MESSAGE = 1_000;

// Runs before the tenant's code, which can replace every global afterwards: the intrinsics used later are kept here.
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
  return { parse, stringify: (value) => stringify(value) };
}`;

class GuestFailure extends Error {
  readonly code: 'timeout' | 'memory' | 'function_error';

  constructor(code: 'timeout' | 'memory' | 'function_error', message: string) {
    super(message);
    this.code = code;
  }
}

/** The value of a promise whose jobs have all run. Without timers and I/O nothing can settle it later. */
async function settled(vm: QuickJS, handle: JSValueHandle): Promise<JSValueHandle> {
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
  // Most code names none, and each line of the guest's costs microseconds.
  if (namesLanguages(job.code)) vm.evalCode(REFUSE_LANGUAGES, 'without-intl.js');
  const argument = vm.callFunction(parse, vm.undefined, vm.newString(job.argument));
  const module = await settled(vm, vm.evalCode(job.code, 'function.js', EvalFlags.TYPE_MODULE));
  const entry = module.getProp('default');
  if (!entry.isFunction)
    throw new GuestFailure('function_error', 'The code must export a function as its default');
  const value = await settled(vm, vm.callFunction(entry, vm.undefined, argument));
  const text = vm.callFunction(stringify, vm.undefined, value);
  // A function that returns nothing returns null.
  if (!text.isString) return 'null';
  if (text.length > MAX_RESULT_BYTES)
    throw new GuestFailure('function_error', 'The returned value is larger than 1 MiB');
  return text.toString();
}

function explain(error: unknown, job: CodeJob, late: boolean): CodeResult {
  if (late) return timedOut(job.timeoutMs);
  if (error instanceof GuestFailure) return { ok: false, code: error.code, message: error.message };
  if (!(error instanceof JSException)) {
    // A trap of the WebAssembly instance or of the host's stack: the guest overran what it was given.
    return {
      ok: false,
      code: 'function_error',
      message: 'The function overran the stack or the memory of its runtime',
    };
  }
  const hint = error.message === 'Intl is not defined' ? `: ${WITHOUT_INTL}` : '';
  const message = cutText(`${error.name}: ${error.message}${hint}`, MAX_MESSAGE);
  if (/out of memory/.test(message)) {
    return {
      ok: false,
      code: 'memory',
      message: `The function needs more than ${job.memoryMb} MB of memory`,
    };
  }
  return { ok: false, code: 'function_error', message };
}

/** An instance that no tenant's code has run in. */
export interface FreshVm {
  readonly vm: QuickJS;
  readonly memoryMb: number;
  readonly parse: JSValueHandle;
  readonly stringify: JSValueHandle;
  /** The lines that its code writes. */
  readonly logs: readonly string[];
  /** The time of `performance.now()` at which its code is interrupted. */
  deadline: number;
}

/** Makes an instance whose code may use so much memory. */
export async function freshVm(module: WasmModule, memoryMb: number): Promise<FreshVm> {
  const clock = { deadline: Infinity };
  const vm = await QuickJS.create({
    wasm: module,
    memoryLimit: memoryMb * 1024 * 1024,
    maxStackSize: MAX_STACK_BYTES,
    interruptHandler: () => performance.now() > clock.deadline,
    timezoneOffset: 0,
    // The guest has no standard output.
    wasi: () => ({ fd_write: () => 0 }),
  });
  const logs: string[] = [];
  const kept = vm.callFunction(vm.evalCode(PRELUDE, 'prelude.js'), vm.undefined, collectLogs(vm, logs));
  const [parse, stringify] = [kept.getProp('parse'), kept.getProp('stringify')];
  return Object.assign(clock, { vm, memoryMb, parse, stringify, logs });
}

/**
 * Runs the job and never throws. The deadline interrupts bytecode only: native builtins that stall are ended from
 * outside, with the thread.
 * @param fresh an instance of the job's memory, which is used up with it
 */
export async function runCode(fresh: FreshVm, job: CodeJob): Promise<CodeResult> {
  fresh.deadline = performance.now() + job.timeoutMs;
  const isLate = (): boolean => performance.now() > fresh.deadline;
  try {
    const value = await evaluate(fresh, job);
    return { ok: true, value, logs: fresh.logs };
  } catch (error) {
    try {
      return explain(error, job, isLate());
    } catch {
      // Reading the guest's error ran guest code (a getter) that failed again.
      return { ok: false, code: 'function_error', message: 'The function threw a value that cannot be read' };
    }
  }
}
