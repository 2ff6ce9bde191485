/** The changes of a proposal, each with the choice to accept it. Only the rows in view are mounted: there may be thousands. */
import { Checkbox } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { ChangeLine } from '../pages/change-line.tsx';
import type { Definitions } from '../pages/describe-change.ts';
import { proposalWords } from '../words-proposal.ts';
import type { ProposedChange } from './proposal.ts';

/** A row without fields; one with fields is measured when it is mounted. */
const ROW_PX = 40;

interface ProposedChangesProps {
  readonly changes: readonly ProposedChange[];
  readonly definitions: Definitions;
  readonly rejected: ReadonlySet<string>;
  /** Keys of changes that cannot be accepted without a rejected one. */
  readonly dependent: ReadonlySet<string>;
  readonly onToggle: (key: string, isAccepted: boolean) => void;
}

export function ProposedChanges({
  changes,
  definitions,
  rejected,
  dependent,
  onToggle,
}: ProposedChangesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: changes.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => changes[index]?.key ?? index,
    overscan: 8,
  });
  return (
    <div className="wc-changes" ref={frame}>
      <ul aria-label={proposalWords.changes} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const change = changes[index];
          if (change === undefined) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={changes.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Checkbox
                label={<ChangeLine change={change} definitions={definitions} />}
                checked={!rejected.has(change.key) && !dependent.has(change.key)}
                disabled={dependent.has(change.key)}
                onChange={({ currentTarget: { checked } }) => onToggle(change.key, checked)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
