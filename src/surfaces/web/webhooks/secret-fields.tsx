/** The secrets of a webhook: as fields of its dialog, and as a dialog of their own. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import { useUncachedRequest } from '../forms/use-uncached-request.ts';
import { findFieldProblem, withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { webhookWords } from '../words-webhooks.ts';
import { words } from '../words.ts';

type Hook = Reply<'listHooks'>['hooks'][number];

/** The secrets as they are typed. */
interface TypedSecrets {
  readonly secret: string;
  readonly otherSecret: string;
}

interface SecretsProps {
  readonly typed: TypedSecrets;
  readonly verification: Hook['verification'];
  readonly hook: Pick<Hook, 'verification'> | null;
  readonly error: Error | null;
  readonly onType: (change: Partial<TypedSecrets>) => void;
}

/** The secrets of a webhook. A second one is for the time in which the other service changes from one to the other. */
export function Secrets({ typed, verification, hook, error, onType }: SecretsProps) {
  const isKept = hook !== null && hook.verification === verification;
  const why = verification === 'basic' ? webhookWords.basicWhy : webhookWords.secretWhy;
  return (
    <>
      <TextInput
        type="password"
        label={webhookWords.secret}
        description={isKept ? webhookWords.secretKept : why}
        autoComplete="off"
        value={typed.secret}
        error={findFieldProblem(error, 'secrets')}
        onChange={({ currentTarget }) => onType({ secret: currentTarget.value })}
      />
      {isKept && typed.secret !== '' && (
        <TextInput
          type="password"
          label={webhookWords.otherSecret}
          description={webhookWords.otherSecretWhy}
          autoComplete="off"
          value={typed.otherSecret}
          onChange={({ currentTarget }) => onType({ otherSecret: currentTarget.value })}
        />
      )}
    </>
  );
}

interface SecretsDialogProps {
  readonly hook: Hook;
  readonly onClose: () => void;
  readonly onSave: (secrets: readonly string[]) => Promise<void>;
}

/** The dialog of a webhook that the definition describes: its secrets alone are of this environment. */
export function SecretsDialog({ hook, onClose, onSave }: SecretsDialogProps) {
  const { isPending, error, send } = useUncachedRequest();
  const [typed, setTyped] = useState<TypedSecrets>({ secret: '', otherSecret: '' });
  const secrets = [typed.secret, typed.otherSecret].filter((secret) => secret !== '');
  return (
    <FormDialog
      title={webhookWords.secretsTitle(hook.name)}
      action={words.save}
      isReady={secrets.length > 0}
      isPending={isPending}
      error={withoutFields(error, ['secrets'])}
      onClose={onClose}
      onSubmit={() => send(() => onSave(secrets))}
    >
      <Secrets
        typed={typed}
        verification={hook.verification}
        hook={hook.secret_count === 0 ? null : hook}
        error={error}
        onType={(change) => setTyped({ ...typed, ...change })}
      />
    </FormDialog>
  );
}
