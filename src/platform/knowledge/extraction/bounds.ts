/** Resource limits of an extraction process. The operating system enforces them, so they hold even if the worker dies. */

/**
 * Total data size: a decompression bomb would otherwise grow outside the heap. Measured: from source, with its loader
 * thread, Node 24 does not start within 1 GiB.
 */
const MAX_MEMORY_KB = 1280 * 1024;
/** CPU time above the wall-clock timeout, so that a process whose worker died ends by itself. */
const MAX_CPU_SECONDS = 120;

/** @returns the command prefix that sets the limits; an unsupported limit does not affect the others */
export function limitCommand(): readonly string[] {
  if (process.platform === 'win32') return [];
  // No core files, which would contain the document.
  const limits = ['-c 0', `-d ${MAX_MEMORY_KB}`, `-t ${MAX_CPU_SECONDS}`];
  const script = [...limits.map((limit) => `ulimit ${limit} 2>/dev/null`), 'exec "$@"'].join('; ');
  return ['/bin/sh', '-c', script, 'sh'];
}
