/** The only sight of a new secret. */
import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { notificationWords } from '../words-notifications.ts';
import { words } from '../words.ts';

interface EndpointSecretProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

export const EndpointSecret = ({ title, secret, onClose }: EndpointSecretProps) => (
  <Modal opened onClose={onClose} title={title}>
    <Stack role="status">
      <Text>{notificationWords.secretOnce}</Text>
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
