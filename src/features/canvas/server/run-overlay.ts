/**
 * Shows runs on the canvas: broadcasts `run:progress` to the rooms of their workflows. The events are volatile; the run's
 * own stream is the record. Run events are read from the database once for all rooms of this process.
 */
import type { Sql } from '../../../base/db/client.ts';
import { listenTo } from '../../../base/db/listen.ts';
import { BoundedMap } from '../../../language/graph/values/bounded-map.ts';
import { findEventFacts, listStoredTypes, type EventType } from '../../../engine/runs/ledger/event-types.ts';
import { MAX_NODE_EVENTS, readNodeEvents } from '../../../engine/runs/ledger/read/event-reader.ts';
import { parseEventsNotice, RUN_EVENTS_CHANNEL } from '../../../engine/runs/ledger/write/events.ts';
import type { Logger } from '../../../base/log.ts';
import type { LiveRoom } from '../room/room-api.ts';
import type { RoomKey } from '../room/ports.ts';

const PULL_MS = 150;
/** Notices may be lost (db/notify-after-commit.ts), and after the last one of a run no other follows. */
const SWEEP_MS = 15_000;
/** Runs that one pull reads; a run beyond them is read at its next event. */
const MAX_DIRTY = 2_000;
/** Runs that are remembered at most: those of open rooms and all others count apart. */
const MAX_KNOWN = 10_000;

/** Statuses of nodes that have taken their edges. */
const ENDED_NODES: readonly string[] = ['completed', 'failed', 'skipped', 'reused'];
/** Last events of a run. */
const TERMINAL_EVENTS: readonly EventType[] = ['run_completed', 'run_failed', 'run_cancelled'];
const SHOWN_EVENTS = listStoredTypes(({ status }) => status !== undefined);

/** `run:progress`. */
export interface RunProgressEvent {
  readonly workflowId: string;
  readonly runId: string;
  /** Null: the run as a whole. */
  readonly nodeId: string | null;
  readonly status: string;
  readonly seq: number;
  /** Of a node that has ended: the handle whose edges were taken; null: none. */
  readonly selectedHandle?: string | null;
  /** The run_id of the segment that this one continues after an answer; absent in the first segment. */
  readonly resumedFromRunId?: string;
}

/** A private run is visible to its creator and the organization's owners, any other to all members. */
interface RunVisibility {
  readonly isPrivate: boolean;
  readonly createdBy: string | null;
}

interface RunOverlayDeps {
  readonly databaseUrl: string;
  readonly db: Sql;
  readonly log: Logger;
  live(): readonly LiveRoom[];
  show(key: RoomKey, progress: RunProgressEvent, visibility: RunVisibility): void;
}

interface KnownRun extends RunVisibility {
  readonly runPk: string;
  readonly runId: string;
  readonly organizationId: string;
  readonly workflowId: string;
  readonly resumedFromRunId: string | null;
  seq: number;
  hasEnded: boolean;
}

