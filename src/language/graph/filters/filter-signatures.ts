/** How each filter of templates is written (SPEC DEF-2.18). Apart from what a filter computes: who only finds references needs no more. */

interface FilterSignature {
  /** The number of arguments. */
  readonly args: readonly [least: number, most: number];
  /** As it is written, for messages and completion. */
  readonly usage: string;
}

const SIGNATURES = {
  default: { args: [1, 1], usage: 'default: "none"' },
  json: { args: [0, 0], usage: 'json' },
  length: { args: [0, 0], usage: 'length' },
  lower: { args: [0, 0], usage: 'lower' },
  upper: { args: [0, 0], usage: 'upper' },
  trim: { args: [0, 0], usage: 'trim' },
  replace: { args: [2, 2], usage: 'replace: "old", "new"' },
  split: { args: [1, 1], usage: 'split: ","' },
  join: { args: [0, 1], usage: 'join: ", "' },
  slice: { args: [1, 2], usage: 'slice: 0, 100' },
  escape: { args: [1, 1], usage: 'escape: "html"' },
  round: { args: [0, 1], usage: 'round: 2' },
  parse_number: { args: [0, 1], usage: 'parse_number: "de"' },
  format_number: { args: [0, 2], usage: 'format_number: "de", 2' },
  currency: { args: [1, 2], usage: 'currency: "EUR", "de"' },
  date: { args: [1, 2], usage: 'date: "yyyy-MM-dd", "Europe/Berlin"' },
  parse_date: { args: [0, 2], usage: 'parse_date: "dd.MM.yyyy HH:mm", "Europe/Berlin"' },
  date_add: { args: [2, 3], usage: 'date_add: 7, "days", "Europe/Berlin"' },
  date_diff: { args: [2, 3], usage: 'date_diff: other.date, "days", "Europe/Berlin"' },
  start_of: { args: [1, 2], usage: 'start_of: "month", "Europe/Berlin"' },
  hash: { args: [0, 1], usage: 'hash: "sha256"' },
  uuid: { args: [0, 1], usage: 'uuid: "purpose"' },
  base64: { args: [0, 0], usage: 'base64' },
  base64_decode: { args: [0, 0], usage: 'base64_decode' },
} satisfies Readonly<Record<string, FilterSignature>>;

/** A filter that computes; `default`, `json` and `length` belong to the renderer. */
export type FilterName = Exclude<keyof typeof SIGNATURES, 'default' | 'json' | 'length'>;

export const FILTER_SIGNATURES: ReadonlyMap<string, FilterSignature> = new Map(Object.entries(SIGNATURES));
