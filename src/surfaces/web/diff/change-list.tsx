/** The differences of two definitions as a list: the old and the new text of each field. */
import { List } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { ChangeLine } from '../pages/change-line.tsx';
import type { Change } from '../pages/definition-diff.ts';
import type { Definitions } from '../pages/describe-change.ts';

export const makeKey = ({ what, id }: Change): string => `${what} ${id}`;

interface ChangeListProps {
  readonly changes: readonly Change[];
  readonly definitions: Definitions;
  /** By `makeKey`. */
  readonly selected?: string | null;
  readonly onSelect?: (key: string) => void;
}

export function ChangeList({ changes, definitions, selected = null, onSelect }: ChangeListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () => list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' }),
    [selected],
  );
  return (
    <div ref={list}>
      <List listStyleType="none" spacing={4} size="sm">
        {changes.map((change) => {
          const key = makeKey(change);
          const isLink = onSelect !== undefined && change.what !== 'settings';
          return (
            <List.Item
              key={key}
              p={4}
              {...(key === selected
                ? { 'aria-current': true, bg: 'var(--mantine-color-default-hover)' }
                : {})}
            >
              <ChangeLine
                change={change}
                definitions={definitions}
                {...(isLink ? { onSelect: () => onSelect(key) } : {})}
              />
            </List.Item>
          );
        })}
      </List>
    </div>
  );
}
