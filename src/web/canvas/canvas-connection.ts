/**
 * The page's connection to the canvas connection of one workflow: opens the client, tells React once a frame, and keeps unsaved
 * edits over a reload. The only caller of the client's `edit`.
 */
import { io, type Socket } from 'socket.io-client';
import { Canvas, overSocket, type CanvasStatus, type UndoResult } from '../../canvas/client/canvas.ts';
import { readKeptEdits } from '../../canvas/client/kept-edits.ts';
import { RemotePresence } from '../../canvas/client/presence.ts';
import type { EditOptions, UndoStack } from '../../canvas/client/undo-stack.ts';
import { findElement, type CanvasDocument } from '../../canvas/room/document.ts';
import type { DurableOp } from '../../canvas/room/operations.ts';
import type { JsonObject } from '../../graph/value.ts';
import { editorWords } from '../words-editor.ts';
import { Drafts } from '../forms/drafts.ts';
import { Collaborators } from './collaborators.ts';
import { RunBoard } from './run-board.ts';

interface ConnectionOptions {
  readonly workflowId: string;
  readonly organizationId: string;
  readonly realtimeUrl: string;
  readonly clientId: string;
  readonly token: () => Promise<string>;
  readonly undoStack: UndoStack;
}

/** A message that the page shows its user once. */
export interface Notice {
  /** `spoken`: for screen readers alone. */
  readonly tone: 'info' | 'warning' | 'error' | 'spoken';
  readonly text: string;
}

export interface SaveState {
  readonly status: CanvasStatus;
  readonly unsent: number;
  readonly unsaved: number;
  readonly undo: string | null;
  readonly redo: string | null;
  /** Why the connection is closed for good; null while it is open. */
  readonly closed: string | null;
}

const { notices } = editorWords;
/** A hidden page gets no frames. */
const HIDDEN_MS = 250;
const LET_GO_MS = 5_000;
/** A person who has not changed anything for this long keeps nobody waiting. */
const IDLE_MS = 30_000;

const describeCode = (code: string): string => notices.why[code] ?? code.toLowerCase().replaceAll('_', ' ');

export class CanvasConnection {
  readonly workflowId: string;
  readonly collaborators: Collaborators;
  readonly drafts: Drafts;
  readonly board = new RunBoard((tell) => requestAnimationFrame(tell));
  readonly canvas: Canvas;
  readonly presence: RemotePresence;
  readonly #socket: Socket;
  readonly #keptKey: string;
  /** Locks that are held or requested, and the timer that releases each. */
  readonly #held = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  readonly #notices = new Set<(notice: Notice) => void>();
  readonly #liveListeners = new Set<() => void>();
  #state: SaveState = { status: 'closed', unsent: 0, unsaved: 0, undo: null, redo: null, closed: null };
  #closed: string | null = null;
  #isDirty = false;

