/** Filters of texts and lists. */
import { STEPS_PER_VALUE, RenderTooLarge, MAX_RENDERED_CHARS } from '../template/render-budget.ts';
import { sliceText } from '../values/cut-text.ts';
import { escapeHtml } from '../values/escape-html.ts';
import type { Json } from '../values/value.ts';
import {
  FilterError,
  readFilterText,
  readIntegerArgument,
  readTextArgument,
  type FilterContext,
  type FilterRule,
} from './filter.ts';

const ESCAPES: Readonly<Record<string, (text: string) => string>> = {
  html: escapeHtml,
  url: (text) => encodeURIComponent(text),
  json: (text) => JSON.stringify(text).slice(1, -1),
  markdown: (text) => text.replaceAll(/[\\`*_{}[\]()#+\-.!|<>~]/g, String.raw`\$&`),
};
const ESCAPE_NAMES = Object.keys(ESCAPES).join(', ');

/** @throws RenderTooLarge, before a text of this length is built */
function checkLength(length: number): void {
  if (length > MAX_RENDERED_CHARS)
    throw new RenderTooLarge(`Rendered text is longer than ${MAX_RENDERED_CHARS} characters`);
}

const textFilter = (change: (text: string) => string): FilterRule => ({
  apply: (value, _, context) => change(readFilterText(value, context)),
});

function countPlaces(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

function replace(value: Json, args: readonly Json[], context: FilterContext): string {
  const text = readFilterText(value, context);
  const part = readTextArgument(args[0], 'searched text');
  const by = readTextArgument(args[1], 'replacement');
  if (part === '') throw new FilterError('The searched text of replace is empty');
  checkLength(text.length + countPlaces(text, part) * (by.length - part.length));
  return text.replaceAll(part, () => by);
}

function split(value: Json, args: readonly Json[], context: FilterContext): Json[] {
  const text = readFilterText(value, context);
  const separator = readTextArgument(args[0], 'separator');
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  context.budget.work.spend(parts.length * STEPS_PER_VALUE);
  return parts;
}

function joinList(value: Json, args: readonly Json[], context: FilterContext): string {
  if (!Array.isArray(value)) throw new FilterError('The value of join must be a list');
  const separator = args[0] === undefined ? ', ' : readTextArgument(args[0], 'separator');
  const texts: string[] = [];
  let length = separator.length * Math.max(0, value.length - 1);
  for (const item of value) {
    const text = readFilterText(item, context);
    length += text.length;
    checkLength(length);
    texts.push(text);
  }
  return texts.join(separator);
}

function slice(value: Json, args: readonly Json[], context: FilterContext): Json {
  const start = readIntegerArgument(args[0], 'start');
  const end = args[1] === undefined || args[1] === null ? undefined : readIntegerArgument(args[1], 'end');
  if (!Array.isArray(value)) return sliceText(readFilterText(value, context), start, end);
  context.budget.work.spend(value.length);
  return value.slice(start, end);
}

export const TEXT_FILTERS = {
  lower: textFilter((text) => text.toLowerCase()),
  upper: textFilter((text) => text.toUpperCase()),
  trim: textFilter((text) => text.trim()),
  replace: { apply: replace },
  split: { apply: split },
  join: { apply: joinList },
  slice: { apply: slice },
  escape: {
    check: ([kind]) =>
      kind === undefined || (typeof kind === 'string' && Object.hasOwn(ESCAPES, kind))
        ? null
        : `Filter escape needs one of: ${ESCAPE_NAMES}`,
    apply: (value, [kind], context) => {
      const name = readTextArgument(kind, 'kind');
      const escape = Object.hasOwn(ESCAPES, name) ? ESCAPES[name] : undefined;
      if (escape === undefined) throw new FilterError(`Filter escape needs one of: ${ESCAPE_NAMES}`);
      const text = escape(readFilterText(value, context));
      checkLength(text.length);
      return text;
    },
  },
} satisfies Readonly<Record<string, FilterRule>>;
