/**
 * All rooms of this process, one for each open workflow: loads them, admits sessions, routes their events and closes
 * empty rooms. A room with unsaved operations is never closed.
 */
import type { ExternalSaveNotice, LiveRoom, RoomCounts, RoomApi, RoomOptions } from './room-api.ts';
import { OpLog } from './op-log.ts';
import type { Reply, RoomKey, RoomPorts, Session } from './ports.ts';
import { peekOpId } from './envelope.ts';
import { isDurableEvent } from './read-operation.ts';
import { isEphemeral, readJoin, readWorkflowId, type JoinRequest } from './read-presence.ts';
import { reject, type Rejection } from './rejection.ts';
import { Room } from './room.ts';
import { RoomLoader } from './room-loader.ts';
import { RoomUnloader } from './room-unloader.ts';
import { WorkRates } from './work-rates.ts';

export const MAX_ROOMS_PER_SESSION = 5;
export const MAX_SESSIONS_PER_ROOM = 200;
const DRAIN_CONCURRENCY = 8;
const DRAIN_RETRY_MS = 250;
/** A lease (15 s) and the time to load the room. */
const OWNER_WAIT_MS = 20_000;
const OWNER_RETRY_MS = 500;

export class Rooms implements RoomApi {
  readonly #ports: RoomPorts;
  readonly #opLog: OpLog;
  readonly #rooms = new Map<string, Room>();
  readonly #loader: RoomLoader;
  readonly #unloader: RoomUnloader;
  /** Pending joins by session and workflow. Leaving or disconnecting deletes the ticket, which cancels the join. */
  readonly #joining = new Map<Session, Map<string, object>>();
  #fencedFrom = Infinity;
  #isDraining = false;

