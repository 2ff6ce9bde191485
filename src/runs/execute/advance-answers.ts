/** Answers to advances: of runs that have ended or are gone, and what a run that goes on leaves to the interpreter. */
import type { AdvanceInput, AdvanceResult, AgentResumed, MapStarted, OpenCall, RunEnd } from './protocol.ts';

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

/** What the advances of a stretch leave to the interpreter, beside the calls that are under way. */
export interface Left {
  readonly maps: readonly MapStarted[];
  readonly resumed: readonly AgentResumed[];
  readonly retries: readonly OpenCall[];
}

export const countOf = ({ maps, resumed, retries }: Left): number =>
  maps.length + resumed.length + retries.length;

export const leftIn = ({ maps, resumed = [], calls = [] }: AdvanceResult): Left => ({
  maps,
  resumed,
  retries: calls.filter(({ retryInMs }) => retryInMs !== null),
});
