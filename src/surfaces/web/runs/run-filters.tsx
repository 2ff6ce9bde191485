/** The filters of the list of runs. */
import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';
import { listOptions } from '../kit/list-options.ts';
import { PERIODS, RUN_STATUSES, RUN_TRIGGERS, type RunSearch } from './run-search.ts';

const TYPING_MS = 300;
const CUSTOM = 'custom';

interface Option {
  readonly value: string;
  readonly label: string;
}

const STATUSES = listOptions(RUN_STATUSES, runWords.statuses);
const TRIGGERS = listOptions(RUN_TRIGGERS, runWords.triggers);
const PERIOD_OPTIONS: readonly Option[] = [
  ...listOptions(Object.keys(PERIODS) as (keyof typeof PERIODS)[], runWords.periods),
  { value: CUSTOM, label: runWords.customPeriod },
];

interface FiltersProps {
  readonly search: RunSearch;
  readonly workflows: readonly Option[];
  readonly people: readonly Option[];
  readonly onChange: (search: RunSearch) => void;
}

/** The text filter: it is applied when typing pauses, and follows the address when that changes. */
function TextFilter({ search, onChange }: Pick<FiltersProps, 'search' | 'onChange'>) {
  const [text, setText] = useState(search.q ?? '');
  useEffect(() => setText(search.q ?? ''), [search.q]);
  const apply = useDebouncedCallback(
    (q: string) => onChange({ ...search, q: q.trim() === '' ? undefined : q }),
    TYPING_MS,
  );
  return (
    <TextInput
      type="search"
      aria-label={words.search}
      placeholder={runWords.searchHint}
      maxLength={200}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        apply(value);
      }}
    />
  );
}

/** The time filter: a period that ends now, or two moments. */
function TimeFilter({ search, onChange }: Pick<FiltersProps, 'search' | 'onChange'>) {
  const hasRange = search.from !== undefined || search.to !== undefined;
  const [isCustom, setCustom] = useState(hasRange);
  const isRange = isCustom || hasRange;
  const change = (name: 'from' | 'to') => (
    <TextInput
      type="datetime-local"
      label={runWords[name]}
      value={search[name] ?? ''}
      onChange={({ currentTarget: { value } }) =>
        onChange({ ...search, [name]: value === '' ? undefined : value })
      }
    />
  );
  return (
    <>
      <Select
        aria-label={words.when}
        placeholder={runWords.anyTime}
        data={PERIOD_OPTIONS}
        value={isRange ? CUSTOM : (search.period ?? null)}
        clearable
        onChange={(value) => {
          setCustom(value === CUSTOM);
          const { from: _from, to: _to, period: _period, ...others } = search;
          const period = PERIOD_OPTIONS.find((option) => option.value === value)?.value;
          onChange(
            period === undefined || period === CUSTOM
              ? others
              : { ...others, period: period as keyof typeof PERIODS },
          );
        }}
      />
      {isRange && change('from')}
      {isRange && change('to')}
    </>
  );
}

export function RunFilters({ search, workflows, people, onChange }: FiltersProps) {
  const choose = (
    name: 'workflow' | 'status' | 'trigger' | 'by',
    { label, any, data }: { readonly label: string; readonly any: string; readonly data: readonly Option[] },
  ) => (
    <Select
      aria-label={label}
      placeholder={any}
      data={data}
      value={search[name] ?? null}
      clearable
      searchable={name === 'workflow' || name === 'by'}
      onChange={(value) => onChange({ ...search, [name]: value ?? undefined } as RunSearch)}
    />
  );
  return (
    <SimpleGrid role="search" aria-label={runWords.filters} cols={{ base: 2, sm: 3, md: 6 }} spacing="xs">
      <TextFilter search={search} onChange={onChange} />
      {choose('workflow', { label: words.workflow, any: runWords.anyWorkflow, data: workflows })}
      {choose('status', { label: words.status, any: runWords.anyStatus, data: STATUSES })}
      {choose('trigger', { label: runWords.trigger, any: runWords.anyTrigger, data: TRIGGERS })}
      {choose('by', { label: runWords.startedBy, any: runWords.anyone, data: people })}
      <TimeFilter search={search} onChange={onChange} />
    </SimpleGrid>
  );
}
