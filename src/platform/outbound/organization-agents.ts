/**
 * Kept connections per organization, for requests that may be repeated. They are not shared, because a tenant's server must
 * not be able to affect another tenant's requests.
 */
import { LRUCache } from 'lru-cache';
import type { Agent } from 'undici';
import { createGuardedAgent } from './guarded-agent.ts';
import type { Resolve } from './guarded-agent.ts';

/** Organizations with kept connections; the least recently used loses them first. A guess. */
const MAX_ORGANIZATIONS = 500;

export class OrganizationAgents {
  readonly #agents: LRUCache<string, Agent>;
  readonly #open: () => Agent;

  /** @param exempt `host:port` entries, as in OUTBOUND_ALLOW */
  constructor(exempt: readonly string[], resolveAll?: Resolve) {
    this.#open = () => createGuardedAgent(exempt, { keepAlive: true }, resolveAll).agent;
    this.#agents = new LRUCache({
      max: MAX_ORGANIZATIONS,
      // `close` lets running requests finish.
      dispose: (agent) => void agent.close(),
    });
  }

  /** Returns the agent of an organization. Use it immediately: eviction closes it. */
  get(organizationId: string): Agent {
    const known = this.#agents.get(organizationId);
    if (known !== undefined) return known;
    const agent = this.#open();
    this.#agents.set(organizationId, agent);
    return agent;
  }

  /** Closes all connections and aborts their requests. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }
}
