/** The filters of the ledger of effects. */
import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { listOptions } from '../kit/list-options.ts';
import { effectWords } from '../words-effects.ts';
import { words } from '../words.ts';
import {
  CLASSES,
  DOORS,
  OUTCOMES,
  EFFECT_PERIODS,
  choosePeriod,
  type EffectSearch,
} from './effect-search.ts';

const TYPING_MS = 300;

interface Option {
  readonly value: string;
  readonly label: string;
}

interface FiltersProps {
  readonly search: EffectSearch;
  readonly workflows: readonly Option[];
  readonly credentials: readonly Option[];
  readonly people: readonly Option[];
  readonly onChange: (search: EffectSearch) => void;
}

/** The filter by host: it is applied when typing pauses, and follows the address when that changes. */
function HostFilter({ search, onChange }: Pick<FiltersProps, 'search' | 'onChange'>) {
  const [host, setHost] = useState(search.host ?? '');
  useEffect(() => setHost(search.host ?? ''), [search.host]);
  const apply = useDebouncedCallback(
    (text: string) => onChange({ ...search, host: text.trim() === '' ? undefined : text.trim() }),
    TYPING_MS,
  );
  return (
    <TextInput
      type="search"
      aria-label={effectWords.host}
      placeholder={effectWords.anyHost}
      maxLength={300}
      value={host}
      onChange={({ currentTarget: { value } }) => {
        setHost(value);
        apply(value);
      }}
    />
  );
}

export function EffectFilters({ search, workflows, credentials, people, onChange }: FiltersProps) {
  const choose = (
    name: Exclude<keyof EffectSearch, 'host' | 'run' | 'period'>,
    label: string,
    { any, data }: { readonly any: string; readonly data: readonly Option[] },
  ) => (
    <Select
      aria-label={label}
      placeholder={any}
      data={data}
      value={search[name] ?? null}
      clearable
      searchable={data === workflows || data === credentials || data === people}
      onChange={(value) => onChange({ ...search, [name]: value ?? undefined } as EffectSearch)}
    />
  );
  return (
    <SimpleGrid role="search" aria-label={effectWords.filters} cols={{ base: 2, sm: 3, md: 4 }} spacing="xs">
      <HostFilter search={search} onChange={onChange} />
      <Select
        aria-label={effectWords.period}
        data={listOptions(EFFECT_PERIODS, effectWords.periods)}
        value={choosePeriod(search)}
        allowDeselect={false}
        onChange={(value) => onChange({ ...search, period: EFFECT_PERIODS.find((each) => each === value) })}
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
