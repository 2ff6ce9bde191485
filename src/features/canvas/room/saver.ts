/**
 * Saves a room. One store call at a time; a save is a compare-and-set on edit_version, and an external save in between
 * becomes the new base, on which the unsaved operations are applied again.
 */
import { readDocument, writeDocument } from './document.ts';
import type { ExternalSaveNotice } from './room-api.ts';
import { mergeExternal, attributeSave } from './external-saves.ts';
import type { OpLog } from './op-log.ts';
import type { Timer } from '../../../base/clock.ts';
import type { ExternalState, RoomPorts, SaveResult } from './ports.ts';
import type { ReplayResult } from './replay.ts';
import { prepareAttempt, toSaveRequest, type SaveAttempt, type SavedBase } from './save-attempt.ts';
import { SaveBroadcasts, type SaveHost } from './save-broadcasts.ts';
import { replayInSlices } from './sliced-replay.ts';
import { UnsavedOps, type UnsavedOp } from './unsaved-ops.ts';

/** "roughly every two seconds" (SPEC API-version-planes), with 10 % jitter so that rooms do not save in step. */
const TICK_MS = 2_000;
const JITTER = 0.1;
const MIN_GAP_MS = 500;
/** A REST client that saves in a loop wins every race: after this many lost races the tick backs off (SPEC CAN-R26). */
const LOSSES_BEFORE_BACKOFF = 20;
const MAX_TICK_MS = 8_000;
/** Delay after the database rejected the document: it will most likely reject it again. */
const REJECTED_TICK_MS = 30_000;
const MAX_FLUSH_TRIES = 8;

type Outcome = 'clean' | 'saved' | 'overtaken' | 'failed' | 'ended';

export class Saver {
  readonly #host: SaveHost;
  readonly #ports: RoomPorts;
  readonly #opLog: OpLog;
  readonly #unsaved = new UnsavedOps();
  readonly #broadcasts: SaveBroadcasts;
  readonly #tickMs: number;
  #base: SavedBase;
  #savedThrough: number;
  /** An external save that one of our attempts collided with; adopted by the next attempt that succeeds. */
  #external: ExternalState | null = null;
  /** Attempts without an answer: the store may have committed any one of them. */
  #unanswered: SaveAttempt[] = [];
  #losses = 0;
  #failures = 0;
  #lastTryAt = -Infinity;
  #timer: Timer | null = null;
  /** Set while saves fail or are unanswered: fires when the oldest unsaved operation passes its deadline. */
  #degradeTimer: Timer | null = null;
  #isEarly = false;
  #lastTask: Promise<unknown> = Promise.resolve();
  #isEnded = false;

  constructor(
    host: SaveHost,
    { ports, opLog }: { readonly ports: RoomPorts; readonly opLog: OpLog },
    base: SavedBase,
  ) {
    this.#host = host;
    this.#ports = ports;
    this.#opLog = opLog;
    this.#broadcasts = new SaveBroadcasts(host, ports);
    this.#base = base;
    this.#savedThrough = base.editVersion;
    this.#tickMs = TICK_MS * (1 - JITTER + 2 * JITTER * ports.clock.random());
  }

  get editVersion(): number {
    return this.#base.editVersion;
  }

  get savedThrough(): number {
    return this.#savedThrough;
  }

  get unsavedOps(): number {
    return this.#unsaved.count;
  }

  get isDirty(): boolean {
    return this.#savedThrough < this.#host.version || this.#external !== null;
  }

  get isDegraded(): boolean {
    return this.#broadcasts.isDegraded;
  }

