/** Prints progress lines with the seconds since the start. */
import { systemClock } from '../clock.ts';

export type Say = (line: string) => void;

export function createProgress(out: NodeJS.WritableStream = process.stdout): Say {
  const startedMs = systemClock.monotonic();
  return (line) => {
    const seconds = ((systemClock.monotonic() - startedMs) / 1000).toFixed(1);
    out.write(`[${seconds.padStart(6)} s] ${line}\n`);
  };
}
