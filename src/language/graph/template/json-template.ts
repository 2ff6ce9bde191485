/**
 * Reads JSON with templates as values, as keys and inside strings. An inserted value is a JSON value or a part of a string;
 * it can neither end its string nor add a member (SPEC SEC-M04).
 */
import { scanTemplate } from './template-scanner.ts';

export type JsonPiece =
  /** JSON as the author wrote it. */
  | { readonly kind: 'literal'; readonly text: string }
  /** A template as a value or a key. `isJson`: its filter `json` already writes JSON. */
  | { readonly kind: 'value'; readonly source: string; readonly isJson: boolean }
  /** A template inside a string. */
  | { readonly kind: 'text'; readonly source: string };

class PieceReader {
  readonly pieces: JsonPiece[] = [];
  readonly #keepsTypes: boolean;
  /** Pieces since the opening quote; null outside of strings. */
  #string: JsonPiece[] | null = null;

  constructor(keepsTypes: boolean) {
    this.#keepsTypes = keepsTypes;
  }

  template(source: string, isJson: boolean): void {
    if (this.#string === null) this.pieces.push({ kind: 'value', source, isJson });
    else this.#string.push({ kind: 'text', source });
  }

  literal(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const char = text[at];
      if (char === '\\' && this.#string !== null) {
        // A backslash before literal braces is an escape of templates; JSON has no such escape.
        if (text[at + 1] !== '{') at += 1;
        else {
          this.#string.push({ kind: 'literal', text: text.slice(from, at) });
          from = at + 1;
        }
      } else if (char === '"') {
        const before: JsonPiece = { kind: 'literal', text: text.slice(from, at) };
        from = at + 1;
        if (this.#string === null) {
          this.pieces.push(before);
          this.#string = [];
        } else {
          this.#closeString([...this.#string, before]);
          this.#string = null;
        }
      }
    }
    (this.#string ?? this.pieces).push({ kind: 'literal', text: text.slice(from) });
  }

  /** The pieces; null when a string is not closed. */
  end(): readonly JsonPiece[] | null {
    return this.#string === null ? this.pieces : null;
  }

  #closeString(inside: readonly JsonPiece[]): void {
    const [only, ...others] = inside.filter((piece) => piece.kind !== 'literal' || piece.text.trim() !== '');
    if (this.#keepsTypes && only?.kind === 'text' && others.length === 0) {
      this.pieces.push({ kind: 'value', source: only.source, isJson: false });
      return;
    }
    const quote: JsonPiece = { kind: 'literal', text: '"' };
    this.pieces.push(quote, ...inside, quote);
  }
}

/** True when the literal parts are JSON around any inserted value: tested with a string for each value. */
function isJson(pieces: readonly JsonPiece[]): boolean {
  const text = pieces.map((piece) => {
    if (piece.kind === 'literal') return piece.text;
    return piece.kind === 'value' ? '""' : '';
  });
  try {
    JSON.parse(text.join(''));
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads a text as JSON with templates in it; null when its literal parts are not JSON.
 * @param keepsTypes a string that is exactly one template becomes the value of that template, as everywhere in a definition
 * @throws TemplateError
 */
export function readJsonTemplate(text: string, keepsTypes: boolean): readonly JsonPiece[] | null {
  const reader = new PieceReader(keepsTypes);
  for (const part of scanTemplate(text).parts) {
    if (typeof part === 'string') reader.literal(part);
    else reader.template(part.source, part.filters.at(-1)?.name === 'json');
  }
  const pieces = reader.end();
  return pieces !== null && isJson(pieces) ? pieces : null;
}
