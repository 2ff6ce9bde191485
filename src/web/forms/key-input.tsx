/** The input of a key that is written when its field is left: half a name would be a key of its own. */
import { Autocomplete, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isForbiddenKey } from '../../graph/value.ts';
import { fieldWords } from '../words-fields.ts';

interface KeyInputProps {
  readonly label: string;
  readonly name: string;
  readonly suggestions?: readonly string[];
  readonly taken: ReadonlySet<string>;
  readonly isReadOnly: boolean;
  readonly autoFocus?: boolean;
  readonly onName: (name: string) => void;
}

export function KeyInput({
  label,
  name,
  suggestions = [],
  taken,
  isReadOnly,
  autoFocus,
  onName,
}: KeyInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? name;
  const clash = taken.has(shown) ? fieldWords.keyTaken : null;
  const error = shown !== '' && isForbiddenKey(shown) ? fieldWords.keyInvalid : clash;
  const commit = (): void => {
    if (error !== null) return;
    setTyped(null);
    if (shown !== '' && shown !== name) onName(shown);
  };
  const common = {
    size: 'xs' as const,
    'aria-label': label,
    placeholder: label,
    disabled: isReadOnly,
    autoFocus: autoFocus === true,
    value: shown,
    error,
    onBlur: commit,
    onKeyDown: ({ key }: { readonly key: string }) => {
      if (key === 'Enter') commit();
    },
  };
  const free = suggestions.filter((one) => !taken.has(one));
  if (free.length === 0)
    return <TextInput {...common} onChange={({ currentTarget }) => setTyped(currentTarget.value)} />;
  return <Autocomplete {...common} data={free} onChange={setTyped} />;
}
