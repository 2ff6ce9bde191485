/**
 * Redaction: replaces the values at named paths by the text `[redacted]`. Everything that reads, stores or streams a value of a run
 * gets the replaced form, so nothing that was named is ever written. Values that take more work than the budget are replaced wholly.
 */
import { TextRemover } from './text-remover.ts';
import { isObject, setOwn, type Json, type JsonObject } from '../values/value.ts';
import { REQUEST_WORK, WorkBudget, WorkLimitExceeded } from '../values/work-budget.ts';

export const REDACTED = '[redacted]';
export const MAX_REDACTED_PATHS = 50;
export const MAX_REDACTED_PATH_LENGTH = 200;

/** The paths that `findPathProblem` accepts, for descriptions of the API (ECMA-262): names, `*` and `**` with dots between them. */
const NAME = String.raw`[^\s\uFEFF*.\[\]{}](?:[^*.\[\]{}]*[^\s\uFEFF*.\[\]{}])?`;
export const REDACTED_PATH_PATTERN = String.raw`^(?:(?:\*|${NAME})\.|\*\*\.(?!\*\*\.))*${NAME}$`;

/** One level with this key or index; `*`: any one level; `**`: any number of levels, also none. */
type PathPart = string;

/** A part of a path, and the parts after it; `next` is null at its end. */
interface Step {
  readonly part: PathPart;
  readonly next: Step | null;
}

/**
 * Keys in which this service and its nodes wrap values of others. A path starts at a value, and also below these keys of it and in
 * their lists, so that it needs not name the wrapping of each kind of node.
 */
const WRAPPERS: ReadonlySet<string> = new Set([
  'arguments',
  'body',
  'content',
  'data',
  'default_response',
  'headers',
  'input',
  'message',
  'messages',
  'output',
  'payload',
  'query',
  'response',
  'responses',
  'result',
  'results',
  'structuredContent',
  'text',
  'tool_calls',
]);
/** Shorter texts would match ordinary words where they are searched for. */
const MIN_SEARCHED = 6;
/** A named object may hold thousands of texts, and each is searched for in all of an output. */
const MAX_SEARCHED = 64;
/** The deepest JSON of a text that is parsed: as deep as clients may send. */
const MAX_TEXT_DEPTH = 8;
/** Parsing, encoding and comparing take about 6 ns per character, see work-budget.ts. */
const CHARS_PER_STEP = 4;
/** Steps of work per part of a path that waits for a key. */
const STEPS_PER_PART = 2;

/** Finds why a path cannot be used; null when it can. */
export function findPathProblem(path: string): string | null {
  if (path.length === 0 || path.length > MAX_REDACTED_PATH_LENGTH)
    return `Must have 1 to ${MAX_REDACTED_PATH_LENGTH} characters`;
  const parts = path.split('.');
  if (parts.some((part) => part === '' || part.trim() !== part))
    return 'Names must be separated by single dots, without spaces around them';
  const odd = parts.find((part) => part !== '*' && part !== '**' && /[*[\]{}]/.test(part));
  if (odd !== undefined)
    return `${odd}: only a name, * (one level) or ** (any depth) may stand between dots; write items.*.card, not items[].card`;
  if (/^\*+$/.test(parts.at(-1) ?? '')) return 'Must end with a name';
  if (parts.some((part, index) => part === '**' && parts[index + 1] === '**')) return '** may not follow **';
  return null;
}

/** Parses a path that has no problem. */
const parsePath = (path: string): Step | null =>
  path.split('.').reduceRight<Step | null>((next, part) => ({ part, next }), null);

/** Adds a step to those that wait for the next key; `**` may stand for no level. */
function addStep(steps: Set<Step>, step: Step): void {
  if (steps.has(step)) return;
  steps.add(step);
  if (step.part === '**' && step.next !== null) addStep(steps, step.next);
}

/** A place in a value. */
interface Place {
  readonly steps: ReadonlySet<Step>;
  /** All keys above it are wrappers, so paths start here, too. */
  readonly isStart: boolean;
  /** Texts of JSON around it. */
  readonly texts: number;
}

/** One redaction of values that belong together. */
interface Pass {
  readonly work: WorkBudget;
  /** Texts of the named values. */
  readonly found: Set<string>;
}

/** The named paths of a run, compiled. */
export class Redaction {
  readonly #starts: ReadonlySet<Step>;

  constructor(paths: readonly string[]) {
    const starts = new Set<Step>();
    for (const path of new Set(paths)) {
      const step = parsePath(path);
      if (step !== null) addStep(starts, step);
    }
    this.#starts = starts;
  }

  get isEmpty(): boolean {
    return this.#starts.size === 0;
  }

  /** As `all`, for one value. @returns a copy without the named values; the value itself when it has none */
  json<Value extends Json>(value: Value, work?: WorkBudget): Value {
    return this.all([value], work)[0] as Value;
  }

