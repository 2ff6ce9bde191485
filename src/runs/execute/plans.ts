/** Compiled definitions, kept per worker by content hash: a definition is read and compiled once, not once per run. */
import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/client.ts';
import { compile } from '../../graph/plan.ts';
import type { Plan, PlanNode } from '../../graph/plan.ts';
import { listRoots } from '../../graph/roots.ts';
import { toSkeleton } from '../../graph/skeleton.ts';
import type { Skeleton } from '../../graph/skeleton.ts';
import type { JsonObject } from '../../graph/value.ts';
import { readSegment, type Segment, type SegmentKey } from '../ledger/segments.ts';

import { NodeError } from '../../nodes/kind.ts';
import { Patterns } from '../../nodes/pattern.ts';
import { getKind, systemRules } from '../../nodes/registry.ts';

/** The most cached plans; the least recently used one is dropped. */
const KEPT = 200;
/** Segments that are remembered: some hundred bytes each, several for each slot of the worker. */
const KEPT_SEGMENTS = 5_000;

export interface ReadyPlan {
  readonly plan: Plan;
  readonly nodeById: ReadonlyMap<string, PlanNode>;
  /** It has a node that may open a question: an interrupt, or an agent with a tool that needs approval. */
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
      const parsed = getKind(node.type).parse(node.config);
      return 'config' in parsed ? parsed.config : null;
    }),
    roots: plan.nodes.map((node) => listRoots(node, plan, systemRules)),
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
  /** By run_pk: but for its status a segment never changes. */
  readonly #segments = new LRUCache<string, Segment>({ max: KEPT_SEGMENTS });

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
      if (row === undefined)
        throw new NodeError('definition_missing', 'The definition of the run no longer exists');
      ready = prepare(row.definition);
      this.#kept.set(key, ready);
    }
    return ready;
  }

  /**
   * A segment and its plan, as a task names it. The segment is remembered: its status may have changed since.
   * @returns null when the organization has no such segment
   * @throws NodeError `definition_missing`
   */
  async getForSegment(
    key: SegmentKey,
  ): Promise<{ readonly segment: Segment; readonly ready: ReadyPlan } | null> {
    const known = this.#segments.get(key.runPk);
    const segment = known?.organizationId === key.organizationId ? known : await readSegment(this.#sql, key);
    if (segment === null) return null;
    this.#segments.set(key.runPk, segment);
    return { segment, ready: await this.get(segment.organizationId, segment.definitionHash) };
  }

  /** Remembers a segment that was read. */
  rememberSegment(segment: Segment): void {
    this.#segments.set(segment.runPk, segment);
  }
}
