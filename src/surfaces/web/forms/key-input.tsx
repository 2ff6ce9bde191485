/** The input of a key, which is written when its field is left. */
import { Autocomplete, TextInput } from '@mantine/core';
import { isForbiddenKey } from '../../../language/graph/values/value.ts';
import { fieldWords } from '../words-fields.ts';
import { useTypedName } from './use-typed-name.ts';

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
  const findError = (key: string): string | null => {
    if (key !== '' && isForbiddenKey(key)) return fieldWords.keyInvalid;
    return taken.has(key) ? fieldWords.keyTaken : null;
  };
  const { input, commit, type } = useTypedName({
    name,
    isReadOnly,
    findError,
    onName: (key) => {
      if (key !== '') onName(key);
    },
  });
  const common = {
    size: 'xs' as const,
    'aria-label': label,
    placeholder: label,
    ...input,
    autoFocus: autoFocus === true,
    onKeyDown: ({ key }: { readonly key: string }) => {
      if (key === 'Enter') commit();
    },
  };
  const free = suggestions.filter((one) => !taken.has(one));
  if (free.length === 0)
    return <TextInput {...common} onChange={({ currentTarget }) => type(currentTarget.value)} />;
  return <Autocomplete {...common} data={free} onChange={type} />;
}
