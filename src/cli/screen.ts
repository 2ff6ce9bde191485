/**
 * Everything that is written and asked: colours and cursor movements only on a terminal. Control codes and controls of the
 * direction of text are taken out here, of every text, so that no command can forget it.
 */
import { isCancel, confirm, password, select, text } from '@clack/prompts';
import { stripVTControlCharacters } from 'node:util';
import { CommandError, EXIT } from './exit.ts';
import type { Environment } from './profiles.ts';

const COLOURS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Colour = keyof typeof COLOURS;

/** A text in a colour. */
export interface Painted {
  readonly colour: Colour;
  readonly said: string;
}
export type Part = string | Painted;

// oxlint-disable no-control-regex -- these are what is taken out
/** C0 but for tabs and line breaks, DEL and C1. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** They show a text in another order than the one that it has: a name could pass for another (CVE-2021-42574). */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** JSON itself has to escape C0 alone. */
const UNESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// oxlint-enable no-control-regex

/** Text of others could move the cursor, retitle the window, or read in another order than it stands. */
export const plain = (said: string): string =>
  stripVTControlCharacters(said).replaceAll(CONTROLS, '').replaceAll(DIRECTIONS, '');

/** The same value as JSON for a terminal: what `plain` takes out of texts is escaped. */
export const jsonText = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replaceAll(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  return plain(typeof value === 'string' ? value : jsonText(value)).replaceAll(/\s+/g, ' ');
};

export class Screen {
  readonly isLive: boolean;
  readonly canAsk: boolean;
  readonly #hasColour: boolean;

  constructor(env: Environment) {
    this.isLive = process.stdout.isTTY && env['TERM'] !== 'dumb';
    this.canAsk = this.isLive && process.stdin.isTTY;
    this.#hasColour = this.isLive && (env['NO_COLOR'] ?? '') === '';
  }

  paint(colour: Colour, said: string): Painted {
    return { colour, said };
  }

  /** @returns the parts as one text that may be written to the terminal */
  render(parts: readonly Part[]): string {
    return parts
      .map((part) => {
        if (typeof part === 'string') return plain(part);
        const said = plain(part.said);
        return this.#hasColour ? `\u001b[${COLOURS[part.colour]}m${said}\u001b[0m` : said;
      })
      .join('');
  }

  line(...parts: readonly Part[]): void {
    process.stdout.write(`${this.render(parts)}\n`);
  }
  json(value: unknown): void {
    process.stdout.write(`${jsonText(value)}\n`);
  }
  note(...parts: readonly Part[]): void {
    process.stderr.write(`${this.render(parts)}\n`);
  }
  /** Writes over the line that the cursor is in; nothing where the cursor cannot be moved. */
  progress(said: string): void {
    if (this.isLive) process.stdout.write(`\r${plain(said)}`);
  }

  /** Rows under the names of their columns. */
  table(columns: readonly string[], rows: readonly (readonly unknown[])[]): void {
    const cells = rows.map((row) => row.map(cell));
    const widths = columns.map((name, at) =>
      Math.max(name.length, ...cells.map((row) => row[at]?.length ?? 0)),
    );
    const padded = (row: readonly string[]): string =>
      row
        .map((value, at) => value.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd();
    this.line(this.paint('bold', padded(columns.map((name) => name.toUpperCase()))));
    for (const row of cells) this.line(padded(row));
  }

  /** @throws CommandError where nobody can be asked and `--yes` is not given */
  async confirm(message: string, isAgreed: boolean): Promise<boolean> {
    if (isAgreed) return true;
    if (!this.canAsk) throw new CommandError(`${message} Say --yes where nobody can be asked.`, EXIT.usage);
    return (await confirm({ message: plain(message), initialValue: false })) === true;
  }

  /** @returns null when the question was left with Ctrl-C */
  async text(message: string, initialValue = ''): Promise<string | null> {
    const said = await text({ message: plain(message), initialValue });
    return isCancel(said) ? null : said;
  }

  /** @throws CommandError when the question is left */
  async secret(message: string): Promise<string> {
    if (!this.canAsk) throw new CommandError(`${message}: nobody can be asked`, EXIT.usage);
    const said = await password({ message });
    if (isCancel(said)) throw new CommandError('Nothing was entered', EXIT.stopped);
    return said;
  }

  /** @returns null when the question was left with Ctrl-C */
  async choose(
    message: string,
    options: readonly { value: string; label: string }[],
  ): Promise<string | null> {
    const shown = options.map(({ value, label }) => ({ value, label: plain(label) }));
    const said = await select({ message: plain(message), options: shown });
    return isCancel(said) ? null : said;
  }
}
