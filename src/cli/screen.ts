/** What is written and asked: colours and cursor movements only on a terminal, text of the service without control codes. */
import { isCancel, confirm, password, select, text } from '@clack/prompts';
import { stripVTControlCharacters } from 'node:util';
import { CommandError, EXIT } from './exit.ts';
import type { Environment } from './profiles.ts';

const COLOURS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Colour = keyof typeof COLOURS;

/** Text of others could move the cursor or retitle the window. */
export const plain = (said: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  stripVTControlCharacters(said).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  return plain(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ');
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

  paint(colour: Colour, said: string): string {
    return this.#hasColour ? `\u001b[${COLOURS[colour]}m${said}\u001b[0m` : said;
  }

  line(said: string): void {
    process.stdout.write(`${said}\n`);
  }
  json(value: unknown): void {
    this.line(JSON.stringify(value));
  }
  note(said: string): void {
    process.stderr.write(`${said}\n`);
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
