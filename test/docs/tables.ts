/** The tables of the READMEs that are generated from the code, and their places: `<!-- generated: NAME -->` to `<!-- end -->`. */
import { ENTITLEMENT_KEYS, MILLICREDITS, PLANS } from '../../src/platform/billing/plans.ts';
import { SEARCH_MC, computeTokenPrice } from '../../src/platform/billing/prices.ts';
import { environment, REQUIRED_IN_PRODUCTION } from '../../src/base/config/environment.ts';
import { VARIABLE_GROUPS } from '../../src/base/config/variable-groups.ts';
import { SECRET_VARIABLES } from '../../src/base/config/secret-files.ts';
import { EVENT_TYPES } from '../../src/engine/runs/ledger/event-types.ts';
import { listErrorCodes } from '../support/error-codes.ts';
import { LIMITS, type Limit } from './limits.ts';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

/** What a variable is when nobody sets it, as the schema has it. */
function defaultOf(name: keyof typeof environment.shape): string {
  const field = environment.shape[name];
  const shown = field.meta()?.['shownDefault'];
  if (typeof shown === 'string') return shown;
  const parsed = environment.safeParse({});
  const value = parsed.success ? parsed.data[name] : undefined;
  if (value === undefined) return '–';
  return typeof value === 'boolean' ? `\`${value ? 1 : 0}\`` : `\`${String(value)}\``;
}

function variables(): string {
  const required: readonly string[] = REQUIRED_IN_PRODUCTION;
  return table(
    ['variable', 'default', 'meaning'],
    (Object.keys(environment.shape) as (keyof typeof environment.shape)[]).map((name) => [
      `\`${name}\`${required.includes(name) ? ' *' : ''}${SECRET_VARIABLES.includes(name) ? ' †' : ''}`,
      defaultOf(name),
      environment.shape[name].description ?? '',
    ]),
  );
}

const variableGroups = (): string =>
  table(
    ['one of these', 'needs'],
    VARIABLE_GROUPS.map(({ any, all }) =>
      [any, all].map((names) => names.map((name) => `\`${name}\``).join(', ')),
    ),
  );

const limitTable = (limits: readonly Limit[]): string =>
  table(
    ['limit', 'value', 'beyond'],
    limits.map(({ what, value, beyond }) => [what, value, beyond]),
  );

const number = (value: number | null): string =>
  value === null ? 'unlimited' : value.toLocaleString('en-US');

const plans = (): string =>
  table(
    ['plan', ...ENTITLEMENT_KEYS.map((key) => `\`${key}\``)],
    Object.entries(PLANS).map(([plan, terms]) => [
      `\`${plan}\``,
      ...ENTITLEMENT_KEYS.map((key) => number(terms[key])),
    ]),
  );

function prices(): string {
  const credits = (mc: number): string => number(mc / MILLICREDITS);
  const thousandIn = { input_tokens: 1_000, output_tokens: 0 };
  return table(
    ['use of the managed models', 'credits'],
    [
      ['1,000 tokens in', credits(computeTokenPrice('llm', thousandIn))],
      ['1,000 tokens out', credits(computeTokenPrice('llm', { input_tokens: 0, output_tokens: 1_000 }))],
      ['1,000 tokens of documents, embedded', credits(computeTokenPrice('embedding', thousandIn))],
      ['a search', credits(SEARCH_MC)],
      ["anything on the organization's own account", '0, but recorded'],
    ],
  );
}

const codes = (): string =>
  table(
    ['status', '`X-Error-Code`', 'meaning'],
    Object.entries(listErrorCodes()).flatMap(([status, meanings]) =>
      Object.entries(meanings).map(([code, meaning]) => [status, `\`${code}\``, meaning]),
    ),
  );

const events = (): string =>
  table(
    ['type', 'when'],
    Object.entries(EVENT_TYPES).map(([type, { when }]) => [`\`${type}\``, when]),
  );

/** By name: `limits` is all of them, `limits canvas` those of one room. */
const TABLES: Readonly<Record<string, () => string>> = {
  variables,
  plans,
  prices,
  codes,
  events,
  'variable groups': variableGroups,
  limits: () => limitTable(Object.values(LIMITS).flat()),
  ...Object.fromEntries(
    Object.entries(LIMITS).map(([room, limits]) => [`limits ${room}`, () => limitTable(limits)]),
  ),
};

const PLACE = /(<!-- generated: ([\w ]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/**
 * @param text of a README
 * @returns the text with its tables as the code has them now
 * @throws for a table that there is not
 */
export function withTables(text: string): string {
  return text.replaceAll(PLACE, (_, begin: string, name: string, end: string) => {
    const build = TABLES[name];
    if (build === undefined)
      throw new Error(`there is no table "${name}": ${Object.keys(TABLES).join(', ')}`);
    return `${begin}\n${build()}\n\n${end}`;
  });
}
