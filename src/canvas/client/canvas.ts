/**
 * A canvas in a browser or a test: joins a workflow, keeps a copy that never disagrees with the server for long, sends
 * edits until they are saved, undoes and redoes own edits. The socket is the caller's (`overSocket`).
 */
import type { Operation } from 'fast-json-patch';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { HeldLocks } from './held-locks.ts';
import type { CanvasOptions, CanvasStatus, Retracted } from './canvas-options.ts';
import { contendedPlaces, type KeptEdits } from './kept-edits.ts';
import { OneTimer } from './one-timer.ts';
import { Outbox } from './outbox.ts';
import { numberAt, RETRY_MS, textAt, waitAfter } from './payload.ts';
import { Replica } from './replica.ts';
import { request } from './transport.ts';
import { measureRetraction, UndoStack, type EditWords, type Retraction, type Steps } from './undo-stack.ts';
import { appliedOp, broadcastOp, DURABLE_BROADCASTS, wireFields } from './wire-operations.ts';
import { writeDocument, type CanvasDocument } from '../room/document.ts';
import type { DurableOp } from '../room/operations.ts';
import { reduce } from '../room/reduce.ts';
import { UNLOCKED } from '../room/reduction.ts';

export type { CanvasOptions, CanvasStatus, Retracted } from './canvas-options.ts';
export { overSocket } from './transport.ts';
export type { CanvasTransport, ClientClock, SocketLike } from './transport.ts';

const JOIN_RETRY_MS = 5_000;
const RESEND_AT_ONCE = 40;

export class Canvas {
  readonly #options: CanvasOptions;
  readonly #replica = new Replica();
  readonly #outbox = new Outbox();
  readonly #undo = new UndoStack();
  readonly locks: HeldLocks;
  #status: CanvasStatus = 'closed';
  #epoch: number | null = null;
  /** Our copy cannot be continued: what was missed is not enough. */
  #needsSnapshot = true;
  #seq: number;
  #stops: (() => void)[] = [];
  readonly #retry: OneTimer;