  constructor(ports: RoomPorts, options: RoomOptions) {
    this.#ports = ports;
    this.#opLog = new OpLog(ports);
    this.#unloader = new RoomUnloader(ports, (room) => this.#forget(room));
    const workRates = new WorkRates(ports.clock);
    this.#loader = new RoomLoader(ports, (key, begun) => {
      const room: Room = new Room(key, begun, {
        ports,
        options,
        opLog: this.#opLog,
        workRates,
        closedReason: () => this.#closedReason(),
        onEmpty: () => this.#unloader.schedule(room),
        onEnded: () => this.#forget(room),
      });
      this.#rooms.set(key.workflowId, room);
      // The session that requested it may have disconnected while it was loaded.
      this.#unloader.schedule(room);
      return room;
    });
  }

  #forget(room: Room): void {
    this.#unloader.cancel(room);
    if (this.#rooms.get(room.key.workflowId) === room) this.#rooms.delete(room.key.workflowId);
  }

  #closedReason(): Rejection | null {
    if (this.#isDraining) return { code: 'SERVER_DRAINING' };
    // The clock is read for each operation: a process that resumes from a pause gets packets before its timers fire.
    return this.#ports.clock.monotonic() < this.#fencedFrom ? null : { code: 'OWNER_LOST' };
  }

  #find({ organizationId, workflowId }: RoomKey): Room | null {
    const room = this.#rooms.get(workflowId);
    return room?.key.organizationId === organizationId ? room : null;
  }

  /** Finds the room that a payload names, if the session is in it. */
  #findJoined(session: Session, payload: unknown): Room | null {
    const workflowId = readWorkflowId(payload);
    if (workflowId === null) return null;
    const room = this.#rooms.get(workflowId);
    return room?.members.has(session) === true ? room : null;
  }

  async join(session: Session, payload: unknown): Promise<Reply> {
    const request = readJoin(payload);
    if (request === null) return reject({ code: 'INVALID_PAYLOAD', because: 'workflowId' });
    const reply = await this.#handleJoin(session, request);
    if (!reply.ok && reply.code !== 'SUPERSEDED') {
      const { ok: _refused, ...facts } = reply;
      session.send('workflow:join-error', { workflowId: request.workflowId, ...facts });
    }
    return reply;
  }

  async #handleJoin(session: Session, request: JoinRequest): Promise<Reply> {
    const { workflowId, since } = request;
    if (this.#isDraining) return reject({ code: 'SERVER_DRAINING' });
    const isElsewhere = !this.listRooms(session).includes(workflowId);
    if (isElsewhere && this.listRooms(session).length >= MAX_ROOMS_PER_SESSION) {
      return reject({ code: 'ROOM_LIMIT' });
    }
    const ticket = {};
    this.#tickets(session).set(workflowId, ticket);
    const found = await this.#findOrJoinElsewhere(session, { ...request, ticket });
    if (!(found instanceof Room)) {
      return this.#takeTicket(session, workflowId, ticket) ? found : reject({ code: 'SUPERSEDED' });
    }
    const endTurn = await this.#ports.snapshots.acquire(session, found.bytes);
    try {
      // The session has not been added yet, so a cancelled join leaves nothing to undo.
      if (!this.#takeTicket(session, workflowId, ticket)) return reject({ code: 'SUPERSEDED' });
      return this.#enter(session, { room: found, since });
    } finally {
      endTurn();
    }
  }

  /**
   * Finds or loads the room, or joins it at its owner. An owner that does not answer may be dead: then its lease ends, and the
   * room is loaded here. The join waits for that, so a client that does not try again is served as well.
   */
  async #findOrJoinElsewhere(
    session: Session,
    { ticket, ...request }: JoinRequest & { readonly ticket: object },
  ): Promise<Room | Reply> {
    const { clock, remote } = this.#ports;
    const key = { organizationId: session.organizationId, workflowId: request.workflowId };
    const until = clock.monotonic() + OWNER_WAIT_MS;
    for (;;) {
      const found = this.#find(key) ?? (await this.#loader.load(key));
      if (found instanceof Room) return found;
      if (!('ownerUrl' in found)) return reject(found);
      const reply =
        found.ownerUrl === null ? null : ((await remote?.join(session, request, found.ownerUrl)) ?? null);
      if (reply !== null) return reply;
      const isCurrent = this.#joining.get(session)?.get(key.workflowId) === ticket;
      if (!isCurrent || remote === undefined || clock.monotonic() >= until)
        return reject({ code: 'LOAD_FAILED', because: 'another server has it' });
      await this.#sleep(OWNER_RETRY_MS);
      if (this.#isDraining) return reject({ code: 'SERVER_DRAINING' });
    }
  }

  /** @returns false when the session has joined again, left or disconnected since it got the ticket */
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
    if (room.isClosed) return reject({ code: 'LOAD_FAILED' });
    if (this.#isDraining) return reject({ code: 'SERVER_DRAINING' });
    if (!room.members.has(session) && room.members.size >= MAX_SESSIONS_PER_ROOM) {
      return reject({ code: 'ROOM_FULL' });
    }
    this.#unloader.cancel(room);
    return room.join(session, since);
  }

  #tickets(session: Session): Map<string, object> {
    const tickets = this.#joining.get(session) ?? new Map<string, object>();
    this.#joining.set(session, tickets);
    return tickets;
  }

  leave(session: Session, payload: unknown): Reply {
    const workflowId = readWorkflowId(payload);
    if (workflowId === null) return reject({ code: 'INVALID_PAYLOAD', because: 'workflowId' });
    this.#joining.get(session)?.delete(workflowId);
    this.#rooms.get(workflowId)?.members.leave(session);
    session.send('workflow:left', { workflowId });
    return { ok: true, workflowId };
  }

  async resync(session: Session, payload: unknown): Promise<Reply> {
    return (
      (await this.#findJoined(session, payload)?.sendSnapshot(session)) ?? reject({ code: 'NOT_JOINED' })
    );
  }

  async flush(session: Session, payload: unknown): Promise<Reply> {
    return (await this.#findJoined(session, payload)?.flush()) ?? reject({ code: 'NOT_JOINED' });
  }

  isDuplicate(session: Session, payload: unknown): boolean {
    const opId = peekOpId(payload);
    return opId !== undefined && this.#findJoined(session, payload)?.isDuplicate(opId) === true;
  }

  apply(session: Session, event: string, payload: unknown): Reply {
    if (!isDurableEvent(event))
      return this.#rejectOperation(session, { event, payload }, { code: 'UNKNOWN_EVENT' });
    if (readWorkflowId(payload) === null) {
      return this.#rejectOperation(
        session,
        { event, payload },
        { code: 'INVALID_PAYLOAD', because: 'workflowId' },
      );
    }
    const room = this.#findJoined(session, payload);
    return (
      room?.apply(session, event, payload) ??
      this.#rejectOperation(session, { event, payload }, { code: 'NOT_JOINED' })
    );
  }

  /** Rejects an operation that reaches no room. */
  #rejectOperation(
    session: Session,
    { event, payload }: { readonly event: string; readonly payload: unknown },
    refusal: Rejection,
  ): Reply {
    const { ok: _refused, ...facts } = reject(refusal);
    const workflowId = readWorkflowId(payload);
    session.send('operation:rejected', { ...(workflowId === null ? {} : { workflowId }), event, ...facts });
    return reject(refusal);
  }

  updatePresence(session: Session, event: string, payload: unknown): void {
    if (isEphemeral(event))
      this.#findJoined(session, payload)?.members.updatePresence(session, event, payload);
  }

  handleLockRequest(session: Session, event: string, payload: unknown): Reply {
    return (
      this.#findJoined(session, payload)?.handleLockRequest(session, event, payload) ??
      reject({ code: 'NOT_JOINED' })
    );
  }

  disconnect(session: Session): void {
    this.#joining.delete(session);
    for (const room of this.#rooms.values()) room.members.disconnect(session);
  }

  listRooms(session: Session): readonly string[] {
    const inside = [...this.#rooms.values()].filter((room) => room.members.has(session));
    return [...inside.map((room) => room.key.workflowId), ...(this.#joining.get(session)?.keys() ?? [])];
  }

  handleExternalSave(hint: ExternalSaveNotice): void {
    this.#find(hint)?.handleExternalSave(hint);
  }

  handleLiveChange(key: RoomKey, liveDeploymentId: string | null): void {
    this.#find(key)?.broadcast('workflow:live-changed', { workflowId: key.workflowId, liveDeploymentId });
  }

  handleDeleted(key: RoomKey): void {
    this.#find(key)?.end('deleted');
  }

  handleMoved(key: RoomKey): void {
    this.#find(key)?.end('moved');
  }

  revoke(session: Session, workflowId?: string): void {
    if (workflowId === undefined) this.#joining.delete(session);
    else this.#joining.get(session)?.delete(workflowId);
    for (const room of this.#rooms.values()) {
      const isMeant = workflowId === undefined || room.key.workflowId === workflowId;
      if (isMeant && room.members.has(session)) room.members.revoke(session);
    }
  }

  async flushWorkflow(key: RoomKey): Promise<boolean> {
    const room = this.#find(key);
    return room === null ? true : room.saver.flush();
  }

  fenceFrom(at: number): void {
    this.#fencedFrom = at;
  }

  listLive(): readonly LiveRoom[] {
    return [...this.#rooms.values()].map((room) => room.live);
  }

  counts(): RoomCounts {
    const rooms = [...this.#rooms.values()];
    const sum = (of: (room: Room) => number): number => rooms.reduce((total, room) => total + of(room), 0);
    const total = sum((room) => room.members.size);
    const idle = sum((room) => room.members.idle);
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
    const deadline = this.#sleep(deadlineMs).then(() => {
      isLate = true;
    });
    while (this.#rooms.size > 0 && !isLate) {
      await Promise.race([deadline, this.#unloadAll()]);
      // A save may have failed for a moment only.
      if (this.#rooms.size > 0) await Promise.race([deadline, this.#sleep(DRAIN_RETRY_MS)]);
    }
    return this.#rooms.size;
  }

  #sleep(ms: number): Promise<void> {
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
    await Promise.all(Array.from({ length: DRAIN_CONCURRENCY }, unloadNext));
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
