/** Compiled definitions, kept per worker by content hash: a definition is read and compiled once, not once per run. */
import { LRUCache } from 'lru-cache';
import type { Sql } from '../../../base/db/client.ts';
import { NO_REDACTION, Redaction } from '../../../language/graph/redaction/redaction.ts';
import { NodeError } from '../../../language/nodes/kind.ts';
import { readDefinition } from '../ledger/write/definitions.ts';
import { readSegment, type Segment, type SegmentKey } from '../ledger/write/segments.ts';
import { prepareDefinition, type ReadyPlan } from '../walk/ready-plan.ts';

/** The most cached plans; the least recently used one is dropped. */
const KEPT = 200;
/** Segments that are remembered: some hundred bytes each, several for each slot of the worker. */
const KEPT_SEGMENTS = 5_000;

export class Plans {
  readonly #kept = new LRUCache<string, ReadyPlan>({ max: KEPT });
  /** By run_pk: but for its status a segment never changes. */
  readonly #segments = new LRUCache<string, Segment>({ max: KEPT_SEGMENTS });

  /** By their paths. */
  readonly #redactions = new LRUCache<string, Redaction>({ max: KEPT });

  /**
   * Returns the compiled definition of a run.
   * @param sql the caller's transaction, if it has one: whoever waits for a second connection of the pool may wait for himself
   * @throws NodeError `definition_missing`
   */
  async get(
    sql: Sql,
    { organizationId, definitionHash: hash }: Pick<Segment, 'organizationId' | 'definitionHash'>,
  ): Promise<ReadyPlan> {
    const key = `${organizationId}:${hash}`;
    let ready = this.#kept.get(key);
    if (ready === undefined) {
      const definition = await readDefinition(sql, organizationId, hash);
      if (definition === null)
        throw new NodeError('definition_missing', 'The definition of the run no longer exists');
      ready = prepareDefinition(definition);
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
    sql: Sql,
    key: SegmentKey,
  ): Promise<{ readonly segment: Segment; readonly ready: ReadyPlan } | null> {
    const known = this.#segments.get(key.runPk);
    const segment = known?.organizationId === key.organizationId ? known : await readSegment(sql, key);
    if (segment === null) return null;
    this.#segments.set(key.runPk, segment);
    return { segment, ready: await this.get(sql, segment) };
  }

  /** Returns the redaction of a run: its paths are compiled once per worker. */
  getRedaction({ redactedPaths }: Pick<Segment, 'redactedPaths'>): Redaction {
    if (redactedPaths === null) return NO_REDACTION;
    const key = JSON.stringify(redactedPaths);
    const known = this.#redactions.get(key) ?? new Redaction(redactedPaths);
    this.#redactions.set(key, known);
    return known;
  }

  /** Remembers a segment that was read. */
  rememberSegment(segment: Segment): void {
    this.#segments.set(segment.runPk, segment);
  }
}