  constructor(options: CanvasOptions) {
    this.#options = options;
    this.#seq = options.kept?.nextSeq ?? 1;
    this.#replica.precede((options.kept?.ops ?? []).map((sent) => ({ ...sent, isHeld: false })));
    const { transport, workflowId, clock } = options;
    this.#retry = new OneTimer(clock);
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
  /** What the user sees, by id: it shares with its predecessor whatever did not change. */
  get view(): CanvasDocument {
    return this.#replica.view;
  }
  /** What the user sees: the definition with own edits. */
  get document(): JsonObject {
    return writeDocument(this.#replica.view);
  }
  /** What the server has, as far as we know. */
  get confirmed(): { readonly document: JsonObject; readonly version: number; readonly hash: string } {
    const { confirmed, version, hash } = this.#replica;
    return { document: writeDocument(confirmed), version, hash };
  }
  /** Edits without an answer, and edits that are not saved: with both 0 the page may be closed. */
  get unsent(): number {
    return this.#replica.pending.length;
  }
  get unsaved(): number {
    return this.#outbox.size;
  }
  /** All that no save covers, for the next page of this tab: `CanvasOptions.kept`. */
  get kept(): KeptEdits {
    const pending = this.#replica.pending.map(({ opId, op }) => ({ opId, op }));
    return { nextSeq: this.#seq, ops: [...this.#outbox.all(), ...pending] };
  }
  /** The labels of the steps that `undo` and `redo` take next. */
  get steps(): Steps {
    return this.#undo;
  }

  /** Joins, now or when the socket connects, and stays joined until `close`. */
  open(): void {
    if (this.#stops.length > 0) return;
    const { transport } = this.#options;
    const hear = (event: string, act: (payload: JsonObject) => void): void => {
      this.#stops.push(
        transport.on(event, (payload) => {
          if (isObject(payload) && payload['workflowId'] === this.#options.workflowId) act(payload);
        }),
      );
    };
    this.#stops.push(transport.on('connect', () => this.#join()));
    this.#stops.push(
      transport.on('disconnect', () => {
        if (this.#status !== 'closed') this.#become('joining');
      }),
    );
    hear('workflow:joined', (payload) => this.#onJoined(payload));
    hear('workflow:join-error', (payload) => this.#onJoinError(payload));
    hear('ack', (payload) => this.#onAck(payload));
    hear('operation:rejected', (payload) => this.#onRejected(payload));
    hear('conflict', () => void (this.#isLive() && this.#rejoin()));
    hear('saved', (payload) => this.#onSaved(payload));
    hear('workflow:external-sync', (payload) => this.#onExternal(payload));
    hear('workflow:moved', () => this.#rejoin());
    for (const reason of ['workflow:deleted', 'workflow:access-revoked', 'session:replaced']) {
      hear(reason, () => this.#end(reason));
    }
    hear('node:unlocked', (payload) => {
      if (payload['reason'] !== 'released') this.#onUnlocked(payload);
    });
    for (const event of DURABLE_BROADCASTS) hear(event, (payload) => this.#onBroadcast(event, payload));
    this.#join();
  }

  /** Leaves. Edits without an answer are given up. */
  close(): void {
    if (this.#status === 'live') this.#emit('workflow:leave', {});
    this.#end(null);
  }

  #end(reason: string | null): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#become('closed');
    this.#retry.cancel();
    this.locks.dispose();
    if (reason !== null) this.#options.onClosed?.(reason);
  }

  /**
   * Edits: at once here, soon everywhere.
   * @param words what undo calls it, and with which edit before it it is one step
   * @returns its opId; null when nothing is left to change, or the document does not allow it
   */
  edit(op: DurableOp, words: EditWords = {}): string | null {
    const before = this.#replica.view;
    const opId = this.#send(op);
    if (opId !== null) this.#undo.record({ before, after: this.#replica.view, op }, words);
    return opId;
  }

  /** Takes the last own edit back, but for what somebody else changed since. @returns null when there is none */
  undo(): Retracted | null {
    return this.#retract(this.#undo.undo());
  }

  redo(): Retracted | null {
    return this.#retract(this.#undo.redo());
  }

  #retract(retraction: Retraction | null): Retracted | null {
    if (retraction === null) return null;
    const retracted = measureRetraction(this.#replica.view, retraction);
    return { opId: retraction.batch === null ? null : this.#send(retraction.batch), ...retracted };
  }

  /** Saves now. @returns whether everything that the server had accepted is saved */
  async flush(): Promise<boolean> {
    const { transport, workflowId } = this.#options;
    const answer = await request(transport, 'workflow:flush', { workflowId });
    return isObject(answer) && answer['ok'] === true;
  }

  #send(op: DurableOp): string | null {
    const reduction = reduce(this.#replica.view, op, UNLOCKED);
    if (reduction.outcome !== 'applied') return null;
    const opId = `${this.#options.clientId}:${this.#seq}`;
    this.#seq += 1;
    // Behind one that waits, this one waits too: it may need what that one does.
    const isHeld = this.#replica.pending.some((pending) => pending.isHeld);
    this.#replica.add({ opId, op, isHeld });
    if (this.#status === 'live' && !isHeld) this.#transmit(opId, op);
    this.#options.onChange?.();
    return opId;
  }

  #transmit(opId: string, op: DurableOp): void {
    this.#emit(op.type, { opId, version: this.#replica.version, ...wireFields(op) });
  }

  #emit(event: string, fields: object): void {
    const { transport, workflowId } = this.#options;
    transport.emit(event, { workflowId, ...fields });
  }

  #become(status: CanvasStatus): void {
    if (this.#status === status) return;
    this.#status = status;
    this.#options.onStatus?.(status);
  }

  #join(): void {
    this.#become('joining');
    if (!this.#options.transport.isConnected) return;
    const since = { epoch: this.#epoch, version: this.#replica.version };
    this.#emit('workflow:join', this.#needsSnapshot ? {} : { since });
    // An answer that got lost must not leave us waiting.
    this.#retry.later(() => this.#join(), JOIN_RETRY_MS);
  }

  /** From a clean slate: what we have cannot be continued. */
  #rejoin(): void {
    if (this.#status === 'closed') return;
    this.#needsSnapshot = true;
    this.#emit('workflow:leave', {});
    this.#join();
  }

  #onJoined(payload: JsonObject): void {
    this.#retry.cancel();
    const epoch = numberAt(payload, 'epoch');
    const schema = ownValue(payload, 'schema');
    if (this.#epoch !== epoch) {
      // Another life of the room: what the last one accepted and did not save may be lost there, but not here.
      const again = this.#outbox.takeAll().map((sent) => ({ ...sent, isHeld: false }));
      this.#replica.precede(again);
    }
    this.#epoch = epoch;
    this.#status = 'live';
    this.#needsSnapshot = false;
    this.#outbox.saved(numberAt(payload, 'savedThrough'));
    if (isObject(schema)) this.#replica.reset(schema, numberAt(payload, 'version'));
    else this.#resume(ownValue(payload, 'events'));
    this.#compare(payload, numberAt(payload, 'version'));
    if (this.#isLive()) {
      this.#resendAll();
      this.#options.onStatus?.('live');
    }
    this.#options.onChange?.();
  }

  /** Asked again after something that may have changed it. */
  #isLive(): boolean {
    return this.#status === 'live';
  }

  /** What happened while we were away, own operations among it. */
  #resume(events: Json | undefined): void {
    for (const entry of Array.isArray(events) ? events : []) {
      const [event, payload] = Array.isArray(entry) ? entry : [];
      if (typeof event === 'string' && isObject(payload)) this.#onBroadcast(event, payload);
    }
  }

  /** In portions: hundreds of edits at once, after an hour without a network, would be taken for a flood. */
  #resendAll(): void {
    for (const [index, pending] of this.#replica.pending.entries()) {
      pending.isHeld = index >= RESEND_AT_ONCE;
      if (!pending.isHeld) this.#transmit(pending.opId, pending.op);
    }
    if (this.#replica.pending.length > RESEND_AT_ONCE && !this.#retry.isArmed) {
      this.#retry.later(() => this.#resendHeld(), RETRY_MS);
    }
  }

  #onJoinError(payload: JsonObject): void {
    if (payload['retryable'] === true) this.#retry.later(() => this.#join(), RETRY_MS);
    else this.#end(textAt(payload, 'code'));
  }

  #onBroadcast(event: string, payload: JsonObject): void {
    const op = broadcastOp(event, payload);
    if (op === null || this.#status !== 'live') return;
    const version = numberAt(payload, 'version');
    if (version <= this.#replica.version) return;
    if (!this.#replica.advance(op, version)) return this.#rejoin();
    const own = this.#replica.find(textAt(payload, 'opId'));
    if (own !== undefined) this.#settle(own.opId, own.op, version);
    this.#options.onChange?.();
  }

  #settle(opId: string, op: DurableOp, version: number): void {
    this.#replica.retire(opId);
    this.#outbox.accepted({ opId, op }, version);
  }

  #onAck(payload: JsonObject): void {
    const pending = this.#replica.find(textAt(payload, 'opId'));
    if (pending === undefined || this.#status !== 'live') return;
    const version = numberAt(payload, 'version');
    const { opId, op } = pending;
    const contended = contendedPlaces(payload);
    if (payload['noop'] === true || ownValue(payload, 'savedIn') !== undefined) this.#replica.retire(opId);
    else if (payload['duplicate'] === true) this.#settle(opId, op, version);
    else {
      const normalized = ownValue(payload, 'normalized');
      const done = isObject(normalized) ? appliedOp(op.type, normalized) : op;
      if (!this.#replica.advance(done, version)) return this.#rejoin();
      this.#settle(opId, op, version);
    }
    if (contended.length > 0) this.#options.onContended?.(opId, contended);
    this.#options.onChange?.();
  }

  #onRejected(payload: JsonObject): void {
    const pending = this.#replica.find(textAt(payload, 'opId'));
    const code = textAt(payload, 'code');
    if (code === 'NOT_JOINED') return this.#status === 'live' ? this.#rejoin() : undefined;
    if (pending === undefined) return;
    const isBehindHeld = this.#replica.isBehindHeld(pending);
    if (payload['retryable'] === true || isBehindHeld) {
      pending.isHeld = true;
      this.#retry.later(() => this.#resendHeld(), waitAfter(payload));
      return;
    }
    this.#replica.retire(pending.opId);
    this.#options.onDropped?.(pending.opId, code);
    this.#options.onChange?.();
  }

  /** Not before all that is on its way has its answer: what is sent twice uses up the rate twice. */
  #resendHeld(): void {
    const held = this.#replica.pending.filter(({ isHeld }) => isHeld).length;
    if (this.#status !== 'live' || held === 0) return;
    if (held === this.#replica.pending.length) this.#resendAll();
    else this.#retry.later(() => this.#resendHeld(), RETRY_MS);
  }

  #onSaved(payload: JsonObject): void {
    if (this.#status !== 'live' || numberAt(payload, 'epoch') !== this.#epoch) return;
    this.#outbox.saved(numberAt(payload, 'savedThrough'));
    this.#compare(payload, numberAt(payload, 'roomVersion'));
    this.#options.onChange?.();
  }

  #onExternal(payload: JsonObject): void {
    if (this.#status !== 'live' || numberAt(payload, 'epoch') !== this.#epoch) return;
    if (payload['full'] === true) return this.#rejoin();
    const patches = ownValue(payload, 'patches');
    const isPatched = this.#replica.patch(Array.isArray(patches) ? (patches as unknown as Operation[]) : []);
    if (!isPatched) return this.#rejoin();
    const dropped = ownValue(payload, 'dropped');
    for (const one of Array.isArray(dropped) ? dropped : []) {
      if (isObject(one)) this.#outbox.drop(textAt(one, 'opId'));
    }
    this.#compare(payload, numberAt(payload, 'version'));
    this.#options.onChange?.();
  }

  /** The server says what its state hashes to: a copy that differs is replaced, and reported. */
  #compare(payload: JsonObject, version: number): void {
    if (!this.#isLive()) return;
    if (version === this.#replica.version && textAt(payload, 'stateHash') === this.#replica.hash) return;
    this.#options.onDivergence?.({ version });
    this.#rejoin();
  }

  #onUnlocked(payload: JsonObject): void {
    const nodeId = textAt(payload, 'nodeId');
    if (this.locks.held.includes(nodeId) && payload['reason'] !== 'stolen') this.locks.forget(nodeId);
  }
}
