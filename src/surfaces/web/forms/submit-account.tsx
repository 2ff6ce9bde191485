/** The buttons below the form of an account: save it, or authorize it at its provider. */
import { Button, Group, Text } from '@mantine/core';
import { Failure } from '../kit/page.tsx';
import { credentialWords } from '../words-credentials.ts';
import { words } from '../words.ts';

interface SubmitAccountProps {
  /** Display name of the provider when the account is authorized there; null: the form has the secret. */
  readonly provider: string | null;
  /** Label of the button without a provider. */
  readonly label: string;
  readonly isPending: boolean;
  readonly isDisabled: boolean;
  readonly error: Error | null;
  readonly onCancel: () => void;
}

export const SubmitAccount = (props: SubmitAccountProps) => {
  const { provider, label, isPending, isDisabled, error, onCancel } = props;
  return (
    <>
      {provider !== null && isPending && <Text role="status">{credentialWords.authorizing(provider)}</Text>}
      <Failure error={error} />
      <Group justify="flex-end">
        {provider !== null && isPending && (
          <Button variant="default" onClick={onCancel}>
            {words.cancel}
          </Button>
        )}
        <Button type="submit" loading={isPending} disabled={isDisabled}>
          {provider === null ? label : credentialWords.authorizeAt(provider)}
        </Button>
      </Group>
    </>
  );
};