  /** Adds an accepted operation. The first one starts the tick; later ones do not move it. */
  push(op: UnsavedOp): void {
    this.#unsaved.push(op);
    if (this.#unsaved.isFull) this.#broadcasts.broadcastDegraded(this.#unsaved.count);
    if (this.#unsaved.isSaveDue && !this.#isEarly && this.#failures === 0 && this.#losses === 0) {
      this.#isEarly = true;
      this.#disarm();
      this.#arm(Math.max(0, this.#lastTryAt + MIN_GAP_MS - this.#ports.clock.monotonic()));
    } else this.#arm(this.#tickMs);
  }

  /** Saves all operations accepted before the call. @returns whether all of them are saved */
  async flush(): Promise<boolean> {
    const target = this.#host.version;
    for (let tries = 0; tries < MAX_FLUSH_TRIES; tries += 1) {
      if (this.#savedThrough >= target || !this.isDirty) return true;
      const outcome = await this.#exclusive(() => this.#save());
      if (outcome === 'failed' || outcome === 'ended') return false;
    }
    return this.#savedThrough >= target;
  }

  /** Adopts an announced external save immediately, unless it is our own or already known. */
  async handleExternalSave(hint: ExternalSaveNotice): Promise<void> {
    await this.#exclusive(async () => {
      if (this.#isEnded || hint.editVersion <= this.#base.editVersion) return;
      if (this.#external === null || this.#external.editVersion < hint.editVersion) {
        // An unanswered attempt may be based on the external state seen before, so the history is read from there.
        const since = (this.#external ?? this.#base).editVersion;
        const state = await this.#ports.store.readExternal(this.#host.key, since);
        if (this.#isEnded) return;
        if (state === null) return this.#end('deleted');
        if (state.editVersion <= since) return;
        await this.#handleLostRace(state);
      }
      if (this.#external !== null) await this.#adoptExternal(attributeSave(this.#external, hint), hint);
    }).catch((error: unknown) => {
      // The next save collides with it and reads it then.
      this.#ports.log.warn({ err: error, ...this.#host.key }, 'an external save could not be read');
    });
  }

  /** Stops timers; unsaved operations stay in the log. */
  dispose(): void {
    this.#isEnded = true;
    this.#disarm();
    this.#cancelDegrade();
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastTask.then(work);
    this.#lastTask = result.catch(() => undefined);
    return result;
  }

  #arm(ms: number): void {
    if (this.#timer !== null || this.#isEnded) return;
    this.#timer = this.#ports.clock.setTimeout(() => {
      this.#timer = null;
      this.#exclusive(() => this.#save()).catch((error: unknown) => {
        this.#ports.log.error({ err: error, ...this.#host.key }, 'a save failed unexpectedly');
        this.#arm(MAX_TICK_MS);
      });
    }, ms);
  }

  #disarm(): void {
    if (this.#timer !== null) this.#ports.clock.clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #save(): Promise<Outcome> {
    if (this.#isEnded) return 'ended';
    if (!this.isDirty) return 'clean';
    const room = { workflowId: this.#host.key.workflowId, epoch: this.#host.epoch };
    if (this.#ports.clock.monotonic() < this.#unsaved.deadline) this.#scheduleDegrade();
    await this.#opLog.pause(room);
    try {
      const outcome = await this.#attempt();
      // Operations accepted during the save wait for the next tick.
      if (this.isDirty) this.#arm(this.#nextTickMs());
      return outcome;
    } finally {
      this.#opLog.resume(room);
    }
  }

  #nextTickMs(): number {
    const patience = Math.max(0, this.#losses - LOSSES_BEFORE_BACKOFF + 1);
    return Math.min(this.#tickMs * 2 ** Math.min(patience, 4), MAX_TICK_MS);
  }

  async #attempt(): Promise<Outcome> {
    if (this.#isEnded) return 'ended';
    this.#isEarly = false;
    this.#disarm();
    this.#lastTryAt = this.#ports.clock.monotonic();
    const { document, version } = this.#host;
    const ops = this.#unsaved.ops;
    if (ops.length === 0 && this.#external !== null) {
      await this.#adoptExternal(this.#external, null);
      return 'saved';
    }
    const { lastAuthor } = this.#unsaved;
    const attempt = await prepareAttempt(
      this.#ports,
      { document, version, base: this.#base, external: this.#external, ops, lastAuthor },
      this.#ports.clock.newId(),
    );
    if (this.#isEnded) return 'ended';
    try {
      const result = await this.#submit(attempt);
      return this.#isEnded ? 'ended' : await this.#conclude(attempt, result);
    } catch (error) {
      return this.#isEnded ? 'ended' : this.#fail(error);
    }
  }

  async #submit(attempt: SaveAttempt): Promise<SaveResult> {
    const { key, epoch } = this.#host;
    // While an attempt is unanswered, only another compare-and-set tells whether it was committed.
    if (attempt.patches.length === 0 && this.#unanswered.length === 0) {
      const editVersion = attempt.baseEditVersion;
      await this.#ports.store.markOpsSaved(key, {
        epoch,
        through: attempt.savedThrough,
        savedIn: editVersion,
      });
      return { outcome: 'saved', editVersion };
    }
    this.#unanswered.push(attempt);
    return this.#ports.store.save(toSaveRequest(key, epoch, attempt));
  }

  #fail(error: unknown): Outcome {
    this.#failures += 1;
    this.#ports.log.warn({ err: error, ...this.#host.key, failures: this.#failures }, 'a save failed');
    this.#scheduleDegrade();
    return 'failed';
  }

  /** Degrades at the deadline itself: an unanswered attempt may hang for seconds after it. */
  #scheduleDegrade(): void {
    this.#cancelDegrade();
    const { clock } = this.#ports;
    const left = Math.ceil(this.#unsaved.deadline - clock.monotonic());
    if (left <= 0 || this.#unsaved.isFull) this.#broadcasts.broadcastDegraded(this.#unsaved.count);
    else if (left < Infinity) this.#degradeTimer = clock.setTimeout(() => this.#scheduleDegrade(), left);
  }

  #cancelDegrade(): void {
    if (this.#degradeTimer !== null) this.#ports.clock.clearTimeout(this.#degradeTimer);
    this.#degradeTimer = null;
  }

  async #conclude(attempt: SaveAttempt, result: SaveResult): Promise<Outcome> {
    this.#cancelDegrade();
    switch (result.outcome) {
      case 'saved':
        await this.#completeSave(attempt, result.editVersion);
        return 'saved';
      case 'external':
        this.#losses += 1;
        return this.#handleLostRace(result);
      case 'lease-lost':
        this.#end('moved');
        return 'ended';
      case 'row-gone':
        this.#end('deleted');
        return 'ended';
      case 'refused':
        this.#ports.log.error({ ...this.#host.key, reason: result.reason }, 'the document was rejected');
        this.#unanswered = this.#unanswered.filter((other) => other !== attempt);
        this.#failures += 1;
        this.#broadcasts.broadcastDegraded(this.#unsaved.count);
        this.#arm(REJECTED_TICK_MS);
        return 'failed';
    }
  }

  /** Handles an unexpected edit_version: either an unanswered attempt of ours was committed, or somebody else saved. */
  async #handleLostRace(state: ExternalState): Promise<Outcome> {
    const [first, ...others] = state.entries;
    const own = this.#unanswered.find((attempt) => attempt.historyId === first?.historyId);
    if (own !== undefined && first !== undefined) {
      const { key, epoch } = this.#host;
      // Operations that this save contains may have been logged after it, and would look unsaved.
      await this.#ports.store.markOpsSaved(key, {
        epoch,
        through: own.savedThrough,
        savedIn: first.editVersion,
      });
      if (this.#isEnded) return 'ended';
      await this.#completeSave(own, first.editVersion);
      if (this.#isEnded) return 'ended';
      if (others.length === 0) return 'saved';
    }
    this.#unanswered = [];
    this.#external = mergeExternal(this.#external, own === undefined ? state : { ...state, entries: others });
    return 'overtaken';
  }

  /** Records a committed attempt, and adopts the external save it was based on, if any. */
  async #completeSave(attempt: SaveAttempt, editVersion: number): Promise<void> {
    const listLater = (): readonly UnsavedOp[] =>
      this.#unsaved.ops.filter((op) => op.version > attempt.savedThrough);
    if (attempt.external === null) return this.#recordSave({ attempt, editVersion }, listLater(), null);
    await replayInSlices(this.#ports, { base: attempt.document, list: listLater }, (merged) => {
      if (!this.#isEnded) this.#recordSave({ attempt, editVersion }, merged.kept, merged);
    });
  }

