/**
 * One workflow that several people edit. Every operation goes through the synchronous `apply`, so nothing can happen
 * between assigning its version, applying it and broadcasting it.
 */
import { countBytes } from '../../../language/graph/definition/definition-size.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import { RoomMembers } from './room-members.ts';
import { writeDocument, type CanvasDocument } from './document.ts';
import { peekOpId } from './envelope.ts';
import type { ExternalSaveNotice, LiveRoom, RoomOptions } from './room-api.ts';
import type { OpLog } from './op-log.ts';
import { DocumentSizeLimit } from './document-size-limit.ts';
import { canonicalJson } from '../../../language/graph/values/canonical-json.ts';
import { documentSize, hashText, stateHash } from './document-measures.ts';
import type { LoadedRoom } from './loaded-room.ts';
import { LOCK_TTL_MS } from './locks.ts';
import { BROADCASTS, deletedNodes, MAX_BATCH_OPS, type DurableEvent } from './operations.ts';
import type { Audience, Reply, RoomKey, RoomPorts, Session } from './ports.ts';
import { pickColor } from './presence.ts';
import { MAX_OP_SIZE, readOperation, type ReadOperation } from './read-operation.ts';
import { readLockRequest, type JoinRequest } from './read-presence.ts';
import { RoomHistory, describeSkipped } from './room-history.ts';
import { reduce } from './reduce.ts';
import { createRoomContext, type Applied } from './reduction.ts';
import { reject, type Rejection } from './rejection.ts';
import { RecentRenames } from './recent-renames.ts';
import { RoomRate } from './room-rate.ts';
import type { SaveHost } from './save-broadcasts.ts';
import { Saver } from './saver.ts';
import { SnapshotRequests } from './snapshot-requests.ts';
import type { WorkRates } from './work-rates.ts';

interface RoomDeps {
  readonly ports: RoomPorts;
  readonly options: RoomOptions;
  readonly opLog: OpLog;
  readonly workRates: WorkRates;
  /** Why all rooms of the process reject operations now; null when they accept them. */
  closedReason(): Rejection | null;
  /** Called when the last member has left. */
  onEmpty(): void;
  /** Called after the room has ended because its workflow or its lease is gone. */
  onEnded(): void;
}

export class Room implements SaveHost {
  readonly key: RoomKey;
  readonly epoch: bigint;
  #document: CanvasDocument;
  #version: number;
  readonly #deps: RoomDeps;
  readonly members: RoomMembers;
  readonly saver: Saver;
  readonly #history: RoomHistory;
  readonly #renames = new RecentRenames();
  readonly #rate: RoomRate;
  readonly #audience: Audience;
  #sizeLimit: DocumentSizeLimit;
  readonly #snapshotRequests: SnapshotRequests;
  #isClosed = false;

