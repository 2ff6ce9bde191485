/**
 * The typed values of one canvas, field by field, until the server has them. A draft outlives its field and a
 * reload of the tab. Each write is guarded by the value that it replaces, so a colleague's edit is merged or shown, never
 * overwritten unseen. A draft follows its field to another pointer or node; one whose field a colleague has deleted is a
 * lost text, which no field shows and a person copies or discards.
 */
import { readDocument, type CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { SubOp } from '../../../features/canvas/room/operations.ts';
import { getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { sameJson, type Json } from '../../../language/graph/values/value.ts';
import { systemClock } from '../../../base/clock.ts';
import type { CanvasConnection } from '../canvas/canvas-connection.ts';
import { keptAt } from '../kit/kept-state.ts';
import { fieldWords } from '../words-fields.ts';
import { Authors } from './authors.ts';
import { DraftStore, type UnsavedDraft } from './draft-store.ts';
import { readEntity, readNodeId, type Entity } from './entity.ts';
import { guardedWrite, readField, readValue } from './field-value.ts';
import type { Versions } from './follow-place.ts';
import { FORMATS, toText } from './formats.ts';
import { HeldForm } from './held-form.ts';
import { formatDraftKey, type Draft, type DraftField } from './kept-drafts.ts';
import { loadMerge, mergeTyped, needsPerson } from './merge-typed.ts';
import { SavedValues, type ReplacedValue } from './saved-values.ts';
import { PauseTimers } from './pause-timers.ts';
import { PressWatch } from './press-watch.ts';

/** Refusals of one value in a row, after which only a new key or a colleague's edit sends again. */
const MAX_TRIES = 3;

/** Operations that are applied with a draft or not at all, and the label of the undo step. */
export interface AtomicExtras {
  readonly ops: readonly SubOp[];
  readonly label: string;
}

const EMPTY: Versions = { view: readDocument({}), confirmed: readDocument({}) };

export class Drafts {
  readonly #connection: CanvasConnection;
  readonly #drafts: DraftStore;
  #unsaved: readonly UnsavedDraft[] = [];
  readonly #pauses = new PauseTimers((key) => this.push(key));
  /** By field: when it got the focus. Edits of one focus are one step of undo. */
  readonly #focused = new Map<string, number>();
  readonly #savedValues: SavedValues;
  readonly authors = new Authors();
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  readonly #presses: PressWatch;
  /** The form of a node that a colleague deletes, and what is put back. */
  readonly held: HeldForm;
  /** The documents after the last change. */
  #last = EMPTY;
  #hasStarted = false;

  constructor(connection: CanvasConnection) {
    this.#connection = connection;
    this.held = new HeldForm({
      view: () => connection.view,
      edit: (op) => void connection.send(op, { label: fieldWords.undoPutBack }),
      findLost: (key) => this.#drafts.findLost(key),
      onLeave: (entity) => {
        this.#drafts.loseAll(entity);
        this.#tell();
      },
    });
    this.#drafts = new DraftStore(keptAt('drafts', connection.owner), () => this.#readVersions(), this.held);
    this.#savedValues = new SavedValues({
      view: () => connection.view,
      confirmed: () => this.#confirmed,
      findAuthor: (entity) => this.authors.find(entity),
      onReplaced: ({ label }, by) => {
        connection.notify('warning', `${label}: ${fieldWords.wasReplaced(by)}`);
        this.#tell();
      },
    });
    this.#stop = connection.collaborators.subscribe(() => this.#retryHeld());
    window.addEventListener('pagehide', this.flush);
    this.#presses = new PressWatch((key) => this.leave(key));
  }

  get(key: string): Draft | undefined {
    return this.#drafts.get(key);
  }
  replacedAt(key: string): ReplacedValue | undefined {
    return this.#savedValues.replacedAt(key);
  }
  /** The typed values that only a person can save or discard; lost texts come last. */
  get unsaved(): readonly UnsavedDraft[] {
    return this.#unsaved;
  }
  /** True while a typed value is on its way to the server. */
  get isSaving(): boolean {
    return this.#hasStarted && this.#drafts.isSaving;
  }
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the value that a field shows: its draft, or the document. */
  shown(field: DraftField): Json {
    const { view } = this.#readVersions(field.entity);
    return this.#drafts.get(formatDraftKey(field))?.typed ?? readField(view, field) ?? null;
  }

  change(field: DraftField, typed: Json): void {
    const key = formatDraftKey(field);
    const before = this.#drafts.get(key);
    if (before === undefined && sameJson(typed, this.shown(field))) return;
    const { view, confirmed } = this.#readVersions(field.entity);
    // Without this, an own edit that is under way would arrive later and look like a colleague's.
    const isConfirmed = sameJson(readValue(confirmed, field)?.value, readValue(view, field)?.value);
    const awaits = isConfirmed ? null : this.#lastPending;
    const base = before?.base ?? readField(view, field) ?? null;
    const fresh = { origin: base, base, problem: null, isHeld: false, sent: [], opId: null, awaits };
    const draft = { ...fresh, ...before, ...field, typed, isSaved: false, isFocused: true, tries: 0 };
    if (!this.#focused.has(key)) this.#focused.set(key, systemClock.monotonic());
    this.#savedValues.dismiss(key);
    if (FORMATS[field.format].merging !== 'never') void loadMerge().catch(() => undefined);
    this.#put(draft);
    this.#pauses.start(key);
  }

  /**
   * The field has lost the focus, or is not shown any more: what is typed is sent now, or at the end of the press that took
   * the focus: a field that changes its height under a pressed button would move the button away from its click.
   */
  leave(key: string): void {
    if (this.#presses.hold(key)) return;
    this.#focused.delete(key);
    const draft = this.#drafts.get(key);
    if (draft === undefined) return;
    this.#put({ ...draft, isFocused: false });
    this.push(key);
  }

  /** Ends a conflict by a person's choice; 'both' puts theirs before the own text. */
  resolve(key: string, choice: 'mine' | 'theirs' | 'both'): void {
    const draft = this.#drafts.get(key);
    if (draft?.theirs === undefined) return;
    const { theirs, typed, ...rest } = draft;
    if (choice === 'theirs') return this.withdraw(key);
    const text = choice === 'both' ? `${toText(theirs)}\n${toText(typed)}` : typed;
    this.#put({ ...rest, typed: text, base: theirs, problem: null, sent: [], tries: 0 });
    this.push(key);
  }

  dismissReplaced(key: string): void {
    this.#savedValues.dismiss(key);
    this.#tell();
  }

  /**
   * Looks at every draft after each change of the document, its own saves among them.
   * @param isOwn whether an edit of this page has made it: what that removes, nobody else has
   */
  onDocumentChange(isOwn = false): void {
    const now = this.#readVersions();
    const held = this.held.entity;
    this.held.follow(this.#last, now, isOwn);
    this.#last = now;
    if (this.#hasStarted) this.#follow(isOwn);
    else if (this.#connection.canvas.status === 'live') {
      this.#hasStarted = true;
      this.#adoptDrafts(this.#drafts.restore());
    }
    if (held !== null && this.held.entity === null)
      this.#adoptDrafts(this.#drafts.entries.flatMap(([key, { entity }]) => (entity === held ? [key] : [])));
    for (const [key] of this.#drafts.entries) this.#reconcile(key);
    this.#savedValues.onDocumentChange((key) => this.#drafts.get(key) !== undefined);
    // Synchronous: a keystroke before the next frame would reach a removed field.
    this.#tell();
  }

  #follow(isOwn: boolean): void {
    const entered = this.#drafts.follow({ isOwn, hasPending: this.#lastPending !== null });
    this.#adoptDrafts(entered);
    // Renders now, or the next keystroke reaches the field that took the old position.
    if ((entered.length > 0 || this.#connection.hasRenames) && !isOwn) this.#connection.showNow();
  }

  /** Takes over drafts at new places; the pending edits were made at the old ones. */
  #adoptDrafts(keys: readonly string[]): void {
    for (const key of keys) {
      const draft = this.#drafts.get(key);
      if (draft === undefined) continue;
      if (draft.isFocused) this.#focused.set(key, systemClock.monotonic());
      this.#drafts.put({ ...draft, awaits: this.#lastPending });
      this.#pauses.start(key);
    }
  }

  /** The server has refused an operation for good. @returns whether it was one of a draft */
  onRefused(opId: string): boolean {
    const draft = this.#drafts.entries.map(([, one]) => one).find((one) => one.opId === opId);
    if (draft !== undefined) this.#put({ ...draft, opId: null, sent: [], problem: fieldWords.wasRefused });
    return draft !== undefined;
  }

  /** Sends what waits for a pause in typing. */
  readonly flush = (): void => {
    this.#pauses.flush();
    this.#drafts.keep();
  };

  dispose(): void {
    this.flush();
    this.#stop();
    window.removeEventListener('pagehide', this.flush);
    this.#presses.dispose();
    this.#pauses.stopAll();
  }

  /** The documents as they are; those that fields of an entity show, which for a held form are the ones before the deletion. */
  #readVersions(entity: Entity | null = null): Versions {
    const held = entity === null ? undefined : this.held.findVersions(entity);
    return held ?? { view: this.#connection.view, confirmed: this.#confirmed };
  }

  get #confirmed(): CanvasDocument {
    return this.#connection.canvas.replica.confirmed;
  }

  /** The opId of the last own edit without an answer; null when all have one. */
  get #lastPending(): string | null {
    return this.#connection.canvas.replica.pending.at(-1)?.opId ?? null;
  }

  #isPending(opId: string | null): boolean {
    return opId !== null && this.#connection.canvas.replica.find(opId) !== undefined;
  }

  #findHolder(entity: Entity) {
    const nodeId = readNodeId(entity);
    return nodeId === null ? null : this.#connection.collaborators.findLock(nodeId);
  }

  /** Sends a draft now. @param extras changes that are made with it, or none is */
  push(key: string, extras: AtomicExtras | null = null): void {
    this.#pauses.stop(key);
    const draft = this.#drafts.get(key);
    const current = draft && readEntity(this.#connection.view, draft.entity);
    if (draft === undefined || current === undefined || draft.theirs !== undefined) return;
    // A colleague's edit has arrived and is being merged, which schedules this again: sent now, the draft would replace it.
    const stored = readField(this.#confirmed, draft);
    if (!this.#isPending(draft.awaits) && stored !== undefined && !sameJson(stored, draft.base)) return;
    if (this.#drafts.isOrphan(draft)) {
      this.#drafts.markLost(key);
      return this.#tell();
    }
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
        label: extras?.label ?? `edit ${readNodeId(draft.entity) ?? draft.label.toLowerCase()}`,
      };
      const sent = [...draft.sent, value];
      // Before it is sent: the document tells of its change within the call.
      this.#drafts.put({ ...draft, problem, sent, isHeld: false });
      const write = guardedWrite(draft, current, value);
      const op =
        extras === null ? write : ({ ...write, mode: 'atomic', ops: [...write.ops, ...extras.ops] } as const);
      const opId = this.#connection.send(op, words);
      const now = this.#drafts.get(key);
      if (now !== undefined)
        this.#put(opId === null ? { ...now, problem: fieldWords.wasRefused } : { ...now, opId });
    }
    this.#reconcile(key);
  }

  /** Compares a draft with what the server has now: saved, on its way, refused, or changed by a colleague. */
  #reconcile(key: string): void {
    const draft = this.#drafts.get(key);
    const stored = draft && readValue(this.#confirmed, draft);
    if (draft === undefined || stored === undefined || this.#isPending(draft.awaits)) return;
    const format = FORMATS[draft.format];
    const shown = format.show(stored.value);
    const reading = format.read(draft.typed);
    if ('value' in reading && sameJson(stored.value, reading.value)) {
      if (!draft.isSaved) this.#savedValues.remember(draft, shown);
      if (!draft.isFocused || sameJson(shown, draft.typed)) return this.withdraw(key);
      const { theirs: _theirs, ...rest } = draft;
      if (!draft.isSaved)
        this.#put({ ...rest, base: shown, origin: shown, sent: [], problem: null, isSaved: true });
      return;
    }
    const arrived = draft.sent.findIndex((value) => sameJson(value, stored.value));
    if (arrived !== -1)
      return this.#put({ ...draft, base: shown, sent: draft.sent.slice(arrived + 1), tries: 0 });
    if (!sameJson(shown, draft.base)) return this.#mergeRemote(key, shown);
    if (draft.theirs !== undefined) {
      const { theirs: _theirs, ...rest } = draft;
      this.#put(rest);
      return this.#pauses.start(key);
    }
    if (draft.opId === null || this.#isPending(draft.opId)) return;
    // It has an answer, and the document does not have it: a lock or a guard was in its way.
    const tries = draft.tries + 1;
    this.#put({
      ...draft,
      opId: null,
      sent: [],
      tries,
      problem: tries > MAX_TRIES ? fieldWords.wasRefused : null,
    });
    if (tries <= MAX_TRIES) this.#pauses.start(key);
  }

  /** Merges a colleague's change of the draft's base, or lets the person decide. */
  #mergeRemote(key: string, theirs: Json): void {
    const draft = this.#drafts.get(key);
    if (draft === undefined) return;
    if (sameJson(draft.theirs, theirs)) return;
    if (draft.isSaved || sameJson(draft.typed, draft.base)) return this.withdraw(key);
    if (needsPerson(draft, theirs)) return this.#put({ ...draft, theirs });
    const read = () => {
      const now = this.#drafts.get(key);
      const stored = now && readField(this.#confirmed, now);
      return now === undefined || stored === undefined ? null : { draft: now, stored };
    };
    const merge = async (): Promise<void> => {
      const merged = await mergeTyped(read);
      if (merged === null) return;
      this.#put(merged);
      if (merged.theirs === undefined) this.#pauses.start(key);
    };
    // Without a network the code for merging may not have been loaded: then a person decides.
    merge().catch(() => {
      const now = this.#drafts.get(key);
      if (now !== undefined) this.#put({ ...now, theirs });
    });
  }

  #retryHeld(): void {
    for (const [key, { entity, isHeld }] of this.#drafts.entries)
      if (isHeld && this.#findHolder(entity) === null) this.push(key);
  }

  #put(draft: Draft): void {
    this.#drafts.put(draft);
    this.#tell();
  }

  /** Drops a draft without sending it, or a lost text. */
  withdraw(key: string): void {
    this.#pauses.stop(key);
    this.#drafts.delete(key);
    this.#tell();
  }

  #tell(): void {
    const unsaved = this.#hasStarted ? this.#drafts.listUnsaved() : [];
    // Keeps the same empty list, so that its readers are not rendered again.
    if (unsaved.length + this.#unsaved.length > 0) this.#unsaved = unsaved;
    for (const listener of this.#listeners) listener();
  }
}
