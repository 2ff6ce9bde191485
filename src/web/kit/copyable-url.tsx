/** A URL in a table, with a button that copies it. */
import { Button, Code, CopyButton, Group } from '@mantine/core';
import { words } from '../words.ts';

interface CopyableUrlProps {
  readonly url: string;
  /** Accessible name of the button. */
  readonly label: string;
}

export const CopyableUrl = ({ url, label }: CopyableUrlProps) => (
  <Group gap="xs" wrap="nowrap">
    <Code style={{ overflowWrap: 'anywhere' }}>{url}</Code>
    <CopyButton value={url}>
      {({ copied, copy }) => (
        <Button variant="default" size="compact-sm" aria-label={label} onClick={copy}>
          {copied ? words.copied : words.copy}
        </Button>
      )}
    </CopyButton>
  </Group>
);
