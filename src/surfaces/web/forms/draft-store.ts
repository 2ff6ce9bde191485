/**
 * The drafts of one canvas by field, kept over a reload of the tab. They follow their fields through changes of the
 * document; one whose field a colleague has deleted becomes a lost text, which no field shows.
 */
import { formatPointer, getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { sameJson, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import type { KeptEntry } from '../kit/kept-state.ts';
import { fieldWords } from '../words-fields.ts';
import { readEntity, readNodeId, type Entity } from './entity.ts';
import { readValue } from './field-value.ts';
import {
  findListEntry,
  followField,
  rebasePointer,
  buildPathSkeleton,
  chooseBase,
  type Place,
  type Versions,
} from './follow-place.ts';
import { FORMATS } from './formats.ts';
import type { HeldForm } from './held-form.ts';
import {
  formatDraftKey,
  formatLostKey,
  keepTexts,
  pickKept,
  readKeptTexts,
  UNSENT,
  type Draft,
  type LostText,
} from './kept-drafts.ts';
import { findReturn, readRemoved } from './lost-texts.ts';

/** A typed value that only a person can save or discard. */
export interface UnsavedDraft {
  readonly key: string;
  readonly label: string;
  readonly typed: Json;
  /** Null for a lost text. */
  readonly draft: Draft | null;
  /** Whether what it was typed into has been deleted, and can be put back. */
  readonly isGone: boolean;
}

interface Move {
  readonly key: string;
  readonly to: Place;
}

/** The change of a document that drafts follow. */
interface Step {
  /** Whether an edit of this page has made it: what that removes, nobody else has. */
  readonly isOwn: boolean;
  /** Whether own edits have no answer yet. */
  readonly hasPending: boolean;
}

/** The label of a text whose field is gone. @param isThere whether its node or edge is still there */
function describeGone({ label, entity }: { label: string; entity: Entity }, isThere: boolean): string {
  const { gone, goneNode, goneEdge, goneEntry } = fieldWords;
  return gone(label, isThere ? goneEntry : readNodeId(entity) === null ? goneEdge : goneNode);
}

export class DraftStore {
  readonly #place: KeptEntry;
  readonly #readVersions: () => Versions;
  readonly #held: HeldForm;
  readonly #drafts: Map<string, Draft>;
  /** By draft: the document in which its key was right. */
  readonly #seen = new Map<string, Versions>();
  /** Drafts of nodes that are not there while own edits have no answer. */
  readonly #awaitingNode = new Set<string>();
  #lost: readonly LostText[];
  #lostCount: number;

  constructor(place: KeptEntry, readVersions: () => Versions, held: HeldForm) {
    this.#place = place;
    this.#held = held;
    this.#readVersions = readVersions;
    const { drafts, lost } = readKeptTexts(place);
    this.#drafts = drafts;
    this.#lost = lost;
    this.#lostCount = lost.length;
  }

  get(key: string): Draft | undefined {
    return this.#drafts.get(key);
  }
  get entries(): readonly (readonly [key: string, draft: Draft])[] {
    return [...this.#drafts];
  }

  put(draft: Draft): void {
    const key = formatDraftKey(draft);
    this.#drafts.set(key, draft);
    if (!this.#seen.has(key))
      this.#seen.set(key, this.#held.findVersions(draft.entity) ?? this.#readVersions());
    this.keep();
  }

  /** Drops a draft or a lost text. */
  delete(key: string): void {
    this.#forget(key);
    this.#lost = this.#lost.filter((text) => text.key !== key);
    this.keep();
  }

  keep(): void {
    keepTexts(
      this.#place,
      this.entries.map(([key, draft]) => this.#outline(key, draft)),
      this.#lost,
    );
  }

  #outline(key: string, draft: Draft): Draft {
    const seen = this.#seen.get(key);
    if (seen === undefined) return draft;
    const around = readEntity(chooseBase(draft, seen), draft.entity);
    return { ...draft, outline: buildPathSkeleton(around, parsePointer(draft.ptr)) };
  }

  findLost(key: string): LostText | undefined {
    return this.#lost.find((text) => text.key === key);
  }

  /** Whether a draft is on its way to the server: it waits for no person, and its field is there. */
  get isSaving(): boolean {
    return this.entries.some(
      ([, { entity, isSaved, problem, theirs }]) =>
        !isSaved && problem === null && theirs === undefined && this.#held.entity !== entity,
    );
  }

  /** Lists the drafts that wait for a person, those of a held form among them, and then the lost texts. */
  listUnsaved(): UnsavedDraft[] {
    return [
      ...this.entries
        .filter(
          ([, draft]) => draft.problem !== null || draft.theirs !== undefined || this.#isHeldBack(draft),
        )
        .map(([key, draft]) => {
          const isGone = this.#held.entity === draft.entity;
          const label = isGone ? describeGone(draft, false) : draft.label;
          return { key, label, typed: draft.typed, draft, isGone };
        }),
      ...this.#lost.map(({ key, label, typed }) => ({ key, label, typed, draft: null, isGone: true })),
    ];
  }

  #isHeldBack({ entity, isSaved, typed, base }: Draft): boolean {
    return this.#held.entity === entity && !isSaved && !sameJson(typed, base);
  }

  /**
   * Finds the fields of the drafts that were kept over a reload, once the document is there.
   * @returns the keys of those that have one
   */
  restore(): string[] {
    const { view, confirmed } = this.#readVersions();
    const moves: Move[] = [];
    for (const [key, { entity, ptr, outline }] of this.entries) {
      const now = readEntity(view, entity);
      const follow = (then: JsonObject | undefined) => rebasePointer(outline, then, parsePointer(ptr));
      const tokens = follow(now) ?? follow(readEntity(confirmed, entity));
      if (now !== undefined && tokens !== null)
        moves.push({ key, to: { entity, ptr: formatPointer(tokens) } });
      else this.markLost(key);
    }
    return this.#moveAll(moves);
  }

  /** Moves every draft to where its field stands now. @returns the new keys of those that stood elsewhere */
  follow({ isOwn, hasPending }: Step): string[] {
    const now = this.#readVersions();
    const moves: Move[] = [];
    for (const [key, draft] of this.entries) {
      const seen = this.#seen.get(key) ?? now;
      const to = followField(draft, seen, now);
      const isRemoved =
        isOwn && !this.#awaitingNode.has(key) && (to === null || this.#isEmptied(draft, seen));
      if (to !== null && formatDraftKey(to) !== key) moves.push({ key, to });
      else if (to !== null && !isRemoved) {
        this.#awaitingNode.delete(key);
        this.#seen.set(key, now);
        // The node comes back when the room refuses the own edit that removes it.
      } else if (!isRemoved && hasPending && readEntity(now.view, draft.entity) === undefined)
        this.#awaitingNode.add(key);
      else if (isRemoved) this.delete(key);
      else if (this.#held.entity !== draft.entity) this.markLost(key);
    }
    return [...this.#moveAll(moves), ...this.#takeBack(now)];
  }

  /** Makes the lost texts drafts again whose place has come back. @returns their keys */
  #takeBack({ view }: Versions): string[] {
    const keys: string[] = [];
    for (const text of this.#lost) {
      const to = findReturn(text, view);
      if (to === null || this.#drafts.has(formatDraftKey(to))) continue;
      keys.push(formatDraftKey(to));
      this.delete(text.key);
      this.put({ ...UNSENT, ...text.from, ...to, outline: undefined });
    }
    return keys;
  }

  /** Keeps the typed text of a draft whose place is gone. */
  markLost(key: string): void {
    const draft = this.#drafts.get(key);
    if (draft === undefined) return;
    const { typed, entity, isSaved, base } = draft;
    if (!isSaved && !sameJson(typed, base)) {
      const now = this.#readVersions().view;
      const isThere = readEntity(now, entity) !== undefined;
      const seen = this.#seen.get(key);
      this.#lostCount += 1;
      this.#lost = [
        ...this.#lost,
        {
          key: formatLostKey(this.#lostCount),
          label: describeGone(draft, isThere),
          typed,
          from: pickKept(this.#outline(key, draft)),
          removed: isThere || seen === undefined ? null : readRemoved(chooseBase(draft, seen), entity),
        },
      ];
    }
    this.delete(key);
  }

  /** Keeps the typed texts of an entity that is gone. */
  loseAll(entity: Entity): void {
    for (const [key, draft] of this.entries) if (draft.entity === entity) this.markLost(key);
  }

  /** Whether the entry of a list that a draft is in is not there: its field was shown a moment longer. */
  isOrphan({ entity, ptr }: Draft): boolean {
    const current = readEntity(this.#readVersions().view, entity);
    const entry = findListEntry(current, parsePointer(ptr));
    return entry !== null && getAt(current, entry) === undefined;
  }

  /** Whether the value of a field has been removed by another way than emptying the field. */
  #isEmptied(draft: Draft, seen: Versions): boolean {
    const reading = FORMATS[draft.format].read(draft.typed);
    if ('value' in reading && reading.value === undefined) return false;
    const [before, after] = [readValue(seen.view, draft), readValue(this.#readVersions().view, draft)];
    return before?.value !== undefined && after?.value === undefined;
  }

  #moveAll(moves: readonly Move[]): string[] {
    const drafts = moves.flatMap(({ key, to }) => {
      const draft = this.#drafts.get(key);
      return draft === undefined ? [] : [{ ...draft, ...to, outline: undefined }];
    });
    // All leave their places first: one may take the place of another.
    for (const { key } of moves) this.#forget(key);
    for (const draft of drafts) this.put(draft);
    return drafts.map(formatDraftKey);
  }

  #forget(key: string): void {
    for (const known of [this.#drafts, this.#seen, this.#awaitingNode]) known.delete(key);
  }
}
