/** A workflow from a sentence: the Composer asks back or saves one, which is opened. */
import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { words } from '../words.ts';
import { Conversation, type ChatPlace } from './conversation.tsx';

interface SentenceProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
  readonly onClose: () => void;
  readonly onSaved: (workflowId: string) => void;
}

export function SentenceDialog({ client, organizationId, onClose, onSaved }: SentenceProps) {
  const [chat, setChat] = useState<ChatPlace | null>(null);
  return (
    <Modal opened onClose={onClose} title={words.composer.fromSentence} size="lg">
      <Conversation
        client={client}
        organizationId={organizationId}
        kind="composer"
        chat={chat}
        onStarted={setChat}
        onSaved={onSaved}
      />
    </Modal>
  );
}
