/** Asks before a person signs out whose edits are not all saved: signing out forgets them. */
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { connectionWords } from '../words-connection.ts';

interface SignOutProps {
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

export const SignOutDialog = ({ onClose, onConfirm }: SignOutProps) => (
  <ConfirmDialog
    question={connectionWords.signOutLoses}
    action={connectionWords.signOutAnyway}
    isPending={false}
    onClose={onClose}
    onConfirm={onConfirm}
  />
);
