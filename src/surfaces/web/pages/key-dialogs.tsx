/** The dialogs that API keys and service accounts share: one names what is created, one shows a key once. */
import { SecretDialog } from '../kit/secret-dialog.tsx';
import { TextDialog } from '../kit/text-dialog.tsx';
import { keyWords } from '../words-keys.ts';
import { words } from '../words.ts';

interface KeyNameProps {
  readonly title: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onCreate: (name: string) => void;
}

export const KeyNameDialog = ({ title, isPending, error, onClose, onCreate }: KeyNameProps) => (
  <TextDialog
    title={title}
    label={words.name}
    description={keyWords.keyNameWhy}
    action={words.create}
    field="name"
    maxLength={100}
    isPending={isPending}
    error={error}
    onClose={onClose}
    onSend={onCreate}
  />
);

interface NewKeyProps {
  readonly secret: string;
  readonly onClose: () => void;
}

export const NewKeyDialog = ({ secret, onClose }: NewKeyProps) => (
  <SecretDialog title={keyWords.keyCreated} text={keyWords.keyOnce} secret={secret} onClose={onClose} />
);