export class RunOverlay {
  readonly #deps: RunOverlayDeps;
  readonly #listener: { close(): Promise<void> };
  readonly #known = new BoundedMap<string, KnownRun>(MAX_KNOWN);
  readonly #dirty = new Set<string>();
  /** Runs of none of the workflows in `#openWorkflows`: not queried again until another room opens. */
  readonly #irrelevant = new Set<string>();
  #openWorkflows: ReadonlySet<string> = new Set();
  readonly #sweeper: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: RunOverlayDeps) {
    this.#deps = deps;
    this.#listener = listenTo(deps.databaseUrl, RUN_EVENTS_CHANNEL, {
      onMessage: (message) => this.#markDirty(parseEventsNotice(message).runPk),
      onConnect: () => this.#sweep(),
      onLost: (error) => deps.log.warn({ err: error }, 'the connection that listens for runs was lost'),
    });
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    clearTimeout(this.#timer);
    this.#dirty.clear();
    await this.#listener.close();
  }

  #markDirty(runPk: string): void {
    if (this.#dirty.size >= MAX_DIRTY || this.#deps.live().length === 0) return;
    this.#dirty.add(runPk);
    this.#pullSoon();
  }

  /** Marks the unfinished runs of live rooms, in case a notice was lost. */
  #sweep(): void {
    const live = new Set(this.#deps.live().map((room) => room.workflowId));
    for (const { runPk, workflowId, hasEnded } of this.#known.values()) {
      if (!hasEnded && live.has(workflowId)) this.#dirty.add(runPk);
    }
    this.#pullSoon();
  }

  #pullSoon(): void {
    if (this.#dirty.size > 0) this.#timer ??= setTimeout(() => void this.#pull(), PULL_MS).unref();
  }

  async #pull(): Promise<void> {
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    try {
      const rooms = new Map(this.#deps.live().map((room) => [room.workflowId, room]));
      await this.#loadRuns(dirty, rooms);
      const followed = dirty.flatMap((runPk) => {
        const run = this.#known.get(runPk);
        const room = rooms.get(run?.workflowId ?? '');
        // The organization is compared too, so that no run is shown in another organization.
        return run !== undefined && room?.organizationId === run.organizationId ? [{ run, room }] : [];
      });
      if (followed.length > 0) await this.#showProgress(followed);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the progress of runs could not be read');
    } finally {
      this.#timer = undefined;
      this.#pullSoon();
    }
  }

  /**
   * Loads the runs that belong to open rooms, and remembers the others as irrelevant. A run of the Composer is one of those:
   * it walks another graph than the workflow that it is about.
   */
  async #loadRuns(runPks: readonly string[], rooms: ReadonlyMap<string, LiveRoom>): Promise<void> {
    const areKnown = [...rooms.keys()].every((workflowId) => this.#openWorkflows.has(workflowId));
    if (!areKnown || this.#irrelevant.size > MAX_KNOWN) this.#irrelevant.clear();
    this.#openWorkflows = new Set(rooms.keys());
    const unknown = runPks.filter((runPk) => !this.#known.has(runPk) && !this.#irrelevant.has(runPk));
    if (unknown.length === 0 || rooms.size === 0) return;
    const open = [...rooms.values()];
    const rows = await this.#deps.db.query<Omit<KnownRun, 'seq' | 'hasEnded'>>(
      `SELECT id AS "runPk", run_id AS "runId", organization_id AS "organizationId", workflow_id AS "workflowId",
              is_private AS "isPrivate", created_by AS "createdBy",
              (SELECT before.run_id FROM runs before WHERE before.id = runs.resumed_from_run_pk) AS "resumedFromRunId"
       FROM runs JOIN unnest($2::uuid[], $3::uuid[]) AS open (organization_id, workflow_id)
         USING (organization_id, workflow_id)
       WHERE id = ANY($1::uuid[]) AND workflow_source NOT LIKE 'system:%'`,
      [unknown, open.map((room) => room.organizationId), open.map((room) => room.workflowId)],
    );
    for (const runPk of unknown) this.#irrelevant.add(runPk);
    for (const row of rows) {
      this.#irrelevant.delete(row.runPk);
      this.#known.set(row.runPk, { ...row, seq: 0, hasEnded: false });
    }
  }

  async #showProgress(
    followed: readonly { readonly run: KnownRun; readonly room: LiveRoom }[],
  ): Promise<void> {
    const byPk = new Map(followed.map((one) => [one.run.runPk, one]));
    const rows = await readNodeEvents(
      this.#deps.db,
      followed.map(({ run }) => run),
      SHOWN_EVENTS,
    );
    for (const { runPk, seq, type, nodeId, selectedHandle } of rows) {
      const found = byPk.get(runPk);
      if (found === undefined) continue;
      const { run, room } = found;
      run.seq = seq;
      run.hasEnded ||= TERMINAL_EVENTS.includes(type);
      const { status, of } = findEventFacts(type);
      if (status === undefined) continue;
      const { workflowId } = room;
      const isOfRun = of === 'run';
      const shownNode = isOfRun ? null : nodeId;
      const taken = !isOfRun && ENDED_NODES.includes(status) ? { selectedHandle } : {};
      // Every event names the continued segment, because an event may be lost.
      const continued = run.resumedFromRunId === null ? {} : { resumedFromRunId: run.resumedFromRunId };
      this.#deps.show(
        room,
        { workflowId, runId: run.runId, nodeId: shownNode, status, seq, ...taken, ...continued },
        run,
      );
    }
    // The page was full: the next pull reads the rest.
    if (rows.length === MAX_NODE_EVENTS) for (const { run } of followed) this.#dirty.add(run.runPk);
  }
}
