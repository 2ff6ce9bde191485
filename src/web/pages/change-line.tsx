/** One difference of two definitions as a line: what happens to which node, edge or setting, and in which fields. */
import { Badge, Code } from '@mantine/core';
import { words } from '../words.ts';
import type { Change } from './definition-diff.ts';

const COLORS = { added: 'green', removed: 'red', changed: 'blue' } as const;

export const ChangeLine = ({ what, id, how, fields }: Change) => (
  <>
    <Badge variant="dot" color={COLORS[how]}>
      {words.diff[how]}
    </Badge>{' '}
    {words.diff[what]} <b>{id}</b>{' '}
    {fields.map((field) => (
      <Code key={field}>{field}</Code>
    ))}
  </>
);
