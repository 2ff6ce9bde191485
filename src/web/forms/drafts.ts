/**
 * The typed values of one canvas, field by field, until the server has them. A draft outlives its field and a
 * reload of the tab. Each write is guarded by the value that it replaces, so a colleague's edit is merged or shown, never
 * overwritten unseen.
 */
import type { CanvasDocument } from '../../canvas/room/document.ts';
import type { DurableOp } from '../../canvas/room/operations.ts';
import { parsePointer, getAt } from '../../graph/pointer.ts';
import { sameJson, type Json, type JsonObject } from '../../graph/value.ts';
import { systemClock } from '../../clock.ts';
import type { CanvasConnection } from '../canvas/canvas-connection.ts';
import { fieldWords } from '../words-fields.ts';
import { findChanged, readEntity, readNodeId, type Entity } from './entity.ts';
import { guardedWrite, readField, readValue } from './field-value.ts';
import { FORMATS, toText } from './formats.ts';
import { keepDrafts, formatDraftKey, readKeptDrafts, type Draft, type DraftField } from './kept-drafts.ts';
import { OwnTexts, type Replaced } from './own-texts.ts';

const QUIET_MS = 300;
/** Refusals of one value in a row, after which only a new key or a colleague's edit sends again. */
const MAX_TRIES = 3;

const PRESS_ENDS = ['pointerup', 'pointercancel'] as const;

const loadMerge = () => import('../text/merge.ts');

export class Drafts {
  readonly #connection: CanvasConnection;
  readonly #storageKey: string;
  readonly #drafts: Map<string, Draft>;
  readonly #timers = new Map<string, number>();
  /** By field: when it got the focus. Edits of one focus are one step of undo. */
  readonly #focused = new Map<string, number>();
  readonly #ownTexts: OwnTexts;
  /** The person whose operation on an entity came last. */
  readonly #authors = new Map<Entity, string>();
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  /** Fields that lost the focus to a press of the pointer that has not ended; null while nothing is pressed. */
  #leftByPress: Set<string> | null = null;
  #hasStarted = false;

