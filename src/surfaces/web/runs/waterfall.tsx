/** The waterfall of a run: a bar for each step below an axis of time; a bar opens its step, and steps inside others fold. */
import { Box, Group, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { systemClock } from '../../../base/clock.ts';
import { duration } from '../kit/moment.ts';
import { statusColor } from '../kit/status-badge.tsx';
import { statusLabel } from '../words-statuses.ts';
import { runWords } from '../words-runs.ts';
import { toSeconds } from './step-details.tsx';
import { formatStepName } from './step-tree.ts';
import { listWaits, type JoinedRun } from './joined-run.ts';
import type { ListedStep } from './listed-step.ts';
import { buildTimeline, type Bar } from './timeline.ts';
import type { TimeScale } from './time-scale.ts';

/** A step with more steps inside is folded at first. */
const OPEN_UP_TO = 20;
/** Steps inside one that are drawn: a map may have thousands. */
const MAX_INSIDE = 200;
const INDENT_PX = 12;
const FOLD_PX = 16;
const LABEL_WIDTH = 'clamp(110px, 22vw, 220px)';
const TIME_PX = 72;
/** The background of a wait that is cut out of the axis. */
const STRIPES =
  'repeating-linear-gradient(135deg, var(--mantine-color-body) 0 3px, var(--mantine-color-dimmed) 3px 4px)';
const BREAK_LABEL = { transform: 'translateX(-50%)', whiteSpace: 'nowrap' } as const;

const placeBreak = ({ from, length }: TimeScale['breaks'][number]): { left: string; width: string } => ({
  left: `${100 * from}%`,
  width: `${100 * length}%`,
});

interface RowProps {
  readonly bar: Bar;
  readonly breaks: TimeScale['breaks'];
  readonly depth: number;
  readonly details: (step: ListedStep) => ReactNode;
}

function Row({ bar, breaks, depth, details }: RowProps) {
  const { step, from, length, afterMs, inside } = bar;
  const [isOpen, setOpen] = useState(false);
  const [isUnfolded, setUnfolded] = useState(inside.length <= OPEN_UP_TO);
  const Chevron = isUnfolded ? ChevronDown : ChevronRight;
  const label = formatStepName(step);
  return (
    <li>
      <Group gap={4} wrap="nowrap">
        {/* Every row has room for the fold button, so that all bars share one axis. */}
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
              {breaks.map((one) => (
                <Box
                  key={one.from}
                  pos="absolute"
                  h="100%"
                  style={{ ...placeBreak(one), background: STRIPES }}
                />
              ))}
            </Box>
            <Text size="sm" c="dimmed" w={TIME_PX} ta="right" flex="none">
              {duration(toSeconds(step.duration_ms))}
            </Text>
          </Group>
        </UnstyledButton>
      </Group>
      {isOpen && details(step)}
      {isUnfolded && inside.length > 0 && (
        <Rows bars={inside} breaks={breaks} depth={depth + 1} details={details} />
      )}
    </li>
  );
}

interface RowsProps {
  readonly bars: readonly Bar[];
  readonly breaks: TimeScale['breaks'];
  readonly depth: number;
  readonly details: (step: ListedStep) => ReactNode;
}

const Rows = ({ bars, breaks, depth, details }: RowsProps) => (
  <Stack component="ul" gap={2} p={0} m={0} style={{ listStyle: 'none' }}>
    {bars.slice(0, MAX_INSIDE).map((bar) => (
      <Row key={bar.step.step_id} bar={bar} breaks={breaks} depth={depth} details={details} />
    ))}
    {bars.length > MAX_INSIDE && (
      <Text component="li" size="sm" c="dimmed">
        {runWords.moreInside(bars.length - MAX_INSIDE)}
      </Text>
    )}
  </Stack>
);

/** The time axis above the bars. It counts the time at work; a wait that is cut out shows its length. */
const Axis = ({ scale: { marks, breaks } }: { readonly scale: TimeScale }) => (
  <Group gap={4} wrap="nowrap" mb={4} aria-hidden>
    <Box w={FOLD_PX} flex="none" />
    <Group gap="sm" wrap="nowrap" flex={1}>
      <Box w={LABEL_WIDTH} flex="none" />
      <Box flex={1} h={20} pos="relative" style={{ borderBottom: '1px solid var(--mantine-color-dimmed)' }}>
        {marks.map(({ ms, place }) => (
          <Text
            key={ms}
            size="xs"
            c="dimmed"
            pos="absolute"
            pl={4}
            style={{
              left: `${100 * place}%`,
              borderLeft: '1px solid var(--mantine-color-dimmed)',
              whiteSpace: 'nowrap',
            }}
          >
            {ms === 0 ? '0' : duration(ms / 1_000)}
          </Text>
        ))}
        {breaks.map((one) => (
          <Box key={one.from} pos="absolute" h="100%" style={{ ...placeBreak(one), background: STRIPES }}>
            <Text
              size="xs"
              pos="absolute"
              left="50%"
              px={4}
              bg="var(--mantine-color-body)"
              style={BREAK_LABEL}
            >
              {runWords.waited(duration(one.ms / 1_000))}
            </Text>
          </Box>
        ))}
      </Box>
      <Box w={TIME_PX} flex="none" />
    </Group>
  </Group>
);

interface WaterfallProps {
  readonly run: Pick<JoinedRun, 'steps' | 'segments'>;
  readonly details: (step: ListedStep) => ReactNode;
}

export function Waterfall({ run, details }: WaterfallProps) {
  const nowMs = systemClock.now();
  const { bars, scale } = buildTimeline(run.steps, nowMs, listWaits(run, nowMs));
  return (
    // Marks near the end may be wider than the place that is left for them.
    <Box style={{ overflowX: 'clip' }}>
      <Axis scale={scale} />
      <Rows bars={bars} breaks={scale.breaks} depth={0} details={details} />
    </Box>
  );
}
