/**
 * When and how a room is saved. One conversation with the store at a time; a save is a compare-and-set on
 * edit_version, and somebody else's save in between becomes the new base without any client noticing the lost try.
 */
import { readDocument, writeDocument, type CanvasDocument } from './document.ts';
import type { ExternalHint } from './room-api.ts';
import { externalEvents, joinExternal, withHint } from './external.ts';
import type { OpLog } from './op-log.ts';
import type { Timer } from '../../clock.ts';
import type { ExternalState, RoomPorts, SaveResult } from './ports.ts';
import { replay, type Dropped } from './replay.ts';
import { prepareAttempt, requestOf, type SaveAttempt, type SavedBase } from './save-attempt.ts';
import { SaveNews, type SaveHost } from './save-news.ts';
import { Unsaved, type UnsavedOp } from './unsaved.ts';

/** "roughly every two seconds" (SPEC API-version-planes), spread by a tenth so that rooms do not march. */
const TICK_MS = 2_000;
const JITTER = 0.1;
const MIN_GAP_MS = 500;
/** A REST client that saves in a loop wins every time: after so many lost tries they become rarer (SPEC CAN-R26). */
const PATIENT_LOSSES = 20;
const MAX_TICK_MS = 8_000;
/** A document that the database refuses will be refused again: rarely, and never in a loop. */
const REFUSED_TICK_MS = 30_000;
const MAX_FLUSH_TRIES = 8;

/** The document on top of a foreign save, and the operations that found no place there. */
interface Merged {
  readonly document: CanvasDocument;
  readonly dropped: readonly Dropped[];
}

type Outcome = 'clean' | 'saved' | 'overtaken' | 'failed' | 'ended';

export class Saver {
  readonly #host: SaveHost;
  readonly #ports: RoomPorts;
  readonly #opLog: OpLog;
  readonly #unsaved = new Unsaved();
  readonly #news: SaveNews;
  readonly #tickMs: number;
  #base: SavedBase;
  #savedThrough: number;
  /** Somebody else's save that a try of ours ran into; taken over with the next one that succeeds. */
  #external: ExternalState | null = null;
  /** Tries whose answer never came: the store may have done any of them. */
  #open: SaveAttempt[] = [];
  #losses = 0;
  #failures = 0;
  #lastTryAt = -Infinity;
  #timer: Timer | null = null;
  /** Set while the store owes an answer: when the oldest operation has waited too long. */
  #patience: Timer | null = null;
  #isEarly = false;
  #turn: Promise<unknown> = Promise.resolve();
  #isEnded = false;

  constructor(
    host: SaveHost,
    { ports, opLog }: { readonly ports: RoomPorts; readonly opLog: OpLog },
    base: SavedBase,
  ) {
    this.#host = host;
    this.#ports = ports;
    this.#opLog = opLog;
    this.#news = new SaveNews(host, ports);
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
    return this.#news.isDegraded;
  }

