/** One difference of two definitions: the node, edge or setting by its name, and each field with its old and new value. */
import { Badge, Box } from '@mantine/core';
import { shortenText } from '../../graph/cut-text.ts';
import { versionWords } from '../words-versions.ts';
import { words } from '../words.ts';
import type { Change } from './definition-diff.ts';
import { describeChange, type Definitions, type FieldChange } from './describe-change.ts';

const COLORS = { added: 'green', removed: 'red', changed: 'blue' } as const;
const MAX_TEXT = 2_000;

interface ValueProps {
  readonly text: string | null;
  readonly side: 'from' | 'to';
}

/** The old or the new value: read aloud as such, too. */
const Value = ({ text, side }: ValueProps) => (
  <Box
    component={side === 'from' ? 'del' : 'ins'}
    display="block"
    fz="xs"
    px={6}
    py={2}
    mah={160}
    c="var(--mantine-color-text)"
    style={{
      borderInlineStart: `3px solid var(--mantine-color-${side === 'from' ? 'red' : 'green'}-6)`,
      overflow: 'auto',
      overflowWrap: 'anywhere',
      textDecoration: 'none',
      whiteSpace: 'pre-wrap',
    }}
  >
    {text === null ? versionWords.notSet : shortenText(text, MAX_TEXT)}
  </Box>
);

const Field = ({ label, from, to }: FieldChange) => (
  <Box component="span" display="block" mt={4} ml="md">
    <Box component="span" display="block" fz="sm" fw={600}>
      {label}
    </Box>
    <Value text={from} side="from" />
    <Value text={to} side="to" />
  </Box>
);

export function ChangeLine({
  change,
  definitions,
}: {
  readonly change: Change;
  readonly definitions: Definitions;
}) {
  const { name, fields } = describeChange(change, definitions);
  return (
    <>
      <Badge variant="dot" color={COLORS[change.how]}>
        {words.diff[change.how]}
      </Badge>{' '}
      {words.diff[change.what]} <b>{name}</b>
      {fields.map((field) => (
        <Field key={field.label} {...field} />
      ))}
    </>
  );
}
