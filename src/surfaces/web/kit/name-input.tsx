/** The name of a thing that a dialog creates: its first field, with what the service says about it. */
import { TextInput } from '@mantine/core';
import { words } from '../words.ts';
import { findFieldProblem } from './field-problem.ts';

interface NameInputProps {
  readonly value: string;
  /** The refusal of the last attempt; null without one. */
  readonly error: Error | null;
  readonly onChange: (name: string) => void;
}

export const NameInput = ({ value, error, onChange }: NameInputProps) => (
  <TextInput
    data-autofocus
    label={words.name}
    maxLength={255}
    autoComplete="off"
    value={value}
    error={findFieldProblem(error, 'name')}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
