/** What an extraction process may use, set by its own system before it starts: no supervisor has to live to hold it. */

/**
 * Heap, buffers and all. Without it a bomb of compressed zeros grows outside of the heap. Measured: from source, with
 * the thread of its loader, Node 24 does not start within 1 GiB.
 */
const MAX_MEMORY_KB = 1280 * 1024;
/** Time on the processor, over the wall's: what a worker that died leaves behind ends by itself. */
const MAX_CPU_SECONDS = 120;

/** The command to put before another one to bound it. Where a bound cannot be set, the rest holds all the same. */
export function bounded(): readonly string[] {
  if (process.platform === 'win32') return [];
  // No core files: they would hold the document.
  const limits = ['-c 0', `-d ${MAX_MEMORY_KB}`, `-t ${MAX_CPU_SECONDS}`];
  const script = [...limits.map((limit) => `ulimit ${limit} 2>/dev/null`), 'exec "$@"'].join('; ');
  return ['/bin/sh', '-c', script, 'sh'];
}
