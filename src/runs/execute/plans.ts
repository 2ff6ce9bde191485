/** Compiled definitions, kept per worker by content hash: a definition is read and compiled once, not once per run. */
import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/client.ts';
import { compile } from '../../graph/plan.ts';
import type { Plan, PlanNode } from '../../graph/plan.ts';
import { roots } from '../../graph/roots.ts';
import { toSkeleton } from '../../graph/skeleton.ts';
import type { Skeleton } from '../../graph/skeleton.ts';
import type { JsonObject } from '../../graph/value.ts';
import { NodeError } from '../../nodes/kind.ts';
import { Patterns } from '../../nodes/pattern.ts';
import { kindOf, systemRules } from '../../nodes/registry.ts';

/** Plans kept; the least recently used goes first. */
const KEPT = 200;
/** Segments whose definition is remembered: some bytes each, several runs per plan and slot of the worker. */
const KEPT_SEGMENTS = 10_000;

export interface ReadyPlan {
  readonly plan: Plan;
  readonly nodeById: ReadonlyMap<string, PlanNode>;
  /** It has a node that may ask a question: an interrupt, or an agent whose tool calls people allow. */
  readonly asks: boolean;
  /** Parsed configs by node index. */
  readonly configs: readonly unknown[];
  /** Template roots by node index. */
  readonly roots: readonly (readonly string[])[];
  /** Of the conditions on its edges: compiled once, not once per visit. */
  readonly patterns: Patterns;
  /** The skeleton for a run with this recursion limit. */
  skeleton(recursionLimit: number): Skeleton;
}

function prepare(definition: JsonObject): ReadyPlan {
  const plan = compile(definition, systemRules);
  const skeletons = new Map<number, Skeleton>();
  return {
    plan,
    nodeById: new Map(plan.nodes.map((node) => [node.id, node])),
    asks: plan.nodes.some((node) => node.type === 'interrupt' || node.policy.asks === true),
    configs: plan.nodes.map((node) => {
      const parsed = kindOf(node.type).parse(node.config);
      return 'config' in parsed ? parsed.config : null;
    }),
    roots: plan.nodes.map((node) => roots(node, plan, systemRules)),
    patterns: new Patterns(),
    skeleton(recursionLimit) {
      const known = skeletons.get(recursionLimit) ?? toSkeleton(plan, recursionLimit);
      skeletons.set(recursionLimit, known);
      return known;
    },
  };
}

export class Plans {
  readonly #sql: Sql;
  readonly #kept = new LRUCache<string, ReadyPlan>({ max: KEPT });
  /** Hashes of definitions by run_pk: what a segment runs never changes. */
  readonly #hashes = new LRUCache<string, string>({ max: KEPT_SEGMENTS });

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** @throws NodeError `definition_missing` */
  async get(organizationId: string, hash: string): Promise<ReadyPlan> {
    const key = `${organizationId}:${hash}`;
    let ready = this.#kept.get(key);
    if (ready === undefined) {
      const rows = await this.#sql.query<{ definition: JsonObject }>(
        'SELECT definition FROM definitions WHERE organization_id = $1 AND hash = $2',
        [organizationId, hash],
      );
      const row = rows[0];
      if (row === undefined) throw new NodeError('definition_missing', 'The definition of the run is gone');
      ready = prepare(row.definition);
      this.#kept.set(key, ready);
    }
    return ready;
  }

  /**
   * The plan of a segment.
   * @returns null when the organization has no such segment
   * @throws NodeError `definition_missing`
   */
  async ofSegment(segment: {
    readonly organizationId: string;
    readonly runPk: string;
  }): Promise<ReadyPlan | null> {
    const { organizationId, runPk } = segment;
    const key = `${organizationId}:${runPk}`;
    let hash = this.#hashes.get(key);
    if (hash === undefined) {
      const rows = await this.#sql.query<{ hash: string }>(
        'SELECT definition_hash AS hash FROM runs WHERE id = $1 AND organization_id = $2',
        [runPk, organizationId],
      );
      hash = rows[0]?.hash;
      if (hash === undefined) return null;
      this.#hashes.set(key, hash);
    }
    return this.get(organizationId, hash);
  }
}
