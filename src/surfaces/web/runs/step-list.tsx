/** The steps of a run as a list that the arrow keys walk; only rows in view are mounted. */
import { Box, Group, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { duration } from '../kit/moment.ts';
import { statusColor } from '../kit/status-badge.tsx';
import { statusLabel } from '../words-statuses.ts';
import { runWords } from '../words-runs.ts';
import type { JoinedStep } from './joined-run.ts';
import { toSeconds } from './step-details.tsx';
import { formatStepName, listRows, type StepRow } from './step-tree.ts';

const ROW_PX = 34;
const INDENT_PX = 16;
const SEARCH_FROM = 10;

interface StepListProps {
  /** The run itself has a row before its steps: `null`. */
  readonly steps: readonly JoinedStep[];
  readonly selected: string | null;
  readonly onSelect: (stepId: string | null) => void;
}

interface RowProps {
  readonly id: string;
  readonly top: number;
  readonly row: StepRow | null;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onToggle: () => void;
}

function Row({ id, top, row, isSelected, onSelect, onToggle }: RowProps) {
  const Chevron = row?.isOpen === true ? ChevronDown : ChevronRight;
  const hasFold = row !== null && row.inside > 0;
  return (
    <Group
      id={id}
      role="treeitem"
      aria-level={(row?.depth ?? 0) + 1}
      aria-selected={isSelected}
      {...(hasFold ? { 'aria-expanded': row.isOpen } : {})}
      onClick={onSelect}
      pos="absolute"
      top={top}
      left={0}
      right={0}
      h={ROW_PX}
      pl={8 + (row?.depth ?? 0) * INDENT_PX}
      pr={8}
      gap={6}
      wrap="nowrap"
      {...(isSelected ? { bg: 'var(--mantine-primary-color-light)' } : {})}
      style={{ cursor: 'pointer', borderRadius: 4 }}
    >
      {row !== null && (
        <Box
          w={8}
          h={8}
          flex="none"
          bg={`${statusColor(row.step.status)}.6`}
          style={{ borderRadius: '50%' }}
        />
      )}
      <Text size="sm" truncate flex={1} miw={0} fw={row === null ? 600 : 400}>
        {row === null ? runWords.wholeRun : formatStepName(row.step)}
      </Text>
      {row !== null && <VisuallyHidden>{statusLabel(row.step.status)}</VisuallyHidden>}
      {hasFold && (
        <Group
          gap={2}
          wrap="nowrap"
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          <Text size="xs">{row.inside}</Text>
          <Chevron size={14} aria-hidden />
        </Group>
      )}
      {row !== null && row.step.status !== 'skipped' && (
        <Text size="xs" flex="none">
          {duration(toSeconds(row.step.duration_ms))}
        </Text>
      )}
      {row !== null && row.step.status === 'skipped' && (
        <Text size="xs" flex="none" c="dimmed" aria-hidden>
          {statusLabel(row.step.status)}
        </Text>
      )}
    </Group>
  );
}

/** Returns the index that a key leads to; null for other keys. */
function findTarget(key: string, index: number, count: number): number | null {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + 10,
    PageUp: index - 10,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? null : Math.max(0, Math.min(count - 1, target));
}

export function StepList({ steps, selected, onSelect }: StepListProps) {
  const [text, setText] = useState('');
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => [null, ...listRows(steps, toggled, text)], [steps, toggled, text]);
  const frame = useRef<HTMLDivElement>(null);
  const listId = useId();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  const index = rows.findIndex((row) => (row?.step.step_id ?? null) === selected);
  useEffect(() => {
    if (index >= 0) virtual.scrollToIndex(index);
  }, [index, virtual]);
  const toggle = (stepId: string): void =>
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(stepId)) after.add(stepId);
      return after;
    });
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[index];
    const isFold =
      row !== null &&
      row !== undefined &&
      row.inside > 0 &&
      event.key === (row.isOpen ? 'ArrowLeft' : 'ArrowRight');
    const target = findTarget(event.key, index, rows.length);
    if (!isFold && target === null) return;
    event.preventDefault();
    if (isFold) toggle(row.step.step_id);
    else if (target !== null) onSelect(rows[target]?.step.step_id ?? null);
  };
  return (
    <Box>
      {steps.length > SEARCH_FROM && (
        <TextInput
          type="search"
          size="xs"
          mb={4}
          aria-label={runWords.searchSteps}
          placeholder={runWords.searchSteps}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <Box
        ref={frame}
        role="tree"
        tabIndex={0}
        aria-label={runWords.views.steps}
        {...(index >= 0 ? { 'aria-activedescendant': `${listId}-${index}` } : {})}
        onKeyDown={onKeyDown}
        style={{ overflow: 'auto', maxHeight: 'max(240px, calc(100dvh - 260px))' }}
      >
        <Box pos="relative" role="presentation" h={virtual.getTotalSize()}>
          {virtual.getVirtualItems().map(({ index: at, start }) => {
            const row = rows[at] ?? null;
            const stepId = row?.step.step_id ?? null;
            return (
              <Row
                key={stepId}
                id={`${listId}-${at}`}
                top={start}
                row={row}
                isSelected={at === index}
                onSelect={() => onSelect(stepId)}
                onToggle={() => {
                  if (stepId !== null) toggle(stepId);
                }}
              />
            );
          })}
        </Box>
      </Box>
    </Box>
  );
}
