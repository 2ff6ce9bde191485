/** Resolves the entry of a worker thread. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Resolves the module of a thread that lies beside the caller's module.
 * @param moduleUrl the caller's `import.meta.url`
 * @param name the thread's file name without its extension
 * @returns a URL for `new Worker`; from source it registers the TypeScript loader, which threads do not inherit
 */
export function resolveThreadEntry(moduleUrl: string, name: string): URL {
  const extension = extname(fileURLToPath(moduleUrl));
  const entry = new URL(`./${name}${extension}`, moduleUrl);
  if (extension !== '.ts') return entry;
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const source = `import { register } from ${loader}; register(); await import(${JSON.stringify(entry.href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}
