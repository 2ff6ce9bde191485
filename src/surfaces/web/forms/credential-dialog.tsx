/** The form of a new credential as a dialog: on its page, and in the panel of a node that needs one. */
import { Modal } from '@mantine/core';
import type { WorkflowClient } from '../../client/client.ts';
import { words } from '../words.ts';
import { CredentialForm } from './credential-form.tsx';
import type { Credential } from './use-authorization.ts';

interface CredentialDialogProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
  readonly isOpen: boolean;
  readonly integration?: string | undefined;
  readonly isFixed?: boolean | undefined;
  readonly onClose: () => void;
  readonly onCreated: (credential: Credential) => void;
}

export function CredentialDialog({ isOpen, onClose, onCreated, ...rest }: CredentialDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.newCredential}>
      <CredentialForm
        {...rest}
        onCreated={(credential) => {
          onClose();
          onCreated(credential);
        }}
      />
    </Modal>
  );
}
