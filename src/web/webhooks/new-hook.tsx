/** The dialog of a new webhook: its name, how its sender proves itself, and how it is answered. */
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Body } from '../../client/operations.ts';
import { fieldProblem, withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { NameInput } from '../kit/name-input.tsx';
import { listOptions } from '../kit/list-options.ts';
import { webhookWords } from '../words-webhooks.ts';
import { words } from '../words.ts';

type HookDraft = Body<'createHook'>;
type Verification = keyof typeof webhookWords.verifications;
type Answer = keyof typeof webhookWords.answers;

const VERIFICATIONS = Object.keys(webhookWords.verifications) as Verification[];
const ANSWERS = Object.keys(webhookWords.answers) as Answer[];

interface NewHookProps {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onCreate: (draft: HookDraft) => void;
}

export function NewHook({ isPending, error, onClose, onCreate }: NewHookProps) {
  const [name, setName] = useState('');
  const [verification, setVerification] = useState<Verification>('none');
  const [secret, setSecret] = useState('');
  const [answer, setAnswer] = useState<Answer>('accepted');
  const hasSecret = verification !== 'none';
  return (
    <FormDialog
      title={webhookWords.new}
      action={words.create}
      isReady={name.trim() !== '' && (!hasSecret || secret !== '')}
      isPending={isPending}
      error={withoutFields(error, ['name', 'secrets'])}
      onClose={onClose}
      onSubmit={() =>
        onCreate({
          name: name.trim(),
          verification,
          secrets: hasSecret ? [secret] : [],
          response: { mode: answer },
        })
      }
    >
      <NameInput value={name} error={error} onChange={setName} />
      <Select
        label={webhookWords.verification}
        data={listOptions(VERIFICATIONS, webhookWords.verifications)}
        value={verification}
        allowDeselect={false}
        onChange={(value) => setVerification(value as Verification)}
      />
      {hasSecret && (
        <TextInput
          type="password"
          label={webhookWords.secret}
          description={verification === 'basic' ? webhookWords.basicWhy : webhookWords.secretWhy}
          autoComplete="off"
          value={secret}
          error={fieldProblem(error, 'secrets')}
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
      )}
      <Select
        label={webhookWords.answer}
        data={listOptions(ANSWERS, webhookWords.answers)}
        value={answer}
        allowDeselect={false}
        onChange={(value) => setAnswer(value as Answer)}
      />
    </FormDialog>
  );
}
