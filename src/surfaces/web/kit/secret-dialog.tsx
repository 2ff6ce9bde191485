/** A dialog with the only sight of a new secret: a key of the API, or the secret of an endpoint. */
import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { words } from '../words.ts';

interface SecretDialogProps {
  readonly title: string;
  /** Says that the secret is not shown again. */
  readonly text: string;
  readonly secret: string;
  readonly onClose: () => void;
}

export const SecretDialog = ({ title, text, secret, onClose }: SecretDialogProps) => (
  <Modal opened onClose={onClose} title={title}>
    <Stack role="status">
      <Text>{text}</Text>
      <Code block tabIndex={0} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {secret}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? words.copied : words.copy}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>{words.done}</Button>
      </Group>
    </Stack>
  </Modal>
);
