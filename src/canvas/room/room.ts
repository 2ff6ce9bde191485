/**
 * One workflow being edited by several people. Everything that changes it goes through `apply`, a single synchronous
 * function: between an operation's place in the order, its effect and its publication nothing else can happen.
 */
import { countBytes } from '../../graph/definition-size.ts';
import type { Json, JsonObject } from '../../graph/value.ts';
import { Attendance } from './attendance.ts';
import { readDocument, writeDocument, type CanvasDocument } from './document.ts';
import { opIdOf } from './envelope.ts';
import type { ExternalHint, LiveRoom, RoomOptions } from './room-api.ts';
import type { OpLog } from './op-log.ts';
import { DocumentBound } from './document-bound.ts';
import { canonicalJson, documentSize, hashOfText, stateHash } from './entity-facts.ts';
import { LOCK_TTL_MS } from './locks.ts';
import { BROADCASTS, deletedNodes, type DurableEvent } from './operations.ts';
import type { Audience, LoadResult, Reply, RoomKey, RoomPorts, Session } from './ports.ts';
import { colorOf } from './presence.ts';
import { MAX_BATCH_OPS, MAX_OP_SIZE, readOperation, type ReadOperation } from './read-operation.ts';
import { readLockRequest, type JoinRequest } from './read-presence.ts';
import { RoomHistory, skippedFacts } from './room-history.ts';
import { reduce } from './reduce.ts';
import type { Applied } from './reduction.ts';
import { refused, type Refusal } from './rejection.ts';
import { RoomRate } from './room-rate.ts';
import { replay } from './replay.ts';
import type { SaveHost } from './save-news.ts';
import { Saver } from './saver.ts';
import { WaitingShows } from './waiting-shows.ts';

export interface RoomDeps {
  readonly ports: RoomPorts;
  readonly options: RoomOptions;
  readonly opLog: OpLog;
  /** Why no room of the process accepts operations now; null when they do. */
  closedFor(): Refusal | null;
  /** Called when the last member has left. */
  onEmpty(): void;
  /** Called when the room has ended by itself; it accepts nothing any more. */
  onQuit(): void;
}

type Loaded = Extract<LoadResult, { outcome: 'loaded' }>;

export class Room implements SaveHost {
  readonly key: RoomKey;
  readonly epoch: bigint;
  #document: CanvasDocument;
  #version: number;
  readonly #deps: RoomDeps;
  readonly attendance: Attendance;
  readonly saver: Saver;
  readonly #history: RoomHistory;
  readonly #rate: RoomRate;
  readonly #audience: Audience;
  #bound: DocumentBound;
  readonly #shows: WaitingShows;
  #isClosed = false;

