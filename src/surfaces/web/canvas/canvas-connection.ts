/**
 * The page's connection to the canvas connection of one workflow: opens the client, tells React once a frame, and keeps unsaved
 * edits over a reload. The only caller of the client's `edit`.
 */
import { flushSync } from 'react-dom';
import { io, type Socket } from 'socket.io-client';
import { Canvas, overSocket } from '../../../features/canvas/client/canvas.ts';
import type { CanvasStatus, UndoResult } from '../../../features/canvas/client/canvas.ts';
import { readKeptEdits } from '../../../features/canvas/client/kept-edits.ts';
import { RemotePresence } from '../../../features/canvas/client/presence.ts';
import type { EditOptions, UndoStack } from '../../../features/canvas/client/undo-stack.ts';
import { findElement, type CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { DurableOp } from '../../../features/canvas/room/operations.ts';
import { readRename, type Renamed } from '../../../features/canvas/room/rename-node.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { keptAt, type KeptEntry, type WorkflowOwner } from '../kit/kept-state.ts';
import { describeRejection } from '../words-connection.ts';
import { editorWords } from '../words-editor.ts';
import { Drafts } from '../forms/drafts.ts';
import { Collaborators } from './collaborators.ts';
import { FieldLocks } from './field-locks.ts';
import { RebuiltEdits } from './rebuilt-edits.ts';
import { Reconnects } from './reconnects.ts';
import { RunBoard } from './run-board.ts';
import { keepUnsent } from './unsent-edits.ts';

interface ConnectionOptions {
  /** The workflow, and who edits it in which organization. */
  readonly owner: WorkflowOwner;
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
  readonly undo: string | null;
  readonly redo: string | null;
  /** Why the connection is closed for good; null while it is open. */
  readonly closed: string | null;
}

const { notices } = editorWords;
/** A hidden page gets no frames. */
const HIDDEN_MS = 250;

/** Returns the function that adds a listener, and returns the one that removes it. */
const subscribeTo =
  <Listener>(listeners: Set<Listener>) =>
  (listener: Listener): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

export class CanvasConnection {
  readonly owner: WorkflowOwner;
  readonly workflowId: string;
  readonly collaborators: Collaborators;
  readonly drafts: Drafts;
  readonly rebuilt = new RebuiltEdits({
    view: () => this.view,
    send: (op, words) => this.send(op, words),
    isPending: (opId) => this.canvas.replica.find(opId) !== undefined,
  });
  readonly locks = new FieldLocks({
    client: () => this.canvas.locks,
    presence: () => this.presence,
    warn: (text) => this.notify('warning', text),
    inform: (text) => this.notify('info', text),
  });
  readonly board = new RunBoard((tell) => requestAnimationFrame(tell));
  readonly canvas: Canvas;
  readonly presence: RemotePresence;
  readonly #socket: Socket;
  readonly #reconnects: Reconnects;
  readonly #kept: KeptEntry;
  readonly #listeners = new Set<() => void>();
  readonly #notices = new Set<(notice: Notice) => void>();
  readonly #liveListeners = new Set<() => void>();
  readonly #renames: Renamed[] = [];
  readonly #renameListeners = new Set<(renamed: Renamed) => void>();
  #state: SaveState = { status: 'closed', unsent: 0, undo: null, redo: null, closed: null };
  #closed: string | null = null;
  #isDirty = false;
  /** Whether a change of the document is one of this page. */
  #isEditing = false;
  #isDisposed = false;

  constructor({ owner, realtimeUrl, clientId, token, undoStack }: ConnectionOptions) {
    const { workflowId, organizationId } = owner;
    this.owner = owner;
    this.workflowId = workflowId;
    this.#kept = keptAt('unsaved', owner, clientId);
    this.#socket = io(realtimeUrl, {
      transports: ['websocket'],
      autoConnect: false,
      // A proxy may send all people of a workflow to one process (canvas/README.md).
      query: { workflow: workflowId },
      reconnectionDelayMax: 2_000,
      auth: (give) => {
        token().then(
          (fresh) => give({ token: fresh, organizationId, clientId, caps: ['frames'] }),
          () => give({ organizationId, clientId }),
        );
      },
    });
    const transport = overSocket(this.#socket);
    const kept = readKeptEdits(this.#kept.read());
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
        this.#touch();
        this.drafts.onDocumentChange(this.#isEditing);
      },
      onRemote: (op, userId) => {
        this.drafts.authors.note(op, this.#findName(userId));
        const renamed = readRename(op);
        if (renamed !== null) this.#renames.push(renamed);
      },
      onStatus: () => this.#touch(),
      onDropped: (dropped, code) => {
        if (code === 'GUARD_FAILED' && this.rebuilt.retry(dropped.opId)) return;
        this.drafts.onRefused(dropped.opId);
        this.notify('warning', notices.dropped(describeRejection(code), dropped));
      },
      onSkipped: (_opId, codes) =>
        this.notify('warning', notices.skipped(codes.length, describeRejection(codes[0] ?? ''))),
      onContended: (_opId, places) => {
        const names = new Set(places.map(({ byUserId }) => this.#findName(byUserId)));
        this.notify('info', notices.contended([...names].join(', ')));
      },
      onLiveChange: () => {
        for (const listener of this.#liveListeners) listener();
      },
      onLockLost: (nodeId) => this.locks.lose(nodeId),
      onClosed: (reason) => this.#close(reason),
    });
    this.presence = new RemotePresence({
      transport,
      workflowId,
      clock,
      onPeople: () => {
        this.locks.noticeTaken();
        this.collaborators.update(this.presence);
      },
      onCursor: (sessionId, at) => this.collaborators.cursor(sessionId, at),
      onDrag: (sessionId, moves) => this.collaborators.drag(sessionId, moves),
      onRun: (news) => this.board.hear(news),
    });
    this.#socket.on('auth:expiring', () => {
      void token().then((fresh) => this.#socket.emit('auth:refresh', { token: fresh }));
    });
    this.#reconnects = new Reconnects(this.#socket, (code) => {
      this.canvas.close();
      this.#close(code);
    });
  }

  open(): void {
    window.addEventListener('pagehide', this.#keep);
    this.canvas.open();
    this.#socket.connect();
  }

  /** Closes the connection when all edits have an answer: now, or once the server can be reached again. */
  leave(onClosed: () => void): void {
    this.drafts.dispose();
    const look = (): void => {
      if (this.canvas.unsent > 0 && this.#closed === null) return;
      stop();
      this.dispose();
      onClosed();
    };
    const stop = this.subscribe(look);
    look();
  }

  /** Closes the connection now; edits without an answer are kept for the next one. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.drafts.dispose();
    window.removeEventListener('pagehide', this.#keep);
    this.#keep();
    this.presence.dispose();
    this.canvas.close();
    this.#reconnects.dispose();
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
    return op !== null && this.send(op, words) !== null;
  }

  /** Edits as `edit` does. @returns the opId; null when nothing is sent */
  send(op: DurableOp, words: EditOptions): string | null {
    const opId = this.#closed === null ? this.#asOwn(() => this.canvas.edit(op, words)) : null;
    if (opId !== null) this.#tellRename(readRename(op));
    return opId;
  }

  #tellRename(renamed: Renamed | null): void {
    if (renamed !== null) for (const listener of this.#renameListeners) listener(renamed);
  }

  /** Whether colleagues have renamed nodes since the page was drawn: forms and drafts go along in one rendering. */
  get hasRenames(): boolean {
    return this.#renames.length > 0;
  }

  #asOwn<Result>(edit: () => Result): Result {
    const before = this.#isEditing;
    this.#isEditing = true;
    try {
      return edit();
    } finally {
      this.#isEditing = before;
    }
  }

  /** True while anything that was edited here is not stored: now, and not as of the last frame. */
  get isSaving(): boolean {
    return this.canvas.unsent + this.canvas.unsaved > 0 || this.drafts.isSaving;
  }

  /** Resolves when everything that was edited here is stored. */
  saved(): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.isSaving) return;
        stop();
        resolve();
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  undo(): void {
    this.#asOwn(() => this.#say(notices.undone, this.canvas.undo()));
  }
  redo(): void {
    this.#asOwn(() => this.#say(notices.redone, this.canvas.redo()));
  }

  #say(done: string, what: UndoResult | null): void {
    const sent = this.canvas.replica.find(what?.opId ?? '');
    this.#tellRename(sent === undefined ? null : readRename(sent.op));
    if (what === null || what.leftOut === 0) return;
    const edit = what.label || notices.lastEdit;
    const isNothing = what.leftOut === what.parts;
    this.notify(
      'info',
      isNothing
        ? notices.notDone(done, edit)
        : notices.partly(done, edit, notices.rest(what.leftOut, what.parts)),
    );
  }

  notify(tone: Notice['tone'], text: string): void {
    for (const hear of this.#notices) hear({ tone, text });
  }
  readonly onNotice = subscribeTo(this.#notices);
  /** Calls the listener when anybody has deployed the workflow, or set another version live. */
  readonly onLiveChange = subscribeTo(this.#liveListeners);
  /** Calls the listener when a node gets another id, before the change is shown. */
  readonly onRename = subscribeTo(this.#renameListeners);
  readonly subscribe = subscribeTo(this.#listeners);

  #findName(userId: string): string {
    return this.presence.people.find((person) => person.userId === userId)?.name ?? notices.somebodyElse;
  }

  #close(reason: string): void {
    this.#closed = reason;
    // A server that has revoked the access hangs up, and would be connected again.
    this.#reconnects.dispose();
    this.#socket.disconnect();
    this.#touch();
  }

  readonly #keep = (): void => {
    const { kept, unsent } = this.canvas;
    this.#kept.write(JSON.stringify(kept));
    // Those of a canvas that is closed for good are never sent.
    keepUnsent(this.owner, this.#closed === null ? unsent : 0);
  };

  /** Notifies the listeners now instead of with the next frame, when something has changed. */
  show(): void {
    if (!this.#isDirty || this.#isDisposed) return;
    this.#isDirty = false;
    for (const renamed of this.#renames.splice(0)) this.#tellRename(renamed);
    const { status, unsent, steps } = this.canvas;
    this.#state = {
      status,
      unsent,
      undo: steps.nextUndo,
      redo: steps.nextRedo,
      closed: this.#closed,
    };
    this.#keep();
    for (const listener of this.#listeners) listener();
  }

  /** Draws the change of the document before this returns: a field that has moved must not be typed into at its old place. */
  showNow(): void {
    flushSync(() => this.show());
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
