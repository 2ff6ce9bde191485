/** The answers to advances of runs that have ended, or are gone. */
import type { AdvanceInput, AdvanceResult, RunEnd } from './protocol.ts';

export const GONE: RunEnd = {
  status: 'failed',
  error: { code: 'run_missing', message: 'The run is gone', nodeId: null },
};

export const endOf = (status: RunEnd['status']): RunEnd => ({
  status,
  error: status === 'failed' ? { code: status, message: `The run is ${status}`, nodeId: null } : null,
});

/** The answer to an advance of a run that has ended. */
export function closed({ progress }: AdvanceInput, runPk: string, end: RunEnd): AdvanceResult {
  return { repeated: false, progress, runPk, maps: [], state: 'closed', ...end };
}
