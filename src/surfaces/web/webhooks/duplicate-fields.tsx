/** The fields that say which requests to a webhook are one event, with the header that has its id. */
import { Select, TextInput } from '@mantine/core';
import { findFieldProblem } from '../kit/field-problem.ts';
import { listOptions } from '../kit/list-options.ts';
import { webhookWords } from '../words-webhooks.ts';

type DeduplicateBy = keyof typeof webhookWords.duplicatesBy;

const WAYS = Object.keys(webhookWords.duplicatesBy) as DeduplicateBy[];

/** How a webhook recognizes duplicates, as it is typed. */
export interface Duplicates {
  readonly by: DeduplicateBy;
  /** Empty: the usual id of the verification. */
  readonly idHeader: string;
}

interface DuplicateFieldsProps {
  readonly value: Duplicates;
  readonly verification: keyof typeof webhookWords.verifications;
  readonly error: Error | null;
  readonly onChange: (value: Duplicates) => void;
}

export function DuplicateFields({ value, verification, error, onChange }: DuplicateFieldsProps) {
  return (
    <>
      <Select
        label={webhookWords.duplicates}
        description={webhookWords.duplicatesWhy[value.by]}
        data={listOptions(WAYS, webhookWords.duplicatesBy)}
        value={value.by}
        allowDeselect={false}
        error={findFieldProblem(error, 'deduplicate_by')}
        onChange={(by) => onChange({ ...value, by: by as DeduplicateBy })}
      />
      {value.by === 'sender_id' && (
        <TextInput
          label={webhookWords.idHeader}
          description={webhookWords.idHeaderWhy(webhookWords.usualIds[verification])}
          autoComplete="off"
          spellCheck={false}
          value={value.idHeader}
          error={findFieldProblem(error, 'id_header')}
          onChange={({ currentTarget }) => onChange({ ...value, idHeader: currentTarget.value })}
        />
      )}
    </>
  );
}