  /** @param merged the document with the external save that the attempt was based on; null without one */
  #recordSave(
    { attempt, editVersion }: { readonly attempt: SaveAttempt; readonly editVersion: number },
    later: readonly UnsavedOp[],
    merged: ReplayResult<UnsavedOp> | null,
  ): void {
    const isNoop = editVersion === attempt.baseEditVersion;
    this.#unanswered = [];
    this.#losses = 0;
    const unchanged = attempt.external?.document ?? this.#base.document;
    this.#base = { editVersion, document: isNoop ? unchanged : writeDocument(attempt.document) };
    this.#savedThrough = attempt.savedThrough;
    this.#unsaved.replace(later);
    if (attempt.external !== null && merged !== null) {
      this.#external = null;
      const dropped = [...attempt.dropped, ...merged.dropped];
      this.#broadcasts.adoptExternal(attempt.external, { document: merged.document, dropped }, null);
    }
    this.#opLog.markSaved(
      { workflowId: this.#host.key.workflowId, epoch: this.#host.epoch },
      this.#savedThrough,
      editVersion,
    );
    this.#failures = 0;
    const { userId } = attempt;
    this.#broadcasts.broadcastSaved(
      { editVersion, savedThrough: this.#savedThrough, userId, isNoop },
      this.#unsaved.count,
    );
  }

  /** Makes an external save the new base and applies the unsaved operations on top. */
  async #adoptExternal(external: ExternalState, hint: ExternalSaveNotice | null): Promise<void> {
    const input = { base: readDocument(external.document), list: () => this.#unsaved.ops };
    await replayInSlices(this.#ports, input, (merged) => {
      if (this.#isEnded) return;
      // An unanswered attempt based on it may still have been committed. The broadcast below covers its external part.
      this.#unanswered = this.#unanswered.flatMap((attempt) =>
        attempt.baseEditVersion === external.editVersion ? { ...attempt, external: null, dropped: [] } : [],
      );
      this.#external = null;
      this.#base = { editVersion: external.editVersion, document: external.document };
      this.#unsaved.replace(merged.kept);
      this.#broadcasts.adoptExternal(external, merged, hint);
      if (this.isDirty) this.#arm(this.#tickMs);
    });
  }

  #end(reason: 'moved' | 'deleted'): void {
    this.dispose();
    this.#host.end(reason);
  }
}
