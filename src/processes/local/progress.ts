/** Progress of a program that takes seconds: lines with the time since its start. */
import { systemClock } from '../../base/clock.ts';

export type PrintLine = (line: string) => void;

/** Creates a function that prints a line after the seconds since this call. */
export function createProgressPrinter(out: NodeJS.WritableStream = process.stdout): PrintLine {
  const startedMs = systemClock.monotonic();
  return (line) => {
    const seconds = ((systemClock.monotonic() - startedMs) / 1000).toFixed(1);
    out.write(`[${seconds.padStart(6)} s] ${line}\n`);
  };
}
