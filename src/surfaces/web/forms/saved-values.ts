/** Remembers the texts that were saved here, to notify their author when a colleague replaces one. */
import { sameJson, type Json } from '../../../language/graph/values/value.ts';
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { Entity } from './entity.ts';
import { readField } from './field-value.ts';
import { FORMATS, toText } from './formats.ts';
import { formatDraftKey, type Draft, type DraftField } from './kept-drafts.ts';

const MAX_TEXTS = 50;

interface SavedValue extends DraftField {
  /** The value before it was written. */
  readonly origin: Json;
  readonly typed: Json;
}

/** An own text that a colleague has replaced. */
export interface ReplacedValue {
  readonly mine: Json;
  readonly by: string;
}

interface SavedValuesDeps {
  /** The document with the own edits, and as the server has it. */
  readonly view: () => CanvasDocument;
  readonly confirmed: () => CanvasDocument;
  readonly findAuthor: (entity: Entity) => string;
  readonly onReplaced: (field: DraftField, by: string) => void;
}

export class SavedValues {
  readonly #deps: SavedValuesDeps;
  readonly #written = new Map<string, SavedValue>();
  readonly #replaced = new Map<string, ReplacedValue>();

  constructor(deps: SavedValuesDeps) {
    this.#deps = deps;
  }

  replacedAt(key: string): ReplacedValue | undefined {
    return this.#replaced.get(key);
  }
  dismiss(key: string): void {
    this.#replaced.delete(key);
  }

  /** @param shown the saved value as its control shows it */
  remember({ entity, ptr, label, format, origin }: Draft, shown: Json): void {
    // A choice is no text that somebody could miss.
    if (format === 'value') return;
    const key = formatDraftKey({ entity, ptr });
    const before = this.#written.get(key);
    const begun = before !== undefined && sameJson(before.typed, origin) ? before.origin : origin;
    this.#written.delete(key);
    this.#written.set(key, { entity, ptr, label, format, typed: shown, origin: begun });
    const [oldest] = this.#written.keys();
    if (this.#written.size > MAX_TEXTS && oldest !== undefined) this.#written.delete(oldest);
  }

  /** Looks after each change of the document whether the texts are still there. @param isEdited fields with a draft */
  onDocumentChange(isEdited: (key: string) => boolean): void {
    for (const [key, text] of this.#written) if (!isEdited(key)) this.#compare(key, text);
  }

  #compare(key: string, text: SavedValue): void {
    const stored = readField(this.#deps.confirmed(), text);
    if (stored === undefined) return;
    if (sameJson(stored, text.typed)) {
      // An own newer edit, an undo among them, is no colleague's.
      if (!sameJson(readField(this.#deps.view(), text), stored)) this.#written.delete(key);
      return;
    }
    this.#written.delete(key);
    const by = this.#deps.findAuthor(text.entity);
    const tell = (): void => {
      this.#replaced.set(key, { mine: text.typed, by });
      this.#deps.onReplaced(text, by);
    };
    if (FORMATS[text.format].merging === 'never') return tell();
    const compareTexts = async (): Promise<void> => {
      const { survives } = await import('../text/merge.ts');
      const isThere = survives(toText(text.origin), toText(text.typed), toText(stored));
      if (isThere) this.#written.set(key, { ...text, typed: stored, origin: stored });
      else tell();
    };
    // Without a network the code that compares may not have been loaded.
    compareTexts().catch(tell);
  }
}
