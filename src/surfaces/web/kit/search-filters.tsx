/** The controls that filter a list: a text, a choice, a time. */
import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { filterWords } from '../words-filters.ts';
import { words } from '../words.ts';
import type { TimeSearch } from './list-search.ts';

const TYPING_MS = 300;
const CUSTOM = 'custom';

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface TextProps {
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  /** As it stands in the address. */
  readonly value: string | undefined;
  readonly onChange: (text: string | undefined) => void;
}

/** A text is applied when typing pauses, and follows the address when that changes. */
export function TextFilter({ label, placeholder, maxLength, value, onChange }: TextProps) {
  const [text, setText] = useState(value ?? '');
  useEffect(() => setText(value ?? ''), [value]);
  const apply = useDebouncedCallback(
    (typed: string) => onChange(typed.trim() === '' ? undefined : typed),
    TYPING_MS,
  );
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder}
      maxLength={maxLength}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value);
      }}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  /** It is shown while nothing is chosen. */
  readonly any: string;
  readonly data: readonly Option[];
  readonly isSearchable?: boolean;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

export const ChoiceFilter = ({ label, any, data, isSearchable = false, value, onChange }: ChoiceProps) => (
  <Select
    aria-label={label}
    placeholder={any}
    data={data}
    value={value ?? null}
    clearable
    searchable={isSearchable}
    onChange={(chosen) => onChange(chosen ?? undefined)}
  />
);

interface TimeProps<Periods extends string> {
  readonly time: TimeSearch<Periods>;
  /** The period that is shown where the address has none; undefined: any time. */
  readonly usual?: Periods;
  readonly periods: readonly { readonly value: Periods; readonly label: string }[];
  readonly onChange: (time: TimeSearch<Periods>) => void;
}

/** A period that ends now, or two moments. */
export function TimeFilter<Periods extends string>({ time, usual, periods, onChange }: TimeProps<Periods>) {
  const hasRange = time.from !== undefined || time.to !== undefined;
  const [isCustom, setCustom] = useState(hasRange);
  const isRange = isCustom || hasRange;
  const isTyping = useRef(false);
  // Filters that are cleared elsewhere take the range along; a moment that is half typed does not.
  useEffect(() => {
    if (!hasRange && !isTyping.current) setCustom(false);
    isTyping.current = false;
  }, [hasRange]);
  const change = (name: 'from' | 'to') => (
    <TextInput
      type="datetime-local"
      label={filterWords[name]}
      value={time[name] ?? ''}
      onChange={({ currentTarget: { value } }) => {
        isTyping.current = true;
        onChange({ from: time.from, to: time.to, [name]: value === '' ? undefined : value });
      }}
    />
  );
  return (
    <>
      <Select
        aria-label={words.when}
        placeholder={filterWords.anyTime}
        data={[...periods, { value: CUSTOM, label: filterWords.customPeriod }]}
        value={isRange ? CUSTOM : (time.period ?? usual ?? null)}
        clearable={usual === undefined}
        allowDeselect={usual === undefined}
        onChange={(value) => {
          setCustom(value === CUSTOM);
          onChange({ period: periods.find((each) => each.value === value)?.value });
        }}
      />
      {isRange && change('from')}
      {isRange && change('to')}
    </>
  );
}
