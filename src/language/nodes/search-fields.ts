/** The fields of forms for what searches knowledge bases. */
import type { Field } from './form-field.ts';

/** Conditions on the metadata of documents. */
export const FILTERS: Field = { ptr: '/filters', label: 'Filters', widget: 'filters' };
