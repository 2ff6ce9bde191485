/** The filters of the ledger of effects. */
import { SimpleGrid } from '@mantine/core';
import { listOptions } from '../kit/list-options.ts';
import { ChoiceFilter, TextFilter, TimeFilter, type Option } from '../kit/search-filters.tsx';
import { effectWords } from '../words-effects.ts';
import { filterWords } from '../words-filters.ts';
import { words } from '../words.ts';
import { CLASSES, DOORS, EFFECT_PERIODS, OUTCOMES, findUsual, type EffectSearch } from './effect-search.ts';

const TIMES = listOptions(EFFECT_PERIODS, { ...filterWords.periods, all: filterWords.anyTime });

interface FiltersProps {
  readonly search: EffectSearch;
  readonly workflows: readonly Option[];
  readonly credentials: readonly Option[];
  readonly people: readonly Option[];
  readonly onChange: (search: EffectSearch) => void;
}

export function EffectFilters({ search, workflows, credentials, people, onChange }: FiltersProps) {
  const choose = (
    name: 'outcome' | 'door' | 'class' | 'workflow' | 'credential' | 'by',
    label: string,
    { any, data }: { readonly any: string; readonly data: readonly Option[] },
  ) => (
    <ChoiceFilter
      label={label}
      any={any}
      data={data}
      isSearchable={data === workflows || data === credentials || data === people}
      value={search[name]}
      onChange={(value) => onChange({ ...search, [name]: value } as EffectSearch)}
    />
  );
  return (
    <SimpleGrid role="search" aria-label={effectWords.filters} cols={{ base: 2, sm: 3, md: 4 }} spacing="xs">
      <TextFilter
        label={effectWords.host}
        placeholder={effectWords.anyHost}
        maxLength={300}
        value={search.host}
        onChange={(host) => onChange({ ...search, host: host?.trim() })}
      />
      <TimeFilter
        time={search}
        usual={findUsual(search)}
        periods={TIMES}
        onChange={({ period, from, to }) => onChange({ ...search, period, from, to })}
      />
      {choose('outcome', effectWords.outcome, {
        any: effectWords.anyOutcome,
        data: listOptions(OUTCOMES, effectWords.outcomes),
      })}
      {choose('door', effectWords.door, {
        any: effectWords.anyDoor,
        data: listOptions(DOORS, effectWords.doors),
      })}
      {choose('class', effectWords.class, {
        any: effectWords.anyClass,
        data: listOptions(CLASSES, effectWords.classes),
      })}
      {choose('workflow', words.workflow, { any: effectWords.anyWorkflow, data: workflows })}
      {choose('credential', effectWords.credential, { any: effectWords.anyAccount, data: credentials })}
      {choose('by', effectWords.by, { any: effectWords.anyone, data: people })}
    </SimpleGrid>
  );
}