  /** An operation was accepted. The first one arms the tick and later ones do not move it. */
  push(op: UnsavedOp): void {
    this.#unsaved.push(op);
    if (this.#unsaved.isFull) this.#news.degraded(this.#unsaved.count);
    if (this.#unsaved.isMany && !this.#isEarly && this.#failures === 0 && this.#losses === 0) {
      this.#isEarly = true;
      this.#disarm();
      this.#arm(Math.max(0, this.#lastTryAt + MIN_GAP_MS - this.#ports.clock.monotonic()));
    } else this.#arm(this.#tickMs);
  }

  /** Saves now what was accepted before the call. @returns whether all of it is saved */
  async flush(): Promise<boolean> {
    const target = this.#host.version;
    for (let tries = 0; tries < MAX_FLUSH_TRIES; tries += 1) {
      if (this.#savedThrough >= target || !this.isDirty) return true;
      const outcome = await this.#exclusive(() => this.#save());
      if (outcome === 'failed' || outcome === 'ended') return false;
    }
    return this.#savedThrough >= target;
  }

  /** Somebody else's save was announced: taken over at once, unless it is our own or known. */
  async external(hint: ExternalHint): Promise<void> {
    await this.#exclusive(async () => {
      if (this.#isEnded || hint.editVersion <= this.#base.editVersion) return;
      if (this.#external === null || this.#external.editVersion < hint.editVersion) {
        // A try without an answer may stand on top of what was met before: it is looked for from there.
        const since = (this.#external ?? this.#base).editVersion;
        const state = await this.#ports.store.readExternal(this.#host.key, since);
        if (this.#isEnded) return;
        if (state === null) return this.#end('deleted');
        if (state.editVersion <= since) return;
        await this.#meet(state);
      }
      if (this.#external !== null) this.#takeOver(withHint(this.#external, hint), hint);
    }).catch((error: unknown) => {
      // The next save finds out by itself.
      this.#ports.log.warn({ err: error, ...this.#host.key }, 'an external change could not be read');
    });
  }

  /** Ends timers; what is unsaved stays in the log. */
  dispose(): void {
    this.#isEnded = true;
    this.#disarm();
    this.#stopWatching();
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #arm(ms: number): void {
    if (this.#timer !== null || this.#isEnded) return;
    this.#timer = this.#ports.clock.setTimeout(() => {
      this.#timer = null;
      this.#exclusive(() => this.#save()).catch((error: unknown) => {
        this.#ports.log.error({ err: error, ...this.#host.key }, 'a save was given up');
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
    if (this.#ports.clock.monotonic() < this.#unsaved.tooOldAt) this.#watchAge();
    await this.#opLog.hold(room);
    try {
      const outcome = await this.#attempt();
      // Whatever was accepted meanwhile waits for the next tick.
      if (this.isDirty) this.#arm(this.#nextTick());
      return outcome;
    } finally {
      this.#opLog.resume(room);
    }
  }

  #nextTick(): number {
    const patience = Math.max(0, this.#losses - PATIENT_LOSSES + 1);
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
      this.#takeOver(this.#external, null);
      return 'saved';
    }
    const { lastAuthor } = this.#unsaved;
    const attempt = prepareAttempt(
      { document, version, base: this.#base, external: this.#external, ops, lastAuthor },
      this.#ports.clock.newId(),
    );
    try {
      const result = await this.#submit(attempt);
      return this.#isEnded ? 'ended' : await this.#conclude(attempt, result);
    } catch (error) {
      return this.#isEnded ? 'ended' : this.#fail(error);
    }
  }

  async #submit(attempt: SaveAttempt): Promise<SaveResult> {
    const { key, epoch } = this.#host;
    // While a try is without an answer only another compare-and-set tells whether it happened.
    if (attempt.patches.length === 0 && this.#open.length === 0) {
      const editVersion = attempt.baseEditVersion;
      await this.#ports.store.settleOps(key, { epoch, through: attempt.savedThrough, savedIn: editVersion });
      return { outcome: 'saved', editVersion };
    }
    this.#open.push(attempt);
    return this.#ports.store.save(requestOf(key, epoch, attempt));
  }

  #fail(error: unknown): Outcome {
    this.#failures += 1;
    this.#ports.log.warn({ err: error, ...this.#host.key, failures: this.#failures }, 'a save failed');
    this.#watchAge();
    return 'failed';
  }

  /** Told when it is so, not when the next try has failed: one that is not answered may hang for seconds. */
  #watchAge(): void {
    this.#stopWatching();
    const { clock } = this.#ports;
    const left = Math.ceil(this.#unsaved.tooOldAt - clock.monotonic());
    if (left <= 0 || this.#unsaved.isFull) this.#news.degraded(this.#unsaved.count);
    else if (left < Infinity) this.#patience = clock.setTimeout(() => this.#watchAge(), left);
  }

  #stopWatching(): void {
    if (this.#patience !== null) this.#ports.clock.clearTimeout(this.#patience);
    this.#patience = null;
  }

  async #conclude(attempt: SaveAttempt, result: SaveResult): Promise<Outcome> {
    this.#stopWatching();
    switch (result.outcome) {
      case 'saved':
        this.#install(attempt, result.editVersion);
        return 'saved';
      case 'external':
        this.#losses += 1;
        return this.#meet(result);
      case 'lease-lost':
        this.#end('moved');
        return 'ended';
      case 'row-gone':
        this.#end('deleted');
        return 'ended';
      case 'refused':
        this.#ports.log.error(
          { ...this.#host.key, reason: result.reason },
          'the database refuses the document',
        );
        this.#open = this.#open.filter((other) => other !== attempt);
        this.#failures += 1;
        this.#news.degraded(this.#unsaved.count);
        this.#arm(REFUSED_TICK_MS);
        return 'failed';
    }
  }

  /** edit_version is not what we thought: by a try of ours whose answer was lost, or by somebody else. */
  async #meet(state: ExternalState): Promise<Outcome> {
    const [first, ...others] = state.entries;
    const own = this.#open.find((attempt) => attempt.historyId === first?.historyId);
    if (own !== undefined && first !== undefined) {
      const { key, epoch } = this.#host;
      // Operations may have been logged since that save, by a room that did not know of it.
      await this.#ports.store.settleOps(key, {
        epoch,
        through: own.savedThrough,
        savedIn: first.editVersion,
      });
      if (this.#isEnded) return 'ended';
      this.#install(own, first.editVersion);
      if (others.length === 0) return 'saved';
    }
    this.#open = [];
    this.#external = joinExternal(this.#external, own === undefined ? state : { ...state, entries: others });
    return 'overtaken';
  }

  /** A save has happened: ours, on top of `attempt.external` if that is set. */
  #install(attempt: SaveAttempt, editVersion: number): void {
    const later = this.#unsaved.ops.filter((op) => op.version > attempt.savedThrough);
    const isNoop = editVersion === attempt.baseEditVersion;
    this.#open = [];
    this.#losses = 0;
    const unchanged = attempt.external?.document ?? this.#base.document;
    this.#base = { editVersion, document: isNoop ? unchanged : writeDocument(attempt.document) };
    this.#savedThrough = attempt.savedThrough;
    if (attempt.external === null) this.#unsaved.keep(later);
    else {
      this.#external = null;
      const merged = replay(attempt.document, later);
      this.#unsaved.keep(merged.kept);
      const dropped = [...attempt.dropped, ...merged.dropped];
      this.#announce(attempt.external, { document: merged.document, dropped }, null);
    }
    this.#opLog.markSaved(
      { workflowId: this.#host.key.workflowId, epoch: this.#host.epoch },
      this.#savedThrough,
      editVersion,
    );
    this.#failures = 0;
    const { userId } = attempt;
    this.#news.saved({ editVersion, savedThrough: this.#savedThrough, userId, isNoop }, this.#unsaved.count);
  }

  /** Somebody else's save becomes ours to build on, now; what is unsaved is applied on top. */
  #takeOver(external: ExternalState, hint: ExternalHint | null): void {
    const merged = replay(readDocument(external.document), this.#unsaved.ops);
    // A try on top of it whose answer never came may have happened; what it had to tell of others is told here.
    this.#open = this.#open.flatMap((attempt) =>
      attempt.baseEditVersion === external.editVersion ? { ...attempt, external: null, dropped: [] } : [],
    );
    this.#external = null;
    this.#base = { editVersion: external.editVersion, document: external.document };
    this.#unsaved.keep(merged.kept);
    this.#announce(external, merged, hint);
    if (this.isDirty) this.#arm(this.#tickMs);
  }

  #announce(external: ExternalState, merged: Merged, hint: ExternalHint | null): void {
    const before = this.#host.document;
    const { document: after, dropped } = merged;
    this.#host.replaceDocument(after);
    const { key, version, epoch } = this.#host;
    for (const payload of externalEvents(external, { before, after, dropped, hint })) {
      this.#host.broadcast('workflow:external-sync', {
        workflowId: key.workflowId,
        version,
        epoch: Number(epoch),
        ...payload,
      });
    }
  }

  #end(reason: 'moved' | 'deleted'): void {
    this.dispose();
    this.#host.quit(reason);
  }
}
