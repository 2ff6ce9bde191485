/**
 * The canvas client: joins a workflow, keeps a copy of it in sync, sends edits until they are saved, and undoes and redoes own
 * edits. The caller owns the socket (`overSocket`).
 */
import type { Operation } from 'fast-json-patch';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { HeldLocks } from './held-locks.ts';
import type { CanvasOptions, CanvasStatus, UndoResult } from './canvas-options.ts';
import { readContendedPlaces, readSkippedCodes, type KeptEdits } from './kept-edits.ts';
import { ReplaceableTimer } from './replaceable-timer.ts';
import { AcceptedOps } from './accepted-ops.ts';
import { readNumber, readRejectionCode, readRetryDelay, readText, RETRY_MS } from './payload.ts';
import { Replica, type PendingOp } from './replica.ts';
import { Resends } from './resends.ts';
import { splitBatch } from './split-batch.ts';
import { request } from './transport.ts';
import { measureUndoStep, UndoStack, type EditOptions, type UndoStep } from './undo-stack.ts';
import { readAppliedOp, readBroadcastOp, DURABLE_BROADCASTS, toWireFields } from './wire-operations.ts';
import { writeDocument, type CanvasDocument } from '../room/document.ts';
import type { DurableOp } from '../room/operations.ts';
import { reduce } from '../room/reduce.ts';
import { UNLOCKED } from '../room/reduction.ts';

export type { CanvasOptions, CanvasStatus, UndoResult } from './canvas-options.ts';
export { overSocket } from './transport.ts';
export type { CanvasTransport, ClientClock, SocketLike } from './transport.ts';

const JOIN_RETRY_MS = 5_000;

export class Canvas {
  readonly #options: CanvasOptions;
  readonly #replica = new Replica();
  readonly #accepted = new AcceptedOps();
  readonly #undo: UndoStack;
  readonly locks: HeldLocks;
  #status: CanvasStatus = 'closed';
  #epoch: number | null = null;
  /** Whether the copy cannot be resumed with the missed events. */
  #needsSnapshot = true;
  #seq: number;
  #unsubscribes: (() => void)[] = [];
  readonly #retryTimer: ReplaceableTimer;
  readonly #resends: Resends;

