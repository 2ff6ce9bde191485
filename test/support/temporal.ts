/** The Temporal server of the engine's tests. It is shared: give each test file a task queue of its own. */
import './provided.ts';
import { inject } from 'vitest';

/** The server's address, namespace `default`. */
export function testTemporal(): { readonly address: string } {
  return { address: inject('temporalAddress') };
}
