/**
 * The terminal: the only file that prints and prompts. It removes control characters and text direction marks from all
 * texts, so that no command can forget to.
 */
import { isCancel, confirm, password, select, text } from '@clack/prompts';
import { stripVTControlCharacters } from 'node:util';
import { CommandError, EXIT } from './exit.ts';
import type { Environment } from './profiles.ts';

const COLOURS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Colour = keyof typeof COLOURS;

interface ColouredText {
  readonly colour: Colour;
  readonly text: string;
}
export type ScreenText = string | ColouredText;

// oxlint-disable no-control-regex -- these are removed
/** C0 except tabs and line breaks, DEL and C1. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Direction marks reorder the displayed text, so one name could look like another (CVE-2021-42574). */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** JSON.stringify escapes only C0. */
const UNESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// oxlint-enable no-control-regex

/** Removes everything with which a foreign text could move the cursor, set the window title or reorder its characters. */
export const plain = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(CONTROLS, '').replaceAll(DIRECTIONS, '');

/** Formats a value as JSON that is safe on a terminal: escapes what `plain` removes. */
export const jsonText = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replaceAll(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const formatCell = (value: unknown): string => {
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

  paint(colour: Colour, text: string): ColouredText {
    return { colour, text };
  }

  /** @returns one text that is safe to print */
  render(parts: readonly ScreenText[]): string {
    return parts
      .map((part) => {
        if (typeof part === 'string') return plain(part);
        const text = plain(part.text);
        return this.#hasColour ? `\u001b[${COLOURS[part.colour]}m${text}\u001b[0m` : text;
      })
      .join('');
  }

  line(...parts: readonly ScreenText[]): void {
    process.stdout.write(`${this.render(parts)}\n`);
  }
  json(value: unknown): void {
    process.stdout.write(`${jsonText(value)}\n`);
  }
  /** Writes a part of a file, such as a line of CSV, byte for byte. */
  file(text: string): void {
    process.stdout.write(text);
  }
  note(...parts: readonly ScreenText[]): void {
    process.stderr.write(`${this.render(parts)}\n`);
  }
  /** Overwrites the current line; prints nothing outside a terminal. */
  progress(text: string): void {
    if (this.isLive) process.stdout.write(`\r${plain(text)}`);
  }

  table(columns: readonly string[], rows: readonly (readonly unknown[])[]): void {
    const cells = rows.map((row) => row.map(formatCell));
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

  /** @throws CommandError outside a terminal when `--yes` is not given */
  async confirm(message: string, isConfirmed: boolean): Promise<boolean> {
    if (isConfirmed) return true;
    if (!this.canAsk)
      throw new CommandError(
        `${message} Cannot prompt without a terminal; pass --yes to confirm.`,
        EXIT.usage,
      );
    return (await confirm({ message: plain(message), initialValue: false })) === true;
  }

  /** @param findProblem of a value that is not accepted yet @returns null after Ctrl-C */
  async text(
    message: string,
    initialValue = '',
    findProblem: (entered: string) => string | null = () => null,
  ): Promise<string | null> {
    const validate = (entered: string | undefined): string | undefined => {
      const problem = findProblem(entered ?? '');
      return problem === null ? undefined : plain(problem);
    };
    const entered = await text({ message: plain(message), initialValue, validate });
    return isCancel(entered) ? null : (entered ?? '');
  }

  /** Prompts without echo. @throws CommandError outside a terminal and after Ctrl-C */
  async secret(message: string): Promise<string> {
    if (!this.canAsk) throw new CommandError(`${message}: cannot prompt without a terminal`, EXIT.usage);
    const entered = await password({ message });
    if (isCancel(entered)) throw new CommandError('Cancelled', EXIT.stopped);
    return entered;
  }

  /** @returns null after Ctrl-C */
  async choose(
    message: string,
    options: readonly { value: string; label: string }[],
    initialValue?: string,
  ): Promise<string | null> {
    const shown = options.map(({ value, label }) => ({ value, label: plain(label) }));
    const chosen = await select({
      message: plain(message),
      options: shown,
      ...(initialValue === undefined ? {} : { initialValue }),
    });
    return isCancel(chosen) ? null : chosen;
  }
}
