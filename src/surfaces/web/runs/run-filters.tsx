/** The filters of the list of runs. */
import { SimpleGrid } from '@mantine/core';
import { listOptions } from '../kit/list-options.ts';
import { PERIODS } from '../kit/list-search.ts';
import { ChoiceFilter, TextFilter, TimeFilter, type Option } from '../kit/search-filters.tsx';
import { filterWords } from '../words-filters.ts';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';
import { RUN_STATUSES, RUN_TRIGGERS, type RunSearch } from './run-search.ts';

const STATUSES = listOptions(RUN_STATUSES, runWords.statuses);
const TRIGGERS = listOptions(RUN_TRIGGERS, runWords.triggers);
const TIMES = listOptions(PERIODS, filterWords.periods);

interface FiltersProps {
  readonly search: RunSearch;
  readonly workflows: readonly Option[];
  readonly people: readonly Option[];
  readonly onChange: (search: RunSearch) => void;
}

export function RunFilters({ search, workflows, people, onChange }: FiltersProps) {
  const choose = (
    name: 'workflow' | 'status' | 'trigger' | 'by',
    { label, any, data }: { readonly label: string; readonly any: string; readonly data: readonly Option[] },
  ) => (
    <ChoiceFilter
      label={label}
      any={any}
      data={data}
      isSearchable={name === 'workflow' || name === 'by'}
      value={search[name]}
      onChange={(value) => onChange({ ...search, [name]: value } as RunSearch)}
    />
  );
  return (
    <SimpleGrid role="search" aria-label={runWords.filters} cols={{ base: 2, sm: 3, md: 6 }} spacing="xs">
      <TextFilter
        label={words.search}
        placeholder={runWords.searchHint}
        maxLength={200}
        value={search.q}
        onChange={(q) => onChange({ ...search, q })}
      />
      {choose('workflow', { label: words.workflow, any: runWords.anyWorkflow, data: workflows })}
      {choose('status', { label: words.status, any: runWords.anyStatus, data: STATUSES })}
      {choose('trigger', { label: runWords.trigger, any: runWords.anyTrigger, data: TRIGGERS })}
      {choose('by', { label: runWords.startedBy, any: runWords.anyone, data: people })}
      <TimeFilter
        time={search}
        periods={TIMES}
        onChange={({ period, from, to }) => onChange({ ...search, period, from, to })}
      />
    </SimpleGrid>
  );
}
