/** All filters of templates by name, but `default`, `json` and `length`, which are part of the grammar (template/template.ts). */
import { DATE_FILTERS } from './date-filters.ts';
import type { FilterRule } from './filter.ts';
import type { FilterName } from './filter-signatures.ts';
import type { Json } from '../values/value.ts';
import { HASH_FILTERS } from './hash-filters.ts';
import { NUMBER_FILTERS } from './number-filters.ts';
import { TEXT_FILTERS } from './text-filters.ts';

const RULES: Readonly<Record<FilterName, FilterRule>> = {
  ...TEXT_FILTERS,
  ...NUMBER_FILTERS,
  ...DATE_FILTERS,
  ...HASH_FILTERS,
};
export const FILTERS: ReadonlyMap<string, FilterRule> = new Map(Object.entries(RULES));

/** Finds what is wrong with arguments that a definition gives to a filter. @param args undefined for one that only the run knows */
export const checkFilterArguments = (name: string, args: readonly (Json | undefined)[]): string | null =>
  FILTERS.get(name)?.check?.(args) ?? null;
