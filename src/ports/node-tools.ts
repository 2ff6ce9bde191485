/** Builds what nodes see of the outside world; the worker does this once. */
import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import type { Logger } from '../log.ts';
import type { NodeTools } from '../nodes/tools.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { guardedAgent } from './guarded-agent.ts';
import { guardedHttp } from './guarded-http.ts';
import { threadMemory } from './memory.ts';
import type { CredentialPort } from './models.ts';
import { models } from './models.ts';
import { matches } from './patterns.ts';

/** Until organizations can store credentials, none of them is found. */
const noCredentials: CredentialPort = { modelCredential: () => Promise.resolve(null) };

/** The ports of a worker; `close` ends the sandbox process and the connections. */
export async function buildNodeTools(deps: {
  readonly config: Pick<Config, 'managedLlm' | 'outboundAllow'>;
  readonly db: Pick<Db, 'query'>;
  readonly log: Logger;
}): Promise<NodeTools & { close(): Promise<void> }> {
  // A connection for each request: what a tenant's server does to a connection must not reach another tenant.
  const outbound = guardedAgent(deps.config.outboundAllow, false);
  const modelPort = models(deps.config, noCredentials);
  const sandbox = await startSandbox(deps.log);
  return {
    http: guardedHttp(outbound),
    models: modelPort,
    sandbox,
    memory: threadMemory(deps.db),
    matches,
    async close() {
      await Promise.all([sandbox.close(), modelPort.close(), outbound.agent.destroy()]);
    },
  };
}
