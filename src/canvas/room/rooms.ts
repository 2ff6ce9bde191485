/**
 * All rooms of this process, one for each workflow that somebody edits: how they come to be, who gets in, and when they
 * end. A room with unsaved operations is never ended.
 */
import type { ExternalHint, LiveRoom, RoomCounts, RoomApi, RoomOptions } from './room-api.ts';
import { OpLog } from './op-log.ts';
import type { Reply, RoomKey, RoomPorts, Session } from './ports.ts';
import { opIdOf } from './envelope.ts';
import { isDurableEvent } from './read-operation.ts';
import { isEphemeral, readJoin, readWorkflowId, type JoinRequest } from './read-presence.ts';
import { refused, type Refusal } from './rejection.ts';
import { Room } from './room.ts';
import { RoomLoader } from './room-loader.ts';
import { RoomUnloader } from './room-unloader.ts';

export const MAX_ROOMS_OF_SESSION = 5;
export const MAX_SESSIONS = 200;
const DRAIN_AT_ONCE = 8;
const DRAIN_RETRY_MS = 250;

export class Rooms implements RoomApi {
  readonly #ports: RoomPorts;
  readonly #opLog: OpLog;
  readonly #rooms = new Map<string, Room>();
  readonly #loader: RoomLoader;
  readonly #unloader: RoomUnloader;
  /** Joins that wait for a room, by session: leaving or losing the connection meanwhile takes them back. */
  readonly #joining = new Map<Session, Map<string, object>>();
  #fencedFrom = Infinity;
  #isDraining = false;

