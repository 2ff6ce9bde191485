/** The waterfall of a run: a bar for each step; a bar opens its step, and what is inside a map or a loop folds. */
import { Box, Group, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { systemClock } from '../../clock.ts';
import type { RunStep } from '../../client/openapi.ts';
import { duration } from '../kit/moment.ts';
import { statusColor, statusLabel } from '../kit/status-badge.tsx';
import { runWords } from '../words-runs.ts';
import { toSeconds } from './step-details.tsx';
import { buildTimeline, type Bar } from './timeline.ts';

/** More than these are folded at first; and no more are drawn of one map. */
const OPEN_UP_TO = 20;
const MAX_INSIDE = 200;
const INDENT_PX = 16;

interface RowProps {
  readonly bar: Bar;
  readonly depth: number;
  readonly details: (step: RunStep) => ReactNode;
}

const formatLabel = ({ step }: Bar): string =>
  [
    step.node_name,
    step.item_index === null ? null : runWords.item(step.item_index),
    step.visit > 1 ? runWords.times(step.visit) : null,
  ]
    .filter((part) => part !== null)
    .join(' · ');

function Row({ bar, depth, details }: RowProps) {
  const { step, from, length, afterMs, inside } = bar;
  const [isOpen, setOpen] = useState(false);
  const [isUnfolded, setUnfolded] = useState(inside.length <= OPEN_UP_TO);
  const Chevron = isUnfolded ? ChevronDown : ChevronRight;
  const time = duration(toSeconds(step.duration_ms));
  const label = formatLabel(bar);
  return (
    <li>
      <Group gap={4} wrap="nowrap" pl={depth * INDENT_PX}>
        {inside.length > 0 && (
          <UnstyledButton
            aria-expanded={isUnfolded}
            aria-label={`${label}: ${runWords.inside(inside.length)}`}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            <Chevron size={16} aria-hidden />
          </UnstyledButton>
        )}
        <UnstyledButton
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          style={{ flex: 1, minWidth: 0 }}
        >
          <Group gap="sm" wrap="nowrap">
            <Text size="sm" truncate w={160} flex="none">
              {label}
            </Text>
            <VisuallyHidden>
              {statusLabel(step.status)}, {runWords.began(duration(afterMs / 1_000))}
            </VisuallyHidden>
            <Box flex={1} h={14} pos="relative" bg="var(--mantine-color-default-hover)">
              <Box
                pos="absolute"
                h="100%"
                miw={2}
                bg={`var(--mantine-color-${statusColor(step.status)}-6)`}
                style={{ left: `${from * 100}%`, width: `${length * 100}%`, borderRadius: 3 }}
              />
            </Box>
            <Text size="sm" c="dimmed" w={72} ta="right" flex="none">
              {time}
            </Text>
          </Group>
        </UnstyledButton>
      </Group>
      {isOpen && details(step)}
      {isUnfolded && inside.length > 0 && <Rows bars={inside} depth={depth + 1} details={details} />}
    </li>
  );
}

interface RowsProps {
  readonly bars: readonly Bar[];
  readonly depth: number;
  readonly details: (step: RunStep) => ReactNode;
}

const Rows = ({ bars, depth, details }: RowsProps) => (
  <Stack component="ul" gap={2} p={0} m={0} style={{ listStyle: 'none' }}>
    {bars.slice(0, MAX_INSIDE).map((bar) => (
      <Row key={bar.step.step_id} bar={bar} depth={depth} details={details} />
    ))}
    {bars.length > MAX_INSIDE && (
      <Text component="li" size="sm" c="dimmed">
        {runWords.moreInside(bars.length - MAX_INSIDE)}
      </Text>
    )}
  </Stack>
);

interface WaterfallProps {
  readonly steps: readonly RunStep[];
  readonly details: (step: RunStep) => ReactNode;
}

export const Waterfall = ({ steps, details }: WaterfallProps) => (
  <Rows bars={buildTimeline(steps, systemClock.now())} depth={0} details={details} />
);
