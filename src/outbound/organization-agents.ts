/**
 * Kept connections for requests that may be made twice. Each organization has its own: what a tenant's server does to a
 * connection must not reach another tenant.
 */
import { LRUCache } from 'lru-cache';
import type { Agent } from 'undici';
import { guardedAgent } from './guarded-agent.ts';
import type { Resolve } from './guarded-agent.ts';

/** Organizations with connections; who has called nothing for the longest time loses them first. A guess. */
const MAX_ORGANIZATIONS = 500;

export class OrganizationAgents {
  readonly #agents: LRUCache<string, Agent>;
  readonly #open: () => Agent;

  /** @param exempt `host:port` entries, as in OUTBOUND_ALLOW */
  constructor(exempt: readonly string[], resolveAll?: Resolve) {
    this.#open = () => guardedAgent(exempt, true, resolveAll).agent;
    this.#agents = new LRUCache({
      max: MAX_ORGANIZATIONS,
      // Requests under way are seen to their end.
      dispose: (agent) => void agent.close(),
    });
  }

  /** The agent of an organization. Use it at once: it is closed when others need the place. */
  of(organizationId: string): Agent {
    const known = this.#agents.get(organizationId);
    if (known !== undefined) return known;
    const agent = this.#open();
    this.#agents.set(organizationId, agent);
    return agent;
  }

  /** Ends all connections, and the requests on them. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }
}
