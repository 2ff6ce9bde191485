/** Five people who leave marks, fifty a second together, through bare clients; and one who watches and keeps the time. */
import { sleep } from '../../support/waiting.ts';
import type { Tenant } from '../../support/api-server.ts';
import type { Payload, Peer } from '../../features/canvas/support/peer.ts';
import type { CanvasSituation } from './canvas-situation.ts';

const PEOPLE = 5;
const EVERY_MS = 100;

export interface Crowd {
  /** Does nothing but listen. */
  readonly watcher: Peer;
  /** How many edits were sent. */
  readonly sent: number;
  /** Marks whose edits were acknowledged. */
  readonly acked: ReadonlySet<string>;
  /** Everything that was answered otherwise. */
  readonly refused: readonly Payload[];
  /** The highest version that was acknowledged. */
  readonly version: number;
  /** Milliseconds from sending to the watcher, of all edits since the last call. */
  takeRelayed(): number[];
  /** Ends the work; resolves when every edit has its answer. */
  stop(): Promise<void>;
  /** Everybody leaves. */
  close(): void;
}

/** @param workflowId of a workflow with marks; everybody is in it and at work when this returns */
export async function startCrowd(
  situation: CanvasSituation,
  tenant: Tenant,
  workflowId: string,
): Promise<Crowd> {
  const watcher = await situation.peer(tenant);
  const peers = await Promise.all(Array.from({ length: PEOPLE }, () => situation.peer(tenant)));
  for (const peer of [watcher, ...peers]) await peer.join(workflowId);
  const acked = new Set<string>();
  const refused: Payload[] = [];
  const sentAt = new Map<string, number>();
  let sent = 0;
  let version = 0;
  let relayed: number[] = [];
  let isOver = false;
  watcher.socket.on('config:updated', ({ opId }: Payload) => {
    const at = sentAt.get(opId);
    if (at !== undefined) relayed.push(performance.now() - at);
    sentAt.delete(opId);
  });
  const edit = async (peer: Peer, mark: string): Promise<void> => {
    sentAt.set(mark, performance.now());
    sent += 1;
    const fields = { opId: mark, set: { [`/marks/${mark}`]: 1 } };
    const reply = await peer.op('config:update', workflowId, fields);
    if (reply.ok === true) {
      acked.add(mark);
      version = Math.max(version, reply.version);
    } else refused.push(reply);
  };
  const work = peers.map(async (peer, seat) => {
    const answers: Promise<void>[] = [];
    // Not one after the other: people do not wait for the server either.
    for (let n = 0; !isOver; n += 1) {
      answers.push(edit(peer, `${seat}_${n}`));
      await sleep(EVERY_MS);
    }
    await Promise.all(answers);
  });
  return {
    watcher,
    acked,
    refused,
    get sent() {
      return sent;
    },
    get version() {
      return version;
    },
    takeRelayed() {
      const taken = relayed;
      relayed = [];
      return taken;
    },
    async stop() {
      isOver = true;
      await Promise.all(work);
    },
    close() {
      for (const peer of [watcher, ...peers]) peer.close();
    },
  };
}