  constructor(key: RoomKey, { loaded, replayed }: LoadedRoom, deps: RoomDeps) {
    const { clock, log } = deps.ports;
    this.key = key;
    this.epoch = loaded.epoch;
    this.#deps = deps;
    this.#audience = deps.ports.audience(key);
    this.#document = replayed.document;
    this.#version = loaded.editVersion;
    this.#history = new RoomHistory(deps.options.pinnedMaxLag);
    this.#rate = new RoomRate(clock);
    this.#snapshotRequests = new SnapshotRequests(deps.ports.snapshots);
    this.members = new RoomMembers({ workflowId: key.workflowId, clock, audience: this.#audience }, () =>
      deps.onEmpty(),
    );
    this.saver = new Saver(this, deps, loaded);
    for (const { opId, ...result } of loaded.remembered) {
      this.#history.recordAnswer(opId, { ...result, isNoop: false, skipped: [] });
    }
    for (const row of replayed.dropped)
      log.warn({ ...key, ...row }, 'a logged operation no longer applies and was dropped');
    for (const row of replayed.kept) {
      this.#version += 1;
      const size = canonicalJson(row.op as unknown as Json).length;
      const { opId, userId, op, contentHash } = row;
      this.#history.recordAnswer(opId, { contentHash, version: this.#version, isNoop: false, skipped: [] });
      this.#renames.record(op, this.#version);
      this.saver.push({ version: this.#version, opId, userId, op, size, at: clock.monotonic() });
    }
    this.#sizeLimit = new DocumentSizeLimit(replayed.document);
  }

  get document(): CanvasDocument {
    return this.#document;
  }
  get version(): number {
    return this.#version;
  }
  /** Bytes of the definition as JSON. */
  get bytes(): number {
    return documentSize(this.#document);
  }
  get isClosed(): boolean {
    return this.#isClosed;
  }
  get live(): LiveRoom {
    return { ...this.key, epoch: this.epoch, editVersion: this.saver.editVersion };
  }

  broadcast(event: string, payload: JsonObject): void {
    this.#audience.broadcast(event, payload);
  }

  replaceDocument(document: CanvasDocument): void {
    this.#document = document;
    this.#sizeLimit = new DocumentSizeLimit(document);
    this.#history.recordExternalSave(this.#version);
  }

  /** Adds a session and sends it `workflow:joined`: the missed broadcasts after `since`, or the whole definition. */
  join(session: Session, since?: JoinRequest['since']): Reply {
    this.members.join(session);
    const events = this.#listMissed(since);
    if (events === null)
      this.#sendDefinition(session, 'workflow:joined', this.#describeJoined(session, { mode: 'snapshot' }));
    else session.send('workflow:joined', this.#describeJoined(session, { mode: 'resume', events }));
    return { ok: true, ...this.#describeVersions() };
  }

  /** Sends a member `workflow:snapshot` as soon as the snapshot semaphore admits it. */
  sendSnapshot(session: Session): Promise<Reply> {
    return this.#snapshotRequests.send(session, this.bytes, () => {
      if (this.#isClosed || !this.members.has(session)) return reject({ code: 'NOT_JOINED' });
      this.#sendDefinition(session, 'workflow:snapshot', {
        ...this.#describeVersions(),
        stateHash: stateHash(this.#document),
        ...this.members.list(),
      });
      return { ok: true, ...this.#describeVersions() };
    });
  }

  #sendDefinition(session: Session, event: string, payload: object): void {
    this.#audience.sendSnapshot(session, { event, payload, schema: writeDocument(this.#document) });
  }

  /** Lists the broadcasts that a session has missed; null when it needs a snapshot or a snapshot is smaller. */
  #listMissed(since: JoinRequest['since']): [string, JsonObject][] | null {
    if (since === undefined || BigInt(since.epoch) !== this.epoch) return null;
    return this.#history.listMissed(since.version, { current: this.#version, maxSize: this.bytes });
  }

  #describeVersions(): Record<string, unknown> {
    return {
      workflowId: this.key.workflowId,
      epoch: Number(this.epoch),
      version: this.#version,
      editVersion: this.saver.editVersion,
      savedThrough: this.saver.savedThrough,
    };
  }

  #describeJoined(session: Session, resumeFields: object): object {
    const { sessionId, userId, role, clientId } = session;
    const { limits } = this.#deps.options;
    return {
      ...this.#describeVersions(),
      ...resumeFields,
      stateHash: stateHash(this.#document),
      ...this.members.list(),
      you: {
        sessionId,
        userId,
        role,
        color: pickColor(userId),
        appliedSeq: this.#history.appliedSeq(clientId),
      },
      limits: {
        ...limits,
        maxOpBytes: MAX_OP_SIZE,
        maxBatch: MAX_BATCH_OPS,
        maxLag: this.#history.maxLag(this.#deps.ports.clock.monotonic()),
        lockTtlMs: LOCK_TTL_MS,
      },
    };
  }

  /** Whether an operation with this opId was answered before, as accepted or as a no-op. */
  isDuplicate(opId: string): boolean {
    return this.#history.hasAnswered(opId);
  }

  /** Applies a durable operation of a member: acknowledges it, or rejects it with a code. */
  apply(session: Session, event: DurableEvent, payload: unknown): Reply {
    const read = readOperation(event, payload);
    if ('code' in read) return this.#rejectOperation(session, { event, opId: peekOpId(payload) }, read);
    const text = canonicalJson(read.op as unknown as Json);
    const contentHash = hashText(text);
    const known = read.opId === undefined ? null : this.#history.findDuplicate(read.opId, contentHash);
    if (known !== null) {
      return known.isSame
        ? this.#ack(session, { opId: read.opId, ...known.ack })
        : this.#rejectOperation(session, { event, opId: read.opId }, { code: 'OPID_REUSED' });
    }
    const refusal = this.#checkAccepting(session);
    if (refusal !== null) return this.#rejectOperation(session, { event, opId: read.opId }, refusal);
    const opId = read.opId ?? this.#deps.ports.clock.newId();
    const now = this.#deps.ports.clock.monotonic();
    if (this.#history.isStale(read.version, this.#version, now)) {
      return this.#conflict(session, opId, read.version ?? 0);
    }
    const op = this.#renames.follow(read.op, read.baseVersion, this.#document);
    const isLocked = (nodeId: string): boolean => this.members.locks.isLockedFor(session, nodeId);
    const context = createRoomContext(isLocked);
    const reduction = reduce(this.#document, op, context);
    const meter = this.#deps.workRates.charge(this.key.organizationId, context.work, reduction);
    if (reduction.outcome === 'rejected') return this.#rejectOperation(session, { event, opId }, reduction);
    if (reduction.outcome === 'noop') {
      const { skipped } = reduction;
      this.#history.recordAnswer(opId, { contentHash, version: this.#version, isNoop: true, skipped });
      return this.#ack(session, { opId, version: this.#version, noop: true, ...describeSkipped(skipped) });
    }
    const isRewritten = op !== read.op || op.type === 'node:rename';
    const applied = isRewritten ? canonicalJson(reduction.op as unknown as Json) : text;
    const fits =
      this.#sizeLimit.reserve(countBytes(applied)) ||
      this.#sizeLimit.measure({ before: this.#document, after: reduction.document }, meter);
    if (!fits) return this.#rejectOperation(session, { event, opId }, { code: 'DOC_TOO_LARGE' });
    const sent = { ...read, opId, contentHash, size: applied.length };
    return this.#accept(session, sent, op === read.op ? reduction : { ...reduction, isNormalized: true });
  }

  /** Commits an operation: version, document, history, save queue, log, acknowledgement, broadcast. */
  #accept(
    session: Session,
    sent: ReadOperation & { opId: string; contentHash: string; size: number },
    reduction: Applied,
  ): Reply {
    const { opId, contentHash, size } = sent;
    const { userId, sessionId } = session;
    const { op, touched, body, skipped } = reduction;
    const at = this.#deps.ports.clock.monotonic();
    const contended = this.#history.describeContended(touched, sent.version, sessionId);
    this.#document = reduction.document;
    this.#version += 1;
    const version = this.#version;
    const name = BROADCASTS[op.type];
    const payload = { workflowId: this.key.workflowId, version, opId, userId, sessionId, ...body };
    const record = { opId, contentHash, version, userId };
    this.#history.recordAccepted({ ...record, sessionId, touched, skipped, event: name, payload, size, at });
    this.#renames.record(op, version);
    this.saver.push({ version, opId, userId, op, size, at });
    this.#deps.opLog.push({
      ...this.key,
      ...record,
      epoch: this.epoch,
      op,
      baseEditVersion: this.saver.editVersion,
      savedIn: null,
    });
    const reply = this.#ack(session, {
      opId,
      version,
      ...(reduction.isNormalized ? { normalized: body } : {}),
      ...contended,
      ...describeSkipped(skipped),
    });
    this.#audience.broadcast(name, payload, { except: session });
    this.members.locks.removeDeleted(deletedNodes(op));
    return reply;
  }

  /** Returns why this session's operations are rejected now; null takes one token of the room's rate. */
  #checkAccepting(session: Session): Rejection | null {
    if (!session.mayEdit()) return { code: 'FORBIDDEN' };
    const closed =
      this.#deps.closedReason() ??
      (this.saver.isDegraded ? ({ code: 'PERSISTENCE_DEGRADED' } as const) : null);
    return closed ?? this.#deps.workRates.check(this.key.organizationId) ?? this.#rate.take();
  }

  #ack(session: Session, facts: Readonly<Record<string, unknown>>): Reply {
    const ack = { workflowId: this.key.workflowId, ...facts };
    session.send('ack', ack);
    return { ok: true, ...ack };
  }

  #rejectOperation(
    session: Session,
    { event, opId }: { event: string; opId: string | undefined },
    refusal: Rejection,
  ): Reply {
    const reply = reject(refusal);
    const { ok: _refused, ...facts } = reply;
    session.send('operation:rejected', {
      workflowId: this.key.workflowId,
      ...(opId === undefined ? {} : { opId }),
      event,
      version: this.#version,
      ...facts,
    });
    return reply;
  }

  #conflict(session: Session, opId: string, yourVersion: number): Reply {
    const facts = { yourVersion, serverVersion: this.#version, resolution: 'rebase' };
    session.send('conflict', { workflowId: this.key.workflowId, opId, ...facts });
    return reject({ code: 'CONFLICT', details: facts });
  }

  /** Answers a lock request; a node that does not exist cannot be locked. */
  handleLockRequest(session: Session, event: string, payload: unknown): Reply {
    const request = readLockRequest(event, payload);
    if (request === null) return reject({ code: 'INVALID_PAYLOAD' });
    return this.members.lock(session, request, (nodeId) => this.#document.nodes.byKey.has(nodeId));
  }

  async flush(): Promise<Reply> {
    const isSaved = await this.saver.flush();
    if (!isSaved) return reject({ code: 'PERSISTENCE_DEGRADED' });
    return { ok: true, editVersion: this.saver.editVersion, savedThrough: this.saver.savedThrough };
  }

  handleExternalSave(hint: ExternalSaveNotice): void {
    void this.saver.handleExternalSave(hint);
  }

  /** Broadcasts the reason and ends without saving. */
  end(reason: 'moved' | 'deleted'): void {
    if (this.#isClosed) return;
    this.broadcast(`workflow:${reason}`, { workflowId: this.key.workflowId });
    this.close();
    this.#deps.onEnded();
  }

  /** Stops timers and removes all members without a broadcast. */
  close(): void {
    this.#isClosed = true;
    this.saver.dispose();
    this.members.dispose();
  }
}
