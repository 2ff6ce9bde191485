/**
 * Handles the notices of other processes (db/notices.ts): external saves, deletions, deployments, changed access, flushes. A
 * notice may be lost, so on every connect and every 15 s the rows of the live rooms are compared.
 */
import { z } from 'zod';
import type { Sql } from '../../../base/db/client.ts';
import { listenTo } from '../../../base/db/listen.ts';
import { ACCESS_CHANNEL, FLUSH_CHANNEL, WORKFLOW_CHANNEL } from '../../../base/db/notices.ts';
import type { Logger } from '../../../base/log.ts';
import type { AccessWatch } from './access-watch.ts';
import type { LiveRoom, RoomApi } from '../room/room-api.ts';

const SWEEP_MS = 15_000;

const id = z.uuid();
const WORKFLOW = z.union([
  z.object({
    w: id,
    v: z.int(),
    s: z.enum(['rest', 'composer', 'activation']).catch('rest'),
    u: id.optional(),
    l: id.optional(),
  }),
  z.object({ w: id, d: z.literal(true) }),
  z.object({ w: id, live: id.nullable() }),
]);
const ACCESS = z.object({ o: id.optional(), u: id.optional() });
const FLUSH = z.object({ w: id, n: z.int() });

interface NoticesDeps {
  readonly databaseUrl: string;
  readonly db: Sql;
  readonly log: Logger;
  readonly rooms: RoomApi;
  readonly access: AccessWatch;
  /** Records that the flush request numbered `request` is done. */
  answerFlush(workflowId: string, request: number): Promise<void>;
}

export class Notices {
  readonly #deps: NoticesDeps;
  readonly #listener: { close(): Promise<void> };
  readonly #sweeper: NodeJS.Timeout;
  #isSweeping = false;

  constructor(deps: NoticesDeps) {
    this.#deps = deps;
    this.#listener = listenTo(deps.databaseUrl, [WORKFLOW_CHANNEL, ACCESS_CHANNEL, FLUSH_CHANNEL], {
      onMessage: (payload, channel) => this.#handle(payload, channel),
      onConnect: () => {
        void this.#sweep();
        void deps.access.rereadAll();
      },
      onLost: (error) => deps.log.warn({ err: error }, 'the connection that listens for notices was lost'),
    });
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#listener.close();
  }

  #handle(payload: string, channel: string): void {
    try {
      const message: unknown = JSON.parse(payload);
      if (channel === WORKFLOW_CHANNEL) this.#handleWorkflow(WORKFLOW.parse(message));
      else if (channel === FLUSH_CHANNEL) void this.#flush(FLUSH.parse(message));
      else {
        const { o, u } = ACCESS.parse(message);
        const change = {
          ...(o === undefined ? {} : { organizationId: o }),
          ...(u === undefined ? {} : { userId: u }),
        };
        void this.#deps.access.handleChange(change);
      }
    } catch (error) {
      this.#deps.log.error({ err: error, channel }, 'a notice could not be read');
    }
  }

  #handleWorkflow(notice: z.output<typeof WORKFLOW>): void {
    const room = this.#find(notice.w);
    if (room === undefined) return;
    const { rooms } = this.#deps;
    if ('d' in notice) return rooms.handleDeleted(room);
    if ('live' in notice) return rooms.handleLiveChange(room, notice.live);
    const { v: editVersion, s: source, u: userId, l: liveDeploymentId } = notice;
    rooms.handleExternalSave({
      organizationId: room.organizationId,
      workflowId: room.workflowId,
      editVersion,
      source,
      ...(userId === undefined ? {} : { userId }),
      ...(liveDeploymentId === undefined ? {} : { liveDeploymentId }),
    });
  }

  /** Saves a room on request. A failed save is not answered: the requester times out. */
  async #flush({ w: workflowId, n: request }: z.output<typeof FLUSH>): Promise<void> {
    const room = this.#find(workflowId);
    if (room === undefined) return;
    try {
      if (await this.#deps.rooms.flushWorkflow(room)) await this.#deps.answerFlush(workflowId, request);
    } catch (error) {
      this.#deps.log.warn({ err: error, workflow_id: workflowId }, 'a requested save failed');
    }
  }

  #find(workflowId: string): LiveRoom | undefined {
    return this.#deps.rooms.listLive().find((room) => room.workflowId === workflowId);
  }

  async #sweep(): Promise<void> {
    const { rooms, db, log } = this.#deps;
    const live = rooms.listLive();
    if (this.#isSweeping || live.length === 0) return;
    this.#isSweeping = true;
    try {
      const rows = await db.query<{ id: string; editVersion: number }>(
        'SELECT id, edit_version AS "editVersion" FROM workflows WHERE id = ANY($1::uuid[])',
        [live.map((room) => room.workflowId)],
      );
      const versions = new Map(rows.map((row) => [row.id, row.editVersion]));
      for (const room of live) this.#compare(room, versions.get(room.workflowId));
    } catch (error) {
      log.warn({ err: error }, 'the rows of the live rooms could not be read');
    } finally {
      this.#isSweeping = false;
    }
  }

  #compare(room: LiveRoom, editVersion: number | undefined): void {
    const { organizationId, workflowId } = room;
    if (editVersion === undefined) this.#deps.rooms.handleDeleted(room);
    else if (editVersion > room.editVersion) {
      this.#deps.rooms.handleExternalSave({ organizationId, workflowId, editVersion, source: 'unknown' });
    }
  }
}
