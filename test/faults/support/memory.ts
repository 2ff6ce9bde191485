/** How much memory a process takes while something happens; for figures, because it depends on the collector's mood. */
import { readFileSync } from 'node:fs';

/** Resident memory in MiB; NaN where the system does not tell (it is no Linux). */
function residentMib(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Looks until it is asked. @returns tells by how many MiB the process has been above its beginning */
export function watchMemory(pid: number | null): () => number {
  const now = (): number => (pid === null ? Number.NaN : residentMib(pid));
  const first = now();
  let peak = first;
  const timer = setInterval(() => (peak = Math.max(peak, now())), 50);
  return () => {
    clearInterval(timer);
    return Math.max(peak, now()) - first;
  };
}