  constructor(key: RoomKey, loaded: Loaded, deps: RoomDeps) {
    const { clock, log } = deps.ports;
    this.key = key;
    this.epoch = loaded.epoch;
    this.#deps = deps;
    this.#audience = deps.ports.audience(key);
    this.#document = readDocument(loaded.document);
    this.#version = loaded.editVersion;
    this.#history = new RoomHistory(deps.options.pinnedMaxLag);
    this.#rate = new RoomRate(clock);
    this.#shows = new WaitingShows(deps.ports.snapshots);
    this.attendance = new Attendance({ workflowId: key.workflowId, clock, audience: this.#audience }, () =>
      deps.onEmpty(),
    );
    this.saver = new Saver(this, deps, loaded);
    for (const { opId, ...result } of loaded.remembered) {
      this.#history.answer(opId, { ...result, isNoop: false, skipped: [] });
    }
    const { document, kept, dropped } = replay(this.#document, loaded.unsaved);
    for (const row of dropped) log.warn({ ...key, ...row }, 'a logged operation cannot be applied any more');
    this.#document = document;
    for (const row of kept) {
      this.#version += 1;
      const size = canonicalJson(row.op as unknown as Json).length;
      const { opId, userId, op, contentHash } = row;
      this.#history.answer(opId, { contentHash, version: this.#version, isNoop: false, skipped: [] });
      this.saver.push({ version: this.#version, opId, userId, op, size, at: clock.monotonic() });
    }
    this.#bound = new DocumentBound(document);
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
    this.#audience.toRoom(event, payload);
  }

  replaceDocument(document: CanvasDocument): void {
    this.#document = document;
    this.#bound = new DocumentBound(document);
    this.#history.tookOver(this.#version);
  }

  /** Lets a session in, or shows it the room again. */
  enter(session: Session, since?: JoinRequest['since']): Reply {
    this.attendance.enter(session);
    const events = this.#missed(since);
    if (events === null) this.#show(session, 'workflow:joined', this.#welcome(session, { mode: 'snapshot' }));
    else session.send('workflow:joined', this.#welcome(session, { mode: 'resume', events }));
    return { ok: true, ...this.#place() };
  }

  /** A fresh snapshot for a member, in its turn. */
  show(session: Session): Promise<Reply> {
    return this.#shows.show(session, this.bytes, () => {
      if (this.#isClosed || !this.attendance.has(session)) return refused({ code: 'NOT_JOINED' });
      this.#show(session, 'workflow:snapshot', {
        ...this.#place(),
        stateHash: stateHash(this.#document),
        ...this.attendance.list(),
      });
      return { ok: true, ...this.#place() };
    });
  }

  #show(session: Session, event: string, payload: object): void {
    this.#audience.show(session, { event, payload, schema: writeDocument(this.#document) });
  }

  /** The broadcasts that a session has missed; null when it needs a snapshot, or that is smaller. */
  #missed(since: JoinRequest['since']): [string, JsonObject][] | null {
    if (since === undefined || BigInt(since.epoch) !== this.epoch) return null;
    return this.#history.missed(since.version, { current: this.#version, maxSize: this.bytes });
  }

  #place(): Record<string, unknown> {
    return {
      workflowId: this.key.workflowId,
      epoch: Number(this.epoch),
      version: this.#version,
      editVersion: this.saver.editVersion,
      savedThrough: this.saver.savedThrough,
    };
  }

  #welcome(session: Session, told: object): object {
    const { sessionId, userId, role, clientId } = session;
    const { limits } = this.#deps.options;
    return {
      ...this.#place(),
      ...told,
      stateHash: stateHash(this.#document),
      ...this.attendance.list(),
      you: {
        sessionId,
        userId,
        role,
        color: colorOf(userId),
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

  /** Whether an operation of this opId was accepted or changed nothing. */
  hasAnswered(opId: string): boolean {
    return this.#history.hasAnswered(opId);
  }

  /** A durable operation of a member. */
  apply(session: Session, event: DurableEvent, payload: unknown): Reply {
    const read = readOperation(event, payload);
    if ('code' in read) return this.#reject(session, { event, opId: opIdOf(payload) }, read);
    const text = canonicalJson(read.op as unknown as Json);
    const contentHash = hashOfText(text);
    const known = read.opId === undefined ? null : this.#history.repetition(read.opId, contentHash);
    if (known !== null) {
      return known.isSame
        ? this.#ack(session, { opId: read.opId, ...known.ack })
        : this.#reject(session, { event, opId: read.opId }, { code: 'OPID_REUSED' });
    }
    const refusal = this.#admit(session);
    if (refusal !== null) return this.#reject(session, { event, opId: read.opId }, refusal);
    const opId = read.opId ?? this.#deps.ports.clock.newId();
    const now = this.#deps.ports.clock.monotonic();
    if (this.#history.isStale(read.version, this.#version, now)) {
      return this.#conflict(session, opId, read.version ?? 0);
    }
    const reduction = reduce(this.#document, read.op, {
      isLocked: (nodeId) => this.attendance.locks.isLockedFor(session, nodeId),
    });
    if (reduction.outcome === 'rejected') return this.#reject(session, { event, opId }, reduction);
    if (reduction.outcome === 'noop') {
      const { skipped } = reduction;
      this.#history.answer(opId, { contentHash, version: this.#version, isNoop: true, skipped });
      return this.#ack(session, {
        opId,
        version: this.#version,
        noop: true,
        ...skippedFacts(skipped),
      });
    }
    if (!this.#bound.mayGrow(countBytes(text)) && !this.#bound.permits(this.#document, reduction.document)) {
      return this.#reject(session, { event, opId }, { code: 'DOC_TOO_LARGE' });
    }
    return this.#accept(session, { ...read, opId, contentHash, size: text.length }, reduction);
  }

  /** From here on the operation has happened: its place, its effect, its record, its publication. */
  #accept(
    session: Session,
    sent: ReadOperation & { opId: string; contentHash: string; size: number },
    reduction: Applied,
  ): Reply {
    const { opId, contentHash, size } = sent;
    const { userId, sessionId } = session;
    const { op, touched, body, skipped } = reduction;
    const at = this.#deps.ports.clock.monotonic();
    const contended = this.#history.contended(touched, sent.version, sessionId);
    this.#document = reduction.document;
    this.#version += 1;
    const version = this.#version;
    const name = BROADCASTS[op.type];
    const payload = { workflowId: this.key.workflowId, version, opId, userId, sessionId, ...body };
    const record = { opId, contentHash, version, userId };
    this.#history.accept({ ...record, sessionId, touched, skipped, event: name, payload, size, at });
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
      ...skippedFacts(skipped),
    });
    this.#audience.toRoom(name, payload, { except: session });
    this.attendance.locks.forget(deletedNodes(op));
    return reply;
  }

  /** Why nothing can be taken from this session now; otherwise one operation of the room's rate is used. */
  #admit(session: Session): Refusal | null {
    if (!session.mayEdit()) return { code: 'FORBIDDEN' };
    const closed =
      this.#deps.closedFor() ?? (this.saver.isDegraded ? ({ code: 'PERSISTENCE_DEGRADED' } as const) : null);
    return closed ?? this.#rate.take();
  }

  #ack(session: Session, facts: Readonly<Record<string, unknown>>): Reply {
    const ack = { workflowId: this.key.workflowId, ...facts };
    session.send('ack', ack);
    return { ok: true, ...ack };
  }

  #reject(
    session: Session,
    { event, opId }: { event: string; opId: string | undefined },
    refusal: Refusal,
  ): Reply {
    const reply = refused(refusal);
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
    return refused({ code: 'CONFLICT', details: facts });
  }

  /** Requests about locks; nobody can hold a node that is not there. */
  lock(session: Session, event: string, payload: unknown): Reply {
    const request = readLockRequest(event, payload);
    if (request === null) return refused({ code: 'INVALID_PAYLOAD' });
    return this.attendance.lock(session, request, (nodeId) => this.#document.nodes.byKey.has(nodeId));
  }

  async flush(): Promise<Reply> {
    const isSaved = await this.saver.flush();
    if (!isSaved) return refused({ code: 'PERSISTENCE_DEGRADED' });
    return { ok: true, editVersion: this.saver.editVersion, savedThrough: this.saver.savedThrough };
  }

  externalChange(hint: ExternalHint): void {
    void this.saver.external(hint);
  }

  /** Tells why, and ends without saving. */
  quit(reason: 'moved' | 'deleted'): void {
    if (this.#isClosed) return;
    this.broadcast(`workflow:${reason}`, { workflowId: this.key.workflowId });
    this.close();
    this.#deps.onQuit();
  }

  /** Ends timers, sessions and maps, in this order; nothing is told. */
  close(): void {
    this.#isClosed = true;
    this.saver.dispose();
    this.attendance.dispose();
  }
}