  /**
   * Redacts values that belong together: a named value of one is also removed from the texts of all, such as a log line or an answer
   * that repeats it.
   * @param work shared by the redactions of one request or node. Beyond it every text, number and boolean of the values is replaced
   */
  all(values: readonly Json[], work = new WorkBudget(REQUEST_WORK)): Json[] {
    if (this.isEmpty) return [...values];
    try {
      return this.#redact(values, work);
    } catch (error) {
      // JSON in a text may nest deeper than the call stack.
      if (!(error instanceof WorkLimitExceeded || error instanceof RangeError)) throw error;
      return values.map(redactWholly);
    }
  }

  /** @throws WorkLimitExceeded */
  #redact(values: readonly Json[], work: WorkBudget): Json[] {
    const found = new Set<string>();
    const start = { steps: this.#starts, isStart: true, texts: 0 };
    const cut = values.map((value) => this.#cut(value, start, { work, found }));
    if (found.size === 0) return cut;
    for (const text of found) work.spend(text.length / CHARS_PER_STEP);
    const remover = new TextRemover([...found].flatMap(listSpellings));
    return cut.map((value) => removeTexts(value, { remover, found, work }));
  }

  /** Tells whether a value at this place of another value is redacted. @throws WorkLimitExceeded */
  names(path: readonly (string | number)[], work: WorkBudget): boolean {
    const value = path.reduceRight<Json>(
      (inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }),
      null,
    );
    return this.#redact([value], work)[0] !== value;
  }

  #cut(value: Json, place: Place, pass: Pass): Json {
    if (place.steps.size === 0) return value;
    if (typeof value === 'string') return this.#cutText(value, place, pass);
    if (Array.isArray(value)) {
      let copy: Json[] | null = null;
      for (const [index, item] of value.entries()) {
        const next = this.#cutChild(item, String(index), { ...place, isList: true }, pass);
        if (next !== item) (copy ??= [...value])[index] = next;
      }
      return copy ?? value;
    }
    if (!isObject(value)) return value;
    let copy: JsonObject | null = null;
    for (const [key, item] of Object.entries(value)) {
      const next = this.#cutChild(item, key, { ...place, isList: false }, pass);
      if (next !== item) setOwn((copy ??= { ...value }), key, next);
    }
    return copy ?? value;
  }

  #cutChild(
    item: Json,
    key: string,
    { steps, isStart, texts, isList }: Place & { readonly isList: boolean },
    pass: Pass,
  ): Json {
    const startsHere = isStart && (isList || WRAPPERS.has(key));
    pass.work.spend(1 + STEPS_PER_PART * (steps.size + (startsHere ? this.#starts.size : 0)));
    const after = new Set<Step>();
    for (const step of steps) {
      const isDeep = step.part === '**';
      if (isDeep) addStep(after, step);
      else if (step.part === '*' || step.part === key) {
        if (step.next === null) {
          collectTexts(item, pass);
          return REDACTED;
        }
        addStep(after, step.next);
      }
    }
    if (startsHere) for (const step of this.#starts) addStep(after, step);
    return this.#cut(item, { steps: after, isStart: startsHere, texts }, pass);
  }

  /** Redacts the JSON in a text: the body of a response, the arguments of a tool call, the answer of a model. */
  #cutText(text: string, place: Place, pass: Pass): string {
    if (place.texts >= MAX_TEXT_DEPTH || !/^\s*[[{]/.test(text)) return text;
    pass.work.spend(text.length / CHARS_PER_STEP);
    let value: Json;
    try {
      value = JSON.parse(text) as Json;
    } catch {
      return text;
    }
    const cut = this.#cut(value, { ...place, texts: place.texts + 1 }, pass);
    return cut === value ? text : JSON.stringify(cut);
  }
}

/** The redaction of runs without named paths. */
export const NO_REDACTION = new Redaction([]);

/** Collects the texts and numbers of a named value. */
function collectTexts(value: Json, { work, found }: Pass): void {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    if (text.length >= MIN_SEARCHED && text !== REDACTED && found.size < MAX_SEARCHED) found.add(text);
  } else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) {
      work.spend(1);
      collectTexts(item, { work, found });
    }
}

/** A text as it stands in JSON and in addresses. */
const listSpellings = (text: string): string[] => [
  ...new Set([
    text,
    JSON.stringify(text).slice(1, -1),
    // Half a surrogate pair has no address.
    /\p{Surrogate}/u.test(text) ? text : encodeURIComponent(text),
  ]),
];

/** Removes texts from all texts of a value, and their numbers; keys stay. @throws WorkLimitExceeded */
function removeTexts(value: Json, search: Pass & { readonly remover: TextRemover }): Json {
  const { remover, found, work } = search;
  work.spend(1);
  if (typeof value === 'string') return remover.replace(value, REDACTED, work);
  if (typeof value === 'number') return found.has(String(value)) ? REDACTED : value;
  if (Array.isArray(value)) return value.map((item) => removeTexts(item, search));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) setOwn(copy, key, removeTexts(item, search));
  return copy;
}

/** Replaces every text, number and boolean of a value that could not be searched; keys stay, as in all redactions. */
function redactWholly(value: Json): Json {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(redactWholly);
  if (!isObject(value)) return REDACTED;
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) setOwn(copy, key, redactWholly(item));
  return copy;
}
