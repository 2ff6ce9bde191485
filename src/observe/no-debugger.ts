/** A debugger reads every secret of its process: in staging and production there is none, and none can be opened. */
import { url } from 'node:inspector';
import type { AppEnv } from '../config.ts';

/**
 * Call first of all. Node opens its debugger on SIGUSR1 unless the signal has a listener (SPEC SEC-Z09).
 * @throws when the process was started with `--inspect`
 */
export function refuseDebugger(env: AppEnv): void {
  if (env === 'development' || env === 'test') return;
  if (url() !== undefined) throw new Error(`--inspect is not allowed in ${env}`);
  process.on('SIGUSR1', () => undefined);
}