  constructor(connection: CanvasConnection) {
    this.#connection = connection;
    this.#storageKey = `drafts:${connection.workflowId}`;
    this.#drafts = readKeptDrafts(this.#storageKey);
    this.#ownTexts = new OwnTexts({
      view: () => connection.view,
      confirmed: () => this.#confirmed,
      findAuthor: (entity) => this.findAuthor(entity),
      onReplaced: ({ label }, by) => {
        connection.notify('warning', `${label}: ${fieldWords.wasReplaced(by)}`);
        this.#tell();
      },
    });
    this.#stop = connection.collaborators.subscribe(() => this.#retryHeld());
    window.addEventListener('pagehide', this.flush);
    window.addEventListener('pointerdown', this.#onPress, true);
    for (const end of PRESS_ENDS) window.addEventListener(end, this.#onRelease, true);
  }

  get(key: string): Draft | undefined {
    return this.#drafts.get(key);
  }
  replacedAt(key: string): Replaced | undefined {
    return this.#ownTexts.replacedAt(key);
  }
  /** The first draft that is not saved and will not be without a person; null when there is none. */
  get unsaved(): Draft | null {
    const isStuck = ({ entity, problem, theirs }: Draft): boolean =>
      (problem !== null || theirs !== undefined) && this.#read(entity) !== undefined;
    return [...this.#drafts.values()].find(isStuck) ?? null;
  }
  /** True while a typed value is on its way to the server. */
  get isSaving(): boolean {
    return [...this.#drafts.values()].some(
      ({ isSaved, problem, theirs, entity }) =>
        !isSaved && problem === null && theirs === undefined && this.#read(entity) !== undefined,
    );
  }
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the value that a field shows: its draft, or the document. */
  shown(field: DraftField): Json {
    return this.#drafts.get(formatDraftKey(field))?.typed ?? readField(this.#connection.view, field) ?? null;
  }

  change(field: DraftField, typed: Json): void {
    const key = formatDraftKey(field);
    const before = this.#drafts.get(key);
    if (before === undefined && sameJson(typed, this.shown(field))) return;
    const { view } = this.#connection;
    // Without this, the own creation would arrive later and look like a colleague's edit.
    const awaitsCreation =
      readValue(this.#confirmed, field)?.value === undefined && readValue(view, field)?.value !== undefined;
    const base = before?.base ?? readField(awaitsCreation ? view : this.#confirmed, field) ?? null;
    const fresh = { origin: base, base, problem: null, isHeld: false, sent: [], opId: null, awaitsCreation };
    const draft = { ...fresh, ...before, ...field, typed, isSaved: false, isFocused: true, tries: 0 };
    if (!this.#focused.has(key)) this.#focused.set(key, systemClock.monotonic());
    this.#ownTexts.dismiss(key);
    if (FORMATS[field.format].merging !== 'never') void loadMerge().catch(() => undefined);
    this.#put(draft);
    this.#schedule(key);
  }

  /**
   * The field has lost the focus, or is not shown any more: what is typed is sent now, or at the end of the press that took
   * the focus: a field that changes its height under a pressed button would move the button away from its click.
   */
  leave(key: string): void {
    if (this.#leftByPress !== null) return void this.#leftByPress.add(key);
    this.#focused.delete(key);
    const draft = this.#drafts.get(key);
    if (draft === undefined) return;
    this.#put({ ...draft, isFocused: false });
    this.#push(key);
  }

  /** Ends a conflict by a person's choice; 'both' puts theirs before the own text. */
  resolve(key: string, choice: 'mine' | 'theirs' | 'both'): void {
    const draft = this.#drafts.get(key);
    if (draft?.theirs === undefined) return;
    const { theirs, typed, ...rest } = draft;
    if (choice === 'theirs') return this.withdraw(key);
    const text = choice === 'both' ? `${toText(theirs)}\n${toText(typed)}` : typed;
    this.#put({ ...rest, typed: text, base: theirs, problem: null, sent: [], tries: 0 });
    this.#push(key);
  }

  dismissReplaced(key: string): void {
    this.#ownTexts.dismiss(key);
    this.#tell();
  }

  /** An operation of a colleague arrives; `onDocumentChange` follows. */
  noteAuthor(op: DurableOp, name: string): void {
    for (const part of op.type === 'batch' ? op.ops : [op]) {
      const entity = findChanged(part);
      if (entity !== null) this.#authors.set(entity, name);
    }
  }

  /** Looks at every draft after each change of the document, its own saves among them. */
  onDocumentChange(): void {
    if (!this.#hasStarted && this.#connection.canvas.status === 'live') {
      this.#hasStarted = true;
      for (const key of this.#drafts.keys()) this.#schedule(key);
    }
    for (const key of this.#drafts.keys()) this.#settle(key);
    this.#ownTexts.onDocumentChange((key) => this.#drafts.has(key));
    // At once, not with the next frame: a key before it would be typed into what is not there any more.
    this.#tell();
  }

  /** The server has refused an operation for good. @returns whether it was one of a draft */
  onRefused(opId: string): boolean {
    const draft = [...this.#drafts.values()].find((one) => one.opId === opId);
    if (draft !== undefined) this.#put({ ...draft, opId: null, sent: [], problem: fieldWords.wasRefused });
    return draft !== undefined;
  }

  /** Sends what waits for a pause in typing. */
  readonly flush = (): void => {
    for (const key of this.#timers.keys()) this.#push(key);
    keepDrafts(this.#storageKey, this.#drafts.values());
  };

  dispose(): void {
    this.flush();
    this.#stop();
    window.removeEventListener('pagehide', this.flush);
    window.removeEventListener('pointerdown', this.#onPress, true);
    for (const end of PRESS_ENDS) window.removeEventListener(end, this.#onRelease, true);
    for (const timer of this.#timers.values()) window.clearTimeout(timer);
  }

  readonly #onPress = ({ button }: PointerEvent): void => {
    if (button === 0) this.#leftByPress ??= new Set();
  };

  readonly #onRelease = (): void => {
    const left = this.#leftByPress;
    this.#leftByPress = null;
    // Before the click, whose target is known by now: it may delete what the field belongs to.
    left?.forEach((key) => this.leave(key));
  };

  get #confirmed(): CanvasDocument {
    return this.#connection.canvas.replica.confirmed;
  }

  #read(entity: Entity): JsonObject | undefined {
    return readEntity(this.#connection.view, entity);
  }

  #findHolder(entity: Entity) {
    const nodeId = readNodeId(entity);
    return nodeId === null ? null : this.#connection.collaborators.findLock(nodeId);
  }

  findAuthor(entity: Entity): string {
    return this.#authors.get(entity) ?? fieldWords.somebody;
  }

  #schedule(key: string): void {
    window.clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      window.setTimeout(() => this.#push(key), QUIET_MS),
    );
  }

  #push(key: string): void {
    window.clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    const draft = this.#drafts.get(key);
    const current = draft && this.#read(draft.entity);
    if (draft === undefined || current === undefined || draft.theirs !== undefined) return;
    // A colleague's edit has arrived and is being merged, which schedules this again: sent now, the draft would replace it.
    const stored = readField(this.#confirmed, draft);
    if (!draft.awaitsCreation && stored !== undefined && !sameJson(stored, draft.base)) return;
    const reading = FORMATS[draft.format].read(draft.typed);
    const holder = this.#findHolder(draft.entity);
    const problem =
      'problem' in reading ? reading.problem : holder === null ? null : fieldWords.isLocked(holder.name);
    if (problem !== null || 'problem' in reading)
      return this.#put({ ...draft, problem, isHeld: !('problem' in reading) });
    const { value } = reading;
    if (sameJson(getAt(current, parsePointer(draft.ptr)), value))
      this.#put({ ...draft, problem, isHeld: false });
    else {
      const words = {
        merge: `${key} ${this.#focused.get(key) ?? systemClock.monotonic()}`,
        label: `edit ${readNodeId(draft.entity) ?? draft.label.toLowerCase()}`,
      };
      const sent = [...draft.sent, value];
      // Before it is sent: the document tells of its change within the call.
      this.#drafts.set(key, { ...draft, problem, sent, isHeld: false });
      const opId = this.#connection.send(guardedWrite(draft, current, value), words);
      const now = this.#drafts.get(key);
      if (now !== undefined)
        this.#put(opId === null ? { ...now, problem: fieldWords.wasRefused } : { ...now, opId });
    }
    this.#settle(key);
  }

  /** Compares a draft with what the server has now: saved, on its way, refused, or changed by a colleague. */
  #settle(key: string): void {
    const found = this.#drafts.get(key);
    const stored = found && readValue(this.#confirmed, found);
    if (found === undefined || stored === undefined) return;
    if (found.awaitsCreation && stored.value === undefined) return;
    const draft = { ...found, awaitsCreation: false };
    this.#drafts.set(key, draft);
    const format = FORMATS[draft.format];
    const shown = format.show(stored.value);
    const reading = format.read(draft.typed);
    if ('value' in reading && sameJson(stored.value, reading.value)) {
      if (!draft.isSaved) this.#ownTexts.remember(draft, shown);
      if (!draft.isFocused || sameJson(shown, draft.typed)) return this.withdraw(key);
      const { theirs: _theirs, ...rest } = draft;
      if (!draft.isSaved)
        this.#put({ ...rest, base: shown, origin: shown, sent: [], problem: null, isSaved: true });
      return;
    }
    const arrived = draft.sent.findIndex((value) => sameJson(value, stored.value));
    if (arrived !== -1)
      return this.#put({ ...draft, base: shown, sent: draft.sent.slice(arrived + 1), tries: 0 });
    if (!sameJson(shown, draft.base)) return this.#meet(key, shown);
    if (draft.theirs !== undefined) {
      const { theirs: _theirs, ...rest } = draft;
      this.#put(rest);
      return this.#schedule(key);
    }
    if (draft.opId === null || this.#connection.canvas.replica.find(draft.opId) !== undefined) return;
    // It has an answer, and the document does not have it: a lock or a guard was in its way.
    const tries = draft.tries + 1;
    this.#put({
      ...draft,
      opId: null,
      sent: [],
      tries,
      problem: tries > MAX_TRIES ? fieldWords.wasRefused : null,
    });
    if (tries <= MAX_TRIES) this.#schedule(key);
  }

  /** A colleague has changed what this draft began with. */
  #meet(key: string, theirs: Json): void {
    const draft = this.#drafts.get(key);
    if (draft === undefined) return;
    if (sameJson(draft.theirs, theirs)) return;
    if (draft.isSaved || sameJson(draft.typed, draft.base)) return this.withdraw(key);
    const { merging } = FORMATS[draft.format];
    if (merging === 'never') return this.#put({ ...draft, theirs });
    const merge = async (): Promise<void> => {
      const { mergeTexts } = await loadMerge();
      const now = this.#drafts.get(key);
      const stored = now && readField(this.#confirmed, now);
      if (now === undefined || stored === undefined) return;
      // The colleague has taken it back meanwhile.
      if (sameJson(stored, now.base)) return this.#schedule(key);
      const { theirs: _theirs, ...rest } = now;
      const merged = mergeTexts(toText(now.base), toText(now.typed), toText(stored), merging === 'apart');
      if (merged === null) return this.#put({ ...now, theirs: stored });
      this.#put({ ...rest, typed: merged, base: stored, sent: [], tries: 0 });
      this.#schedule(key);
    };
    // Without a network the code for merging may not have been loaded: then a person decides.
    merge().catch(() => {
      const now = this.#drafts.get(key);
      if (now !== undefined) this.#put({ ...now, theirs });
    });
  }

  #retryHeld(): void {
    for (const [key, { entity, isHeld }] of this.#drafts)
      if (isHeld && this.#findHolder(entity) === null) this.#push(key);
  }

  #put(draft: Draft): void {
    this.#drafts.set(formatDraftKey(draft), draft);
    keepDrafts(this.#storageKey, this.#drafts.values());
    this.#tell();
  }

  /** Drops a draft without sending it. */
  withdraw(key: string): void {
    window.clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#drafts.delete(key);
    keepDrafts(this.#storageKey, this.#drafts.values());
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
