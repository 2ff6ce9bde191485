/** Starts one Temporal development server, in memory, for the engine's tests (or uses TEMPORAL_ADDRESS). */
import './provided.ts';
import type { TestProject } from 'vitest/node';
import { createProgressPrinter } from '../../src/processes/local/progress.ts';
import { startTemporal } from '../../src/processes/local/temporal-server.ts';
import { share } from './shared-server.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, leave } = await share('temporal', async () => {
    const say = createProgressPrinter();
    say('Temporal: starting');
    const temporal = await startTemporal({ say, throwaway: true });
    say(`Temporal: ready at ${temporal.address}`);
    return temporal;
  });
  project.provide('temporalAddress', server.address);
  return leave;
}
