/** An empty list: a picture, a sentence that says what belongs there, and the action that begins it. */
import { Stack, Text, ThemeIcon } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text?: string;
  readonly action?: ReactNode;
}

export const EmptyState = ({ icon: Icon, title, text, action }: EmptyStateProps) => (
  <Stack align="center" gap="sm" py={48} px="md">
    <ThemeIcon variant="light" color="gray" size={56} radius="xl" aria-hidden>
      <Icon size={26} strokeWidth={1.5} />
    </ThemeIcon>
    <Text fw={600} ta="center">
      {title}
    </Text>
    {text !== undefined && (
      <Text c="dimmed" ta="center" maw={440}>
        {text}
      </Text>
    )}
    {action}
  </Stack>
);