  constructor(options: CanvasOptions) {
    this.#options = options;
    this.#undo = options.undoStack ?? new UndoStack();
    this.#seq = options.kept?.nextSeq ?? 1;
    this.#replica.startEpoch(options.kept?.ops ?? []);
    const { transport, workflowId, clock } = options;
    this.#retryTimer = new ReplaceableTimer(clock);
    this.#resends = new Resends({
      replica: this.#replica,
      timer: this.#retryTimer,
      isLive: () => this.#isLive(),
      transmit: (pending) => this.#transmit(pending),
    });
    this.locks = new HeldLocks({
      transport,
      workflowId,
      clock,
      onLost: (nodeId) => options.onLockLost?.(nodeId),
    });
  }

  get status(): CanvasStatus {
    return this.#status;
  }
  /** The document with own edits, by id; unchanged parts are identical objects in the next view. */
  get view(): CanvasDocument {
    return this.#replica.view;
  }
  /** The definition with own edits. */
  get document(): JsonObject {
    return writeDocument(this.#replica.view);
  }
  /** The last confirmed state of the server. */
  get confirmed(): { readonly document: JsonObject; readonly version: number; readonly hash: string } {
    const { confirmed, version, hash } = this.#replica;
    return { document: writeDocument(confirmed), version, hash };
  }
  /** The server's state by id, and the own edits without an answer. */
  get replica(): Pick<Replica, 'confirmed' | 'pending' | 'find'> {
    return this.#replica;
  }
  /** Number of edits without an answer. When it and `unsaved` are 0, the page may be closed. */
  get unsent(): number {
    return this.#replica.pending.length;
  }
  get unsaved(): number {
    return this.#accepted.size;
  }
  /** All edits that no save contains yet, for `CanvasOptions.kept` after a reload. */
  get kept(): KeptEdits {
    const pending = this.#replica.pending.map(({ opId, op }) => ({ opId, op }));
    return { nextSeq: this.#seq, ops: [...this.#accepted.list(), ...pending] };
  }

  /** Labels of the next steps of `undo` and `redo`. */
  get steps(): Pick<UndoStack, 'nextUndo' | 'nextRedo'> {
    return this.#undo;
  }

  /** Joins now or when the socket connects, and again after every reconnect until `close`. */
  open(): void {
    if (this.#unsubscribes.length > 0) return;
    const { transport } = this.#options;
    const on = (event: string, act: (payload: JsonObject) => void): void => {
      this.#unsubscribes.push(
        transport.on(event, (payload) => {
          if (isObject(payload) && payload['workflowId'] === this.#options.workflowId) act(payload);
        }),
      );
    };
    this.#unsubscribes.push(
      transport.on('connect', () => this.#join()),
      transport.on('disconnect', () => void (this.#status !== 'closed' && this.#setStatus('joining'))),
    );
    on('workflow:joined', (payload) => this.#onJoined(payload));
    on('workflow:join-error', (payload) => this.#onJoinError(payload));
    on('ack', (payload) => this.#onAck(payload));
    on('operation:rejected', (payload) => this.#onRejected(payload));
    on('conflict', () => void (this.#isLive() && this.#rejoin()));
    on('saved', (payload) => this.#onSaved(payload));
    on('workflow:external-sync', (payload) => this.#onExternal(payload));
    on('workflow:live-changed', () => this.#options.onLiveChange?.());
    on('workflow:moved', () => this.#rejoin());
    for (const reason of ['workflow:deleted', 'workflow:access-revoked', 'session:replaced'])
      on(reason, () => this.#end(reason));
    on('node:unlocked', (payload) => {
      const hasEnded = !['released', 'stolen'].includes(readText(payload, 'reason'));
      if (hasEnded) this.locks.forget(readText(payload, 'nodeId'));
    });
    for (const event of DURABLE_BROADCASTS) on(event, (payload) => this.#onBroadcast(event, payload));
    this.#join();
  }

  /** Leaves the workflow. Edits without an answer are no longer sent. */
  close(): void {
    // Also before the answer of a join: the server would add a member that hears nothing.
    if (this.#status !== 'closed' && this.#options.transport.isConnected) this.#emit('workflow:leave', {});
    this.#end(null);
  }

  #end(reason: string | null): void {
    for (const stop of this.#unsubscribes) stop();
    this.#unsubscribes = [];
    this.#setStatus('closed');
    this.#retryTimer.cancel();
    this.locks.dispose();
    if (reason !== null) this.#options.onClosed?.(reason);
  }

  /**
   * Applies an edit locally and sends it. A batch over the room's limits is sent as several, and is one undo step.
   * @param options its label for undo, and the key that merges it with the edit before
   * @returns the opId of the last one; null when it changes nothing or cannot be applied
   */
  edit(op: DurableOp, options: EditOptions = {}): string | null {
    const before = this.#replica.view;
    const opIds = this.#send(op, options.label);
    if (opIds.length === 0) return null;
    this.#undo.record({ before, after: this.#replica.view, op }, options);
    // Only now: a listener may edit, too, and that is another step.
    this.#options.onChange?.();
    return opIds.at(-1) ?? null;
  }

  /** Undoes the last own edit, without the parts that another client has changed since. @returns null when there is none */
  undo(): UndoResult | null {
    return this.#applyUndoStep(this.#undo.undo());
  }

  redo(): UndoResult | null {
    return this.#applyUndoStep(this.#undo.redo());
  }

  #applyUndoStep(step: UndoStep | null): UndoResult | null {
    if (step === null) return null;
    const retracted = measureUndoStep(this.#replica.view, step);
    const opIds = step.op === null ? [] : this.#send(step.op, step.label);
    if (opIds.length > 0) this.#options.onChange?.();
    return { opId: opIds.at(-1) ?? null, ...retracted };
  }

  /** Requests a save now. @returns whether all operations that the server had accepted are saved */
  async flush(): Promise<boolean> {
    const { transport, workflowId } = this.#options;
    const answer = await request(transport, 'workflow:flush', { workflowId });
    return isObject(answer) && answer['ok'] === true;
  }

  /**
   * Applies and sends an operation: one that moves thousands of nodes, or undoes it, in as many batches as the room's limit
   * needs. @returns the opIds of those that change something
   */
  #send(op: DurableOp, label = ''): string[] {
    const ops = op.type === 'batch' ? splitBatch(op) : [op];
    const edit = { isPart: ops.length > 1, label };
    return ops.map((op) => this.#sendOne(op, edit)).filter((opId) => opId !== null);
  }

  #sendOne(op: DurableOp, edit: Pick<PendingOp, 'isPart' | 'label'>): string | null {
    const reduction = reduce(this.#replica.view, op, UNLOCKED);
    if (reduction.outcome !== 'applied') return null;
    const opId = `${this.#options.clientId}:${this.#seq}`;
    this.#seq += 1;
    // Waits behind a held operation, because it may depend on it.
    const isHeld = this.#replica.pending.some((one) => one.isHeld);
    const pending = this.#replica.append({ opId, op, isHeld, ...edit });
    if (this.#status === 'live' && !isHeld) this.#transmit(pending);
    return opId;
  }

  #transmit({ opId, op, baseVersion }: PendingOp): void {
    this.#emit(op.type, { opId, version: this.#replica.version, baseVersion, ...toWireFields(op) });
  }

  #emit(event: string, fields: object): void {
    this.#options.transport.emit(event, { workflowId: this.#options.workflowId, ...fields });
  }

  #setStatus(status: CanvasStatus): void {
    if (this.#status === status) return;
    this.#status = status;
    this.#options.onStatus?.(status);
  }

  #join(): void {
    this.#setStatus('joining');
    if (!this.#options.transport.isConnected) return;
    const since = { epoch: this.#epoch, version: this.#replica.version };
    this.#emit('workflow:join', this.#needsSnapshot ? {} : { since });
    // The answer may get lost.
    this.#retryTimer.schedule(() => this.#join(), JOIN_RETRY_MS);
  }

  /** Leaves and joins again with a snapshot, because the copy cannot be continued. */
  #rejoin(): void {
    if (this.#status === 'closed') return;
    this.#needsSnapshot = true;
    this.#emit('workflow:leave', {});
    this.#join();
  }

  #onJoined(payload: JsonObject): void {
    this.#retryTimer.cancel();
    const epoch = readNumber(payload, 'epoch');
    const schema = ownValue(payload, 'schema');
    if (this.#epoch !== epoch) {
      // The room was loaded anew: operations that it had accepted but not saved may be lost there, so they are sent again.
      this.#replica.startEpoch(this.#accepted.takeAll());
    }
    this.#epoch = epoch;
    this.#status = 'live';
    this.#needsSnapshot = false;
    this.#accepted.noteSaved(readNumber(payload, 'savedThrough'));
    if (isObject(schema)) this.#replica.reset(schema, readNumber(payload, 'version'));
    else this.#resume(ownValue(payload, 'events'));
    this.#compareHash(payload, readNumber(payload, 'version'));
    if (this.#isLive()) {
      this.#resends.sendAll();
      this.#options.onStatus?.('live');
    }
    this.#options.onChange?.();
  }

  /** A method, so that TypeScript does not assume the status unchanged after a call that may change it. */
  #isLive(): boolean {
    return this.#status === 'live';
  }

  /** Applies the missed broadcasts, among them those of own operations. */
  #resume(events: Json | undefined): void {
    for (const entry of Array.isArray(events) ? events : []) {
      const [event, payload] = Array.isArray(entry) ? entry : [];
      if (typeof event === 'string' && isObject(payload)) this.#onBroadcast(event, payload);
    }
  }

  #onJoinError(payload: JsonObject): void {
    if (payload['retryable'] === true) this.#retryTimer.schedule(() => this.#join(), RETRY_MS);
    else this.#end(readText(payload, 'code'));
  }

  #onBroadcast(event: string, payload: JsonObject): void {
    const op = readBroadcastOp(event, payload);
    if (op === null || this.#status !== 'live') return;
    const version = readNumber(payload, 'version');
    if (version <= this.#replica.version) return;
    if (!this.#replica.advance(op, version)) return this.#rejoin();
    const own = this.#replica.find(readText(payload, 'opId'));
    if (own !== undefined) this.#accept(own.opId, own.op, version);
    else this.#options.onRemote?.(op, readText(payload, 'userId'));
    this.#options.onChange?.();
  }

  #accept(opId: string, op: DurableOp, version: number): void {
    this.#replica.remove(opId);
    this.#accepted.noteAccepted({ opId, op }, version);
  }

  #onAck(payload: JsonObject): void {
    const pending = this.#replica.find(readText(payload, 'opId'));
    if (pending === undefined || this.#status !== 'live') return;
    const version = readNumber(payload, 'version');
    const { opId, op } = pending;
    const contended = readContendedPlaces(payload);
    if (payload['noop'] === true || ownValue(payload, 'savedIn') !== undefined) this.#replica.remove(opId);
    else if (payload['duplicate'] === true) this.#accept(opId, op, version);
    else {
      const normalized = ownValue(payload, 'normalized');
      const done = isObject(normalized) ? readAppliedOp(op.type, normalized) : op;
      if (!this.#replica.advance(done, version)) return this.#rejoin();
      this.#accept(opId, op, version);
    }
    if (contended.length > 0) this.#options.onContended?.(opId, contended);
    const skipped = readSkippedCodes(payload, op);
    if (skipped.length > 0) this.#options.onSkipped?.(opId, skipped);
    this.#options.onChange?.();
  }

  #onRejected(payload: JsonObject): void {
    const pending = this.#replica.find(readText(payload, 'opId'));
    const code = readRejectionCode(payload);
    if (code === 'NOT_JOINED') return this.#status === 'live' ? this.#rejoin() : undefined;
    if (pending === undefined) return;
    const isBehindHeld = this.#replica.isBehindHeld(pending);
    if (payload['retryable'] === true || isBehindHeld) {
      this.#resends.hold(pending, readRetryDelay(payload));
      return;
    }
    this.#replica.remove(pending.opId);
    this.#options.onDropped?.(pending, code);
    this.#options.onChange?.();
  }

  #onSaved(payload: JsonObject): void {
    if (this.#status !== 'live' || readNumber(payload, 'epoch') !== this.#epoch) return;
    this.#accepted.noteSaved(readNumber(payload, 'savedThrough'));
    this.#compareHash(payload, readNumber(payload, 'roomVersion'));
    this.#options.onChange?.();
  }

  #onExternal(payload: JsonObject): void {
    if (this.#status !== 'live' || readNumber(payload, 'epoch') !== this.#epoch) return;
    if (payload['full'] === true) return this.#rejoin();
    const patches = ownValue(payload, 'patches');
    if (!this.#replica.patch(Array.isArray(patches) ? (patches as unknown as Operation[]) : []))
      return this.#rejoin();
    const dropped = ownValue(payload, 'dropped');
    for (const one of Array.isArray(dropped) ? dropped : []) {
      if (isObject(one)) this.#accepted.remove(readText(one, 'opId'));
    }
    this.#compareHash(payload, readNumber(payload, 'version'));
    this.#options.onChange?.();
  }

  /** Compares the copy with the server's hash; replaces and reports a copy that differs. */
  #compareHash(payload: JsonObject, version: number): void {
    if (!this.#isLive()) return;
    if (version === this.#replica.version && readText(payload, 'stateHash') === this.#replica.hash) return;
    this.#options.onDivergence?.({ version });
    this.#rejoin();
  }
}
