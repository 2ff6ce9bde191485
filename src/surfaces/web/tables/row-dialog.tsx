/** The form of a row: its key, when it is new, and its value as JSON. A row that was changed meanwhile is not overwritten. */
import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Body, Reply } from '../../client/operations.ts';
import { WorkflowApiError } from '../../client/error.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { tableWords } from '../words-tables.ts';

export type StoredRow = Reply<'listTableRows'>['rows'][number];

export interface RowChange {
  readonly key: string;
  readonly body: Body<'putTableRow'>;
}

interface DialogProps {
  /** Null: a new one. */
  readonly row: StoredRow | null;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onSave: (change: RowChange) => void;
}

/** @returns undefined for a text that is no JSON */
function parseValue(text: string): RowChange['body']['value'] | undefined {
  try {
    return JSON.parse(text) as RowChange['body']['value'];
  } catch {
    return undefined;
  }
}

const isConflict = (error: Error | null): boolean =>
  error instanceof WorkflowApiError && error.status === 409;

export function RowDialog({ row, isPending, error, onClose, onSave }: DialogProps) {
  const [key, setKey] = useState(row?.key ?? '');
  const [text, setText] = useState(row === null ? '' : JSON.stringify(row.value, null, 2));
  const value = parseValue(text);
  const submit = (): void => {
    // 0: there must be no row yet.
    if (value !== undefined) onSave({ key, body: { value, expected_version: row?.version ?? 0 } });
  };
  return (
    <FormDialog
      title={row === null ? tableWords.newRow : tableWords.editRow}
      action={tableWords.save}
      isReady={key !== '' && value !== undefined}
      isPending={isPending}
      error={
        isConflict(error)
          ? new Error(row === null ? tableWords.keyTaken : tableWords.changedElsewhere)
          : error
      }
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        data-autofocus={row === null || undefined}
        label={tableWords.key}
        maxLength={255}
        autoComplete="off"
        readOnly={row !== null}
        value={key}
        onChange={({ currentTarget }) => setKey(currentTarget.value)}
      />
      <Textarea
        data-autofocus={row !== null || undefined}
        label={tableWords.value}
        autosize
        minRows={6}
        maxRows={20}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        error={text !== '' && value === undefined ? tableWords.invalidJson : undefined}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </FormDialog>
  );
}
