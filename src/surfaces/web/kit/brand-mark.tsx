/** The mark of the product: two steps and the way between them, with the name beside it. */
import { Group, Text, Title } from '@mantine/core';
import { words } from '../words.ts';

const Mark = ({ size }: { readonly size: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden focusable="false">
    <rect width="24" height="24" rx="6" style={{ fill: 'var(--mantine-color-indigo-7)' }} />
    <path d="M8 8h3a3 3 0 0 1 3 3v2a3 3 0 0 0 3 3" fill="none" stroke="#fff" strokeWidth="2" />
    <circle cx="7" cy="8" r="2.5" fill="#fff" />
    <circle cx="17" cy="16" r="2.5" fill="#fff" />
  </svg>
);

/** @param props `heading`: larger, and the heading of the page */
export const BrandMark = ({ heading = false }: { readonly heading?: boolean }) => (
  <Group gap="xs" wrap="nowrap">
    <Mark size={heading ? 36 : 26} />
    {heading ? (
      <Title order={1}>{words.product}</Title>
    ) : (
      <Text fw={700} className="brand-name">
        {words.product}
      </Text>
    )}
  </Group>
);
