/** One difference of two definitions: the node, edge or setting by its name, and each field with its old and new value. */
import { Anchor, Badge, Box } from '@mantine/core';
import { shortenDifference } from '../diff/shorten-difference.ts';
import { versionWords } from '../words-versions.ts';
import type { Change } from './definition-diff.ts';
import { describeChange, type Definitions, type FieldChange } from './describe-change.ts';

const COLORS = { added: 'green', removed: 'red', changed: 'blue' } as const;
const WRAPPED = { overflowWrap: 'anywhere' } as const;

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
    {text ?? versionWords.notSet}
  </Box>
);

function Field({ label, from, to }: FieldChange) {
  const [old, now] = shortenDifference(from, to);
  return (
    <Box component="span" display="block" mt={4} ml="md">
      <Box component="span" display="block" fz="sm" fw={600}>
        {label}
      </Box>
      <Value text={old} side="from" />
      <Value text={now} side="to" />
    </Box>
  );
}

interface ChangeLineProps {
  readonly change: Change;
  readonly definitions: Definitions;
  /** Goes to the node or the edge. */
  readonly onSelect?: () => void;
}

export function ChangeLine({ change, definitions, onSelect }: ChangeLineProps) {
  const { name, fields } = describeChange(change, definitions);
  return (
    <>
      <Badge variant="dot" color={COLORS[change.how]}>
        {versionWords.diff[change.how]}
      </Badge>{' '}
      {versionWords.diff[change.what]}{' '}
      {onSelect === undefined ? (
        <b>{name}</b>
      ) : (
        <Anchor
          component="button"
          type="button"
          fz="inherit"
          fw={600}
          ta="start"
          style={WRAPPED}
          onClick={onSelect}
        >
          {name}
        </Anchor>
      )}
      {fields.map((field) => (
        <Field key={field.label} {...field} />
      ))}
    </>
  );
}
