/** The waterfall of a run: a bar for each step below an axis of time; a bar opens its step, and steps inside others fold. */
import { Box, Group, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { systemClock } from '../../clock.ts';
import type { RunStep } from '../../client/openapi.ts';
import { duration } from '../kit/moment.ts';
import { statusColor, statusLabel } from '../kit/status-badge.tsx';
import { runWords } from '../words-runs.ts';
import { toSeconds } from './step-details.tsx';
import { formatStepName } from './step-tree.ts';
import { buildTimeline, chooseMarks, type Bar } from './timeline.ts';

/** More than these are folded at first; and no more are drawn of one map. */
const OPEN_UP_TO = 20;
const MAX_INSIDE = 200;
const INDENT_PX = 12;
const FOLD_PX = 16;
const LABEL_WIDTH = 'clamp(110px, 22vw, 220px)';
const TIME_PX = 72;

interface RowProps {
  readonly bar: Bar;
  readonly depth: number;
  readonly details: (step: RunStep) => ReactNode;
}

function Row({ bar, depth, details }: RowProps) {
  const { step, from, length, afterMs, inside } = bar;
  const [isOpen, setOpen] = useState(false);
  const [isUnfolded, setUnfolded] = useState(inside.length <= OPEN_UP_TO);
  const Chevron = isUnfolded ? ChevronDown : ChevronRight;
  const label = formatStepName(step);
  return (
    <li>
      <Group gap={4} wrap="nowrap">
        {/* As wide in each row as the fold of any: the bars of all rows share one axis. */}
        <Box w={FOLD_PX} flex="none">
          {inside.length > 0 && (
            <UnstyledButton
              aria-expanded={isUnfolded}
              aria-label={`${label}: ${runWords.inside(inside.length)}`}
              onClick={() => setUnfolded(!isUnfolded)}
            >
              <Chevron size={16} aria-hidden />
            </UnstyledButton>
          )}
        </Box>
        <UnstyledButton
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          style={{ flex: 1, minWidth: 0 }}
        >
          <Group gap="sm" wrap="nowrap">
            <Text size="sm" truncate w={LABEL_WIDTH} flex="none" pl={depth * INDENT_PX}>
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
            <Text size="sm" c="dimmed" w={TIME_PX} ta="right" flex="none">
              {duration(toSeconds(step.duration_ms))}
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

/** The marks of time above the bars. */
const Axis = ({ totalMs }: { readonly totalMs: number }) => (
  <Group gap={4} wrap="nowrap" mb={4} aria-hidden>
    <Box w={FOLD_PX} flex="none" />
    <Group gap="sm" wrap="nowrap" flex={1}>
      <Box w={LABEL_WIDTH} flex="none" />
      <Box flex={1} h={20} pos="relative" style={{ borderBottom: '1px solid var(--mantine-color-dimmed)' }}>
        {chooseMarks(totalMs).map((mark) => (
          <Text
            key={mark}
            size="xs"
            c="dimmed"
            pos="absolute"
            pl={4}
            style={{
              left: `${totalMs === 0 ? 0 : (100 * mark) / totalMs}%`,
              borderLeft: '1px solid var(--mantine-color-dimmed)',
              whiteSpace: 'nowrap',
            }}
          >
            {mark === 0 ? '0' : duration(mark / 1_000)}
          </Text>
        ))}
      </Box>
      <Box w={TIME_PX} flex="none" />
    </Group>
  </Group>
);

interface WaterfallProps {
  readonly steps: readonly RunStep[];
  readonly details: (step: RunStep) => ReactNode;
}

export function Waterfall({ steps, details }: WaterfallProps) {
  const { bars, totalMs } = buildTimeline(steps, systemClock.now());
  return (
    // Marks near the end may be wider than the place that is left for them.
    <Box style={{ overflowX: 'clip' }}>
      <Axis totalMs={totalMs} />
      <Rows bars={bars} depth={0} details={details} />
    </Box>
  );
}
