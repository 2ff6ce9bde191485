/** A value with a button that copies it, such as a URL. */
import { Button, Code, CopyButton, Group } from '@mantine/core';
import { words } from '../words.ts';

interface CopyFieldProps {
  /** The name of the button. */
  readonly label: string;
  readonly value: string;
}

export const CopyField = ({ label, value }: CopyFieldProps) => (
  <Group gap="xs" wrap="nowrap">
    <Code miw="11rem" style={{ overflowWrap: 'anywhere' }}>
      {value}
    </Code>
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button variant="default" size="compact-sm" flex="none" aria-label={label} onClick={copy}>
          {copied ? words.copied : words.copy}
        </Button>
      )}
    </CopyButton>
  </Group>
);