  constructor(ports: RoomPorts, options: RoomOptions) {
    this.#ports = ports;
    this.#opLog = new OpLog(ports);
    this.#unloader = new RoomUnloader(ports, (room) => this.#forget(room));
    this.#loader = new RoomLoader(ports, (key, loaded) => {
      const room: Room = new Room(key, loaded, {
        ports,
        options,
        opLog: this.#opLog,
        closedFor: () => this.#closedFor(),
        onEmpty: () => this.#unloader.watch(room),
        onQuit: () => this.#forget(room),
      });
      this.#rooms.set(key.workflowId, room);
      // Whoever asked for it may be gone by now.
      this.#unloader.watch(room);
      return room;
    });
  }

  #forget(room: Room): void {
    this.#unloader.forget(room);
    if (this.#rooms.get(room.key.workflowId) === room) this.#rooms.delete(room.key.workflowId);
  }

  #closedFor(): Refusal | null {
    if (this.#isDraining) return { code: 'SERVER_DRAINING' };
    // Asked with each operation, of the clock: a process that wakes up is given packets before its timers.
    return this.#ports.clock.monotonic() < this.#fencedFrom ? null : { code: 'OWNER_LOST' };
  }

  #roomAt({ organizationId, workflowId }: RoomKey): Room | null {
    const room = this.#rooms.get(workflowId);
    return room?.key.organizationId === organizationId ? room : null;
  }

  /** The room that a payload names, if the session is in it. */
  #roomOf(session: Session, payload: unknown): Room | null {
    const workflowId = readWorkflowId(payload);
    if (workflowId === null) return null;
    const room = this.#rooms.get(workflowId);
    return room?.attendance.has(session) === true ? room : null;
  }

  async join(session: Session, payload: unknown): Promise<Reply> {
    const request = readJoin(payload);
    if (request === null) return refused({ code: 'INVALID_PAYLOAD', because: 'workflowId' });
    const reply = await this.#admit(session, request);
    if (!reply.ok && reply.code !== 'SUPERSEDED') {
      const { ok: _refused, ...facts } = reply;
      session.send('workflow:join-error', { workflowId: request.workflowId, ...facts });
    }
    return reply;
  }

  async #admit(session: Session, { workflowId, since }: JoinRequest): Promise<Reply> {
    if (this.#isDraining) return refused({ code: 'SERVER_DRAINING' });
    const key = { organizationId: session.organizationId, workflowId };
    const isElsewhere = !this.roomsOf(session).includes(workflowId);
    if (isElsewhere && this.roomsOf(session).length >= MAX_ROOMS_OF_SESSION) {
      return refused({ code: 'ROOM_LIMIT' });
    }
    const ticket = {};
    this.#tickets(session).set(workflowId, ticket);
    const found = this.#roomAt(key) ?? (await this.#loader.load(key));
    if (!(found instanceof Room)) {
      return this.#takeTicket(session, workflowId, ticket) ? refused(found) : refused({ code: 'SUPERSEDED' });
    }
    const endTurn = await this.#ports.snapshots.take(session, found.bytes);
    try {
      // Nothing was done for this session yet, so there is nothing to take back.
      if (!this.#takeTicket(session, workflowId, ticket)) return refused({ code: 'SUPERSEDED' });
      return this.#enter(session, { room: found, since });
    } finally {
      endTurn();
    }
  }

  /** @returns false when the session has asked again, has left or has gone since it got the ticket */
  #takeTicket(session: Session, workflowId: string, ticket: object): boolean {
    const tickets = this.#tickets(session);
    const isCurrent = tickets.get(workflowId) === ticket;
    if (isCurrent) tickets.delete(workflowId);
    if (tickets.size === 0) this.#joining.delete(session);
    return isCurrent;
  }

  #enter(
    session: Session,
    { room, since }: { readonly room: Room; readonly since: JoinRequest['since'] },
  ): Reply {
    if (room.isClosed) return refused({ code: 'LOAD_FAILED' });
    if (this.#isDraining) return refused({ code: 'SERVER_DRAINING' });
    if (!room.attendance.has(session) && room.attendance.size >= MAX_SESSIONS) {
      return refused({ code: 'ROOM_FULL' });
    }
    this.#unloader.forget(room);
    return room.enter(session, since);
  }

  #tickets(session: Session): Map<string, object> {
    const tickets = this.#joining.get(session) ?? new Map<string, object>();
    this.#joining.set(session, tickets);
    return tickets;
  }

  leave(session: Session, payload: unknown): Reply {
    const workflowId = readWorkflowId(payload);
    if (workflowId === null) return refused({ code: 'INVALID_PAYLOAD', because: 'workflowId' });
    this.#joining.get(session)?.delete(workflowId);
    this.#rooms.get(workflowId)?.attendance.leave(session);
    session.send('workflow:left', { workflowId });
    return { ok: true, workflowId };
  }

  async resync(session: Session, payload: unknown): Promise<Reply> {
    return (await this.#roomOf(session, payload)?.show(session)) ?? refused({ code: 'NOT_JOINED' });
  }

  async flush(session: Session, payload: unknown): Promise<Reply> {
    return (await this.#roomOf(session, payload)?.flush()) ?? refused({ code: 'NOT_JOINED' });
  }

  isRepetition(session: Session, payload: unknown): boolean {
    const opId = opIdOf(payload);
    return opId !== undefined && this.#roomOf(session, payload)?.hasAnswered(opId) === true;
  }

  apply(session: Session, event: string, payload: unknown): Reply {
    if (!isDurableEvent(event)) return this.#reject(session, { event, payload }, { code: 'UNKNOWN_EVENT' });
    if (readWorkflowId(payload) === null) {
      return this.#reject(session, { event, payload }, { code: 'INVALID_PAYLOAD', because: 'workflowId' });
    }
    const room = this.#roomOf(session, payload);
    return (
      room?.apply(session, event, payload) ??
      this.#reject(session, { event, payload }, { code: 'NOT_JOINED' })
    );
  }

  /** Of an operation that reaches no room. */
  #reject(
    session: Session,
    { event, payload }: { readonly event: string; readonly payload: unknown },
    refusal: Refusal,
  ): Reply {
    const { ok: _refused, ...facts } = refused(refusal);
    const workflowId = readWorkflowId(payload);
    session.send('operation:rejected', { ...(workflowId === null ? {} : { workflowId }), event, ...facts });
    return refused(refusal);
  }

  ephemeral(session: Session, event: string, payload: unknown): void {
    if (isEphemeral(event)) this.#roomOf(session, payload)?.attendance.ephemeral(session, event, payload);
  }

  lock(session: Session, event: string, payload: unknown): Reply {
    return this.#roomOf(session, payload)?.lock(session, event, payload) ?? refused({ code: 'NOT_JOINED' });
  }

  lost(session: Session): void {
    this.#joining.delete(session);
    for (const room of this.#rooms.values()) room.attendance.lose(session);
  }

  roomsOf(session: Session): readonly string[] {
    const inside = [...this.#rooms.values()].filter((room) => room.attendance.has(session));
    return [...inside.map((room) => room.key.workflowId), ...(this.#joining.get(session)?.keys() ?? [])];
  }

  externalChange(hint: ExternalHint): void {
    this.#roomAt(hint)?.externalChange(hint);
  }

  deleted(key: RoomKey): void {
    this.#roomAt(key)?.quit('deleted');
  }

  moved(key: RoomKey): void {
    this.#roomAt(key)?.quit('moved');
  }

  revoke(session: Session, workflowId?: string): void {
    if (workflowId === undefined) this.#joining.delete(session);
    else this.#joining.get(session)?.delete(workflowId);
    for (const room of this.#rooms.values()) {
      const isMeant = workflowId === undefined || room.key.workflowId === workflowId;
      if (isMeant && room.attendance.has(session)) room.attendance.revoke(session);
    }
  }

  async flushWorkflow(key: RoomKey): Promise<boolean> {
    const room = this.#roomAt(key);
    return room === null ? true : room.saver.flush();
  }

  fenceFrom(at: number): void {
    this.#fencedFrom = at;
  }

  live(): readonly LiveRoom[] {
    return [...this.#rooms.values()].map((room) => room.live);
  }

  counts(): RoomCounts {
    const rooms = [...this.#rooms.values()];
    const sum = (of: (room: Room) => number): number => rooms.reduce((total, room) => total + of(room), 0);
    const total = sum((room) => room.attendance.size);
    const idle = sum((room) => room.attendance.idle);
    return {
      rooms: rooms.length,
      sessions: { total, active: total - idle, idle },
      unsavedOps: sum((room) => room.saver.unsavedOps),
      degradedRooms: sum((room) => (room.saver.isDegraded ? 1 : 0)),
    };
  }

  async drain(deadlineMs: number): Promise<number> {
    this.#isDraining = true;
    this.#unloader.dispose();
    let isLate = false;
    const deadline = this.#after(deadlineMs).then(() => {
      isLate = true;
    });
    while (this.#rooms.size > 0 && !isLate) {
      await Promise.race([deadline, this.#unloadAll()]);
      // The database may be back in a moment.
      if (this.#rooms.size > 0) await Promise.race([deadline, this.#after(DRAIN_RETRY_MS)]);
    }
    return this.#rooms.size;
  }

  #after(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#ports.clock.setTimeout(resolve, ms);
    });
  }

  async #unloadAll(): Promise<void> {
    const waiting = [...this.#rooms.values()];
    const unloadNext = async (): Promise<void> => {
      for (let room = waiting.shift(); room !== undefined; room = waiting.shift()) {
        await this.#unloader.unload(room);
      }
    };
    await Promise.all(Array.from({ length: DRAIN_AT_ONCE }, unloadNext));
  }

  dispose(): void {
    this.#isDraining = true;
    this.#unloader.dispose();
    this.#opLog.dispose();
    this.#joining.clear();
    for (const room of this.#rooms.values()) room.close();
    this.#rooms.clear();
  }
}
