/** All filters of templates by name, but `default`, `json` and `length`, which are part of the grammar (template/template-scanner.ts). */
import { DATE_FILTERS } from './date-filters.ts';
import type { FilterRule } from './filter.ts';
import { HASH_FILTERS } from './hash-filters.ts';
import { NUMBER_FILTERS } from './number-filters.ts';
import { TEXT_FILTERS } from './text-filters.ts';

export const FILTERS: ReadonlyMap<string, FilterRule> = new Map(
  Object.entries({ ...TEXT_FILTERS, ...NUMBER_FILTERS, ...DATE_FILTERS, ...HASH_FILTERS }),
);
