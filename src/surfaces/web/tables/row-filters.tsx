/** Filters of the rows of a table: the beginning of their keys, and one field of their values. */
import { Group } from '@mantine/core';
import { TextFilter } from '../kit/search-filters.tsx';
import { tableWords } from '../words-tables.ts';

export interface RowFilter {
  readonly prefix?: string | undefined;
  readonly field?: string | undefined;
  readonly equals?: string | undefined;
}

/** The filter as a query of the API: a field counts with its value alone. */
export const toQuery = ({ prefix, field, equals }: RowFilter) => ({
  ...(prefix === undefined ? {} : { prefix }),
  ...(field === undefined || equals === undefined ? {} : { field, equals }),
});

interface FiltersProps {
  readonly filter: RowFilter;
  readonly onChange: (filter: RowFilter) => void;
}

export const RowFilters = ({ filter, onChange }: FiltersProps) => {
  const show = (name: keyof RowFilter, label: string, maxLength: number) => (
    <TextFilter
      label={label}
      placeholder={label}
      maxLength={maxLength}
      value={filter[name]}
      onChange={(text) => onChange({ ...filter, [name]: text })}
    />
  );
  return (
    <Group gap="xs">
      {show('prefix', tableWords.keyBegins, 255)}
      {show('field', tableWords.field, 255)}
      {show('equals', tableWords.equals, 1_000)}
    </Group>
  );
};
