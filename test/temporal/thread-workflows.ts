/** Workflows that try the threads they run in. */
import { CancellationScope, sleep } from '@temporalio/workflow';

/** Tells whether code still has its own cancellation scope behind each kind of wait. */
export async function keepScope(): Promise<boolean[]> {
  const scope = new CancellationScope();
  return scope.run(async () => {
    const kept = [CancellationScope.current() === scope];
    await Promise.resolve();
    kept.push(CancellationScope.current() === scope);
    await sleep(1);
    kept.push(CancellationScope.current() === scope);
    return kept;
  });
}

/** The clock of the SDK, in nanoseconds: workflow code has none that moves within an activation. */
interface SandboxGlobals {
  readonly __TEMPORAL_ACTIVATOR__: { getTimeOfDay(): bigint };
}
const LONG_NS = 5_500_000_000n;

/** Computes longer than the SDK allows an entry into the sandbox, inside of a promise. */
export async function computeLong(): Promise<string> {
  await Promise.resolve();
  const { __TEMPORAL_ACTIVATOR__: sdk } = globalThis as unknown as SandboxGlobals;
  const began = sdk.getTimeOfDay();
  while (sdk.getTimeOfDay() - began < LONG_NS);
  return 'done';
}
