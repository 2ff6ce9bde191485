/** The computations over the values of a group. Null stands for no value, and only a list keeps it. */
import { shortenText } from '../../graph/values/cut-text.ts';
import { readDecimal } from '../../graph/values/decimal.ts';
import { keepDigits, type ExactJson } from '../../graph/values/exact-json.ts';
import { ExactSum, MAX_DIGITS } from '../../graph/values/exact-sum.ts';
import { compareOrdinals, readOrdinal, type Ordinal } from '../../graph/values/order.ts';
import type { Json } from '../../graph/values/value.ts';
import type { WorkBudget } from '../../graph/values/work-budget.ts';
import { NodeError } from '../kind.ts';
import type { AGGREGATES } from './config.ts';

/** Steps to add a number, or to read and compare a value. */
const STEPS_PER_VALUE = 200;
const CHARS_PER_STEP = 4;
const MAX_SHOWN = 40;

/** The work on one field of one group. */
export interface Aggregate {
  /** @throws NodeError @throws WorkLimitExceeded */
  add(value: Json): void;
  finish(): ExactJson;
}

type Op = (typeof AGGREGATES)[number];

interface AggregateOptions {
  readonly op: Op;
  /** The field, for errors. */
  readonly name: string;
  readonly work: WorkBudget;
}

const exact = (value: Json): ExactJson => ({ value, texts: [], rounded: [] });

const show = (value: Json): string =>
  typeof value === 'string' ? JSON.stringify(shortenText(value, MAX_SHOWN)) : typeof value;

function spendOn(value: Json, work: WorkBudget): void {
  work.spend(STEPS_PER_VALUE + (typeof value === 'string' ? value.length / CHARS_PER_STEP : 0));
}

/** Sums or averages numbers and numeric texts by all their digits. */
function createSum({ op, name, work }: AggregateOptions): Aggregate {
  const sum = new ExactSum();
  return {
    add: (value) => {
      if (value === null) return;
      spendOn(value, work);
      const decimal = readDecimal(value);
      if (decimal === null)
        throw new NodeError('not_a_number', `A value of "${name}" is not a number: ${show(value)}`);
      if (!sum.add(decimal))
        throw new NodeError('not_a_number', `A value of "${name}" has more than ${MAX_DIGITS} digits`);
    },
    finish: () => {
      const text = op === 'sum' ? sum.total : sum.average;
      return text === null ? exact(null) : keepDigits(text, JSON.parse(text) as Json);
    },
  };
}

/** Finds the smallest or largest value in the one order of values (graph/values/order.ts); of equal ones the first. */
function createExtreme({ op, name, work }: AggregateOptions): Aggregate {
  let found: { readonly value: Json; readonly ordinal: Ordinal } | null = null;
  return {
    add: (value) => {
      if (value === null) return;
      spendOn(value, work);
      const ordinal = readOrdinal(value);
      if (ordinal.kind === 'other')
        throw new NodeError(
          'not_comparable',
          `A value of "${name}" is a list or an object, which have no size`,
        );
      const order = found === null ? 0 : compareOrdinals(ordinal, found.ordinal);
      if (found === null || (op === 'min' ? order < 0 : order > 0)) found = { value, ordinal };
    },
    finish: () => exact(found?.value ?? null),
  };
}

function createCount(): Aggregate {
  let count = 0;
  return {
    add: (value) => {
      if (value !== null) count += 1;
    },
    finish: () => exact(count),
  };
}

function createFirst(): Aggregate {
  let first: Json = null;
  return {
    add: (value) => {
      first ??= value;
    },
    finish: () => exact(first),
  };
}

function createList(): Aggregate {
  const list: Json[] = [];
  return { add: (value) => void list.push(value), finish: () => exact(list) };
}

export function createAggregate(options: AggregateOptions): Aggregate {
  switch (options.op) {
    case 'count':
      return createCount();
    case 'sum':
    case 'average':
      return createSum(options);
    case 'min':
    case 'max':
      return createExtreme(options);
    case 'first':
      return createFirst();
    case 'list':
      return createList();
  }
}