  constructor({ workflowId, organizationId, realtimeUrl, clientId, token, undoStack }: ConnectionOptions) {
    this.workflowId = workflowId;
    this.#keptKey = `unsaved:${workflowId}:${clientId}`;
    this.#socket = io(realtimeUrl, {
      transports: ['websocket'],
      autoConnect: false,
      reconnectionDelayMax: 2_000,
      auth: (give) => {
        token().then(
          (fresh) => give({ token: fresh, organizationId, clientId, caps: ['frames'] }),
          () => give({ organizationId, clientId }),
        );
      },
    });
    const transport = overSocket(this.#socket);
    const kept = readKeptEdits(sessionStorage.getItem(this.#keptKey));
    const clock = {
      setTimeout: (work: () => void, ms: number) => window.setTimeout(work, ms),
      clearTimeout: (timer: object | number) => {
        if (typeof timer === 'number') window.clearTimeout(timer);
      },
    };
    this.collaborators = new Collaborators();
    this.drafts = new Drafts(this);
    this.canvas = new Canvas({
      transport,
      workflowId,
      clientId,
      clock,
      undoStack,
      ...(kept === undefined ? {} : { kept }),
      onChange: () => {
        this.drafts.onDocumentChange();
        this.#touch();
      },
      onRemote: (op, userId) => this.drafts.noteAuthor(op, this.#findName(userId)),
      onStatus: () => this.#touch(),
      onDropped: (opId, code, isPart) => {
        this.drafts.onRefused(opId);
        this.notify('warning', (isPart ? notices.partDropped : notices.dropped)(describeCode(code)));
      },
      onSkipped: (_opId, codes) =>
        this.notify('warning', notices.skipped(codes.length, describeCode(codes[0] ?? ''))),
      onContended: (_opId, places) => {
        const names = new Set(places.map(({ byUserId }) => this.#findName(byUserId)));
        this.notify('info', notices.contended([...names].join(', ')));
      },
      onLiveChange: () => {
        for (const listener of this.#liveListeners) listener();
      },
      onLockLost: (nodeId) => this.#loseLock(nodeId),
      onClosed: (reason) => this.#close(reason),
    });
    this.presence = new RemotePresence({
      transport,
      workflowId,
      clock,
      onPeople: () => {
        this.#noticeTakenLocks();
        this.collaborators.update(this.presence);
      },
      onCursor: (sessionId, at) => this.collaborators.cursor(sessionId, at),
      onDrag: (sessionId, moves) => this.collaborators.drag(sessionId, moves),
      onRun: (news) => this.board.hear(news),
    });
    this.#socket.on('auth:expiring', () => {
      void token().then((fresh) => this.#socket.emit('auth:refresh', { token: fresh }));
    });
  }

  open(): void {
    window.addEventListener('pagehide', this.#keep);
    this.canvas.open();
    this.#socket.connect();
  }

  dispose(): void {
    this.drafts.dispose();
    window.removeEventListener('pagehide', this.#keep);
    this.#keep();
    this.presence.dispose();
    this.canvas.close();
    this.#socket.disconnect();
    this.collaborators.dispose();
  }

  get view(): CanvasDocument {
    return this.canvas.view;
  }
  node(id: string): JsonObject | undefined {
    return findElement(this.canvas.view.nodes, id);
  }
  get state(): SaveState {
    return this.#state;
  }

  /** @returns whether the document took it */
  edit(op: DurableOp | null, words: EditOptions): boolean {
    return op !== null && this.#closed === null && this.canvas.edit(op, words) !== null;
  }

  /** Edits as `edit` does. @returns the opId; null when nothing is sent */
  send(op: DurableOp, words: EditOptions): string | null {
    return this.#closed === null ? this.canvas.edit(op, words) : null;
  }

  /** Acquires a node's lock when one of its fields changes; typing does not wait for the answer. */
  hold(nodeId: string): void {
    const isHeld = this.#held.has(nodeId);
    this.#holdFor(nodeId, IDLE_MS);
    if (isHeld) return;
    void this.canvas.locks.acquire(nodeId, false).then((answer) => {
      if (answer.ok) return undefined;
      const { holder } = answer;
      // Another tab of the same person is not where that person types now.
      if (holder !== null && holder.userId === this.presence.me?.userId) return this.takeOver(nodeId);
      this.#forgetLock(nodeId);
      if (holder !== null) this.notify('warning', notices.locked(holder.name));
      return undefined;
    });
  }

  /** Releases the lock 5 s after its field is left, because the next click is often into another field of the node. */
  letGo(nodeId: string): void {
    if (this.#held.has(nodeId)) this.#holdFor(nodeId, LET_GO_MS);
  }

  /** Steals a lock: from another tab of the same person at once, from a colleague who has been away for 10 s. */
  async takeOver(nodeId: string): Promise<void> {
    const answer = await this.canvas.locks.acquire(nodeId, true);
    if (answer.ok) return this.#holdFor(nodeId, IDLE_MS);
    this.#forgetLock(nodeId);
    this.notify('info', notices.stillThere(answer.holder?.name ?? notices.somebody));
  }

  /** Releases a lock after this time unless it is held again before. */
  #holdFor(nodeId: string, ms: number): void {
    window.clearTimeout(this.#held.get(nodeId));
    const release = (): void => {
      this.#held.delete(nodeId);
      void this.canvas.locks.release(nodeId);
    };
    this.#held.set(nodeId, window.setTimeout(release, ms));
  }

  #forgetLock(nodeId: string): void {
    window.clearTimeout(this.#held.get(nodeId));
    this.#held.delete(nodeId);
  }

  /** Warns only when somebody else holds the lock: one that ended by itself is acquired again with the next key. */
  #loseLock(nodeId: string): void {
    this.#forgetLock(nodeId);
    const holder = this.presence.findLock(nodeId);
    if (holder !== null && holder.userId !== this.presence.me?.userId)
      this.notify('warning', notices.lockLost(holder.name));
  }

  /** Drops a lock that a colleague has stolen without waiting for the next renewal, up to 10 s later. */
  #noticeTakenLocks(): void {
    for (const nodeId of this.canvas.locks.held) {
      const holder = this.presence.findLock(nodeId);
      if (holder !== null && holder.userId !== this.presence.me?.userId) this.canvas.locks.forget(nodeId);
    }
  }

  /** Resolves when everything that was edited here is stored. */
  saved(): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.canvas.unsent + this.canvas.unsaved > 0 || this.drafts.isSaving) return;
        stop();
        resolve();
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  undo(): void {
    this.#say(notices.undone, this.canvas.undo());
  }
  redo(): void {
    this.#say(notices.redone, this.canvas.redo());
  }

  #say(done: string, what: UndoResult | null): void {
    if (what === null || what.leftOut === 0) return;
    this.notify(
      'info',
      notices.partly(done, what.label || notices.lastEdit, notices.rest(what.leftOut, what.parts)),
    );
  }

  notify(tone: Notice['tone'], text: string): void {
    for (const hear of this.#notices) hear({ tone, text });
  }
  readonly onNotice = (hear: (notice: Notice) => void): (() => void) => {
    this.#notices.add(hear);
    return () => this.#notices.delete(hear);
  };
  /** Calls the listener when anybody has deployed the workflow, or set another version live. */
  readonly onLiveChange = (listener: () => void): (() => void) => {
    this.#liveListeners.add(listener);
    return () => this.#liveListeners.delete(listener);
  };
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #findName(userId: string): string {
    return this.presence.people.find((person) => person.userId === userId)?.name ?? notices.somebodyElse;
  }

  #close(reason: string): void {
    this.#closed = reason;
    this.#touch();
  }

  readonly #keep = (): void => {
    const { kept } = this.canvas;
    try {
      sessionStorage.setItem(this.#keptKey, JSON.stringify(kept));
    } catch {
      // A full storage costs what a crash of this tab would lose, and nothing else.
    }
  };

  /** Notifies the listeners now instead of with the next frame, when something has changed. */
  show(): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const { status, unsent, unsaved, steps } = this.canvas;
    this.#state = {
      status,
      unsent,
      unsaved,
      undo: steps.nextUndo,
      redo: steps.nextRedo,
      closed: this.#closed,
    };
    this.#keep();
    for (const listener of this.#listeners) listener();
  }

  /** Schedules one notification for the next frame. */
  #touch(): void {
    if (this.#isDirty) return;
    this.#isDirty = true;
    const show = (): void => this.show();
    if (document.visibilityState === 'hidden') window.setTimeout(show, HIDDEN_MS);
    else requestAnimationFrame(show);
  }
}
