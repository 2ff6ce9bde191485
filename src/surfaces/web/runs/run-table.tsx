/** The rows of the list of runs: a table, or cards where the window is narrow. */
import '../kit/data-table.css';
import { Badge, Checkbox, Group, Paper, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, useState } from 'react';
import type { RunListItem } from '../../client/openapi.ts';
import { duration, moment } from '../kit/moment.ts';
import { StatusBadge } from '../kit/status-badge.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { useNarrow } from '../kit/use-narrow.ts';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';
import { findAuthor } from './find-author.ts';
import { RelativeTime, useTimedText } from '../kit/relative-time.tsx';

/** The columns from this one on are numbers: duration and credits. */
const FIRST_NUMBER = 6;
const NUMBER = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } as const;

interface RunTableProps {
  readonly rows: readonly RunListItem[];
  /** E-mail addresses by user_id. */
  readonly people: ReadonlyMap<string, string>;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void;
}

/** The first start: a run that was answered began with its first segment. */
const readStart = ({ earlier_segments: [first], started_at: at }: RunListItem): string =>
  first?.started_at ?? at;

/** The state: that of a run on which nobody works is not “Running”. */
const State = ({ run }: { readonly run: RunListItem }) => (
  <StatusBadge status={run.waits_for_worker ? 'noWorker' : run.status} />
);

/** Seconds from the first start to the end, or to now while the run is running. */
function measureDuration(run: RunListItem, nowMs: number | null): number | null {
  const end = run.completed_at === null ? nowMs : Date.parse(run.completed_at);
  if (run.status === 'interrupted' || end === null) return null;
  return Math.max(0, end - Date.parse(readStart(run))) / 1_000;
}

/** Ticks by itself, in a box of its own: neither the row around it nor the layout of the table does. */
const Ticking = ({ run }: { readonly run: RunListItem }) => (
  <span className="run-ticking">{useTimedText((nowMs) => duration(measureDuration(run, nowMs)))}</span>
);

const Duration = ({ run }: { readonly run: RunListItem }) =>
  run.status === 'running' ? <Ticking run={run} /> : duration(measureDuration(run, null));

function Trigger({ run }: { readonly run: RunListItem }) {
  const names: Readonly<Record<string, string>> = runWords.triggers;
  // A test is started by a person in the editor: that the page calls the API tells nobody anything.
  const isFromEditor = run.is_ad_hoc && run.trigger_type === 'api';
  return (
    <Group gap={6} wrap="nowrap">
      {!isFromEditor && <Text size="sm">{names[run.trigger_type] ?? run.trigger_type}</Text>}
      {run.is_ad_hoc && (
        <Badge variant="outline" color="gray" size="sm" miw="max-content" title={runWords.tryWhy}>
          {runWords.tryRun}
        </Badge>
      )}
    </Group>
  );
}

/** The step that failed or waits, and the message of the error. */
function Stop({ run }: { readonly run: RunListItem }) {
  if (run.stopped_at === null && run.error_message === null) return null;
  return (
    <>
      {run.stopped_at !== null && (
        <Text size="sm" truncate title={run.stopped_at.node_name}>
          {run.stopped_at.node_name}
        </Text>
      )}
      {run.error_message !== null && (
        <Text size="xs" c="dimmed" lineClamp={1} title={run.error_message}>
          {run.error_message}
        </Text>
      )}
    </>
  );
}

interface WhenProps {
  readonly run: RunListItem;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function When({ run, isOpen, onToggle }: WhenProps) {
  const count = run.earlier_segments.length + 1;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime at={readStart(run)} />
      </Text>
      {count > 1 && (
        <UnstyledButton aria-expanded={isOpen} onClick={onToggle}>
          <Group gap={2} wrap="nowrap">
            <Chevron size={14} aria-hidden />
            <Text size="xs" style={{ whiteSpace: 'nowrap' }}>
              {runWords.parts(count)}
            </Text>
          </Group>
        </UnstyledButton>
      )}
    </>
  );
}

/** The segments of an answered run, in order. */
const Segments = ({ run }: { readonly run: RunListItem }) => (
  <Stack component="ol" gap={2} m={0} pl="lg">
    {[...run.earlier_segments, run].map((segment, index, all) => (
      <li key={segment.id}>
        <Text size="xs" span>
          {moment(segment.started_at)}
          {segment.completed_at !== null && ` – ${moment(segment.completed_at)}`} ·{' '}
          {index < all.length - 1 ? runWords.answered : runWords.statuses[segment.status]}
        </Text>
      </li>
    ))}
  </Stack>
);

interface RowProps extends Omit<RunTableProps, 'rows' | 'selected'> {
  readonly run: RunListItem;
  readonly isSelected: boolean;
}

const describeRun = ({ workflow_name: name, created_at: at }: RunListItem): string =>
  `${name}, ${moment(at)}`;

const Select = ({ run, isSelected, onSelect }: RowProps) => (
  <Checkbox
    aria-label={`${runWords.select}: ${describeRun(run)}`}
    checked={isSelected}
    onChange={({ currentTarget }) => onSelect([run.id], currentTarget.checked)}
  />
);

const Name = ({ run }: { readonly run: RunListItem }) => (
  <TextLink to="/runs/$runPk" params={{ runPk: run.id }} size="sm" style={{ overflowWrap: 'anywhere' }}>
    {run.workflow_name}
  </TextLink>
);

const Row = memo(function Row(props: RowProps) {
  const { run } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <Select {...props} />
        </Table.Td>
        <Table.Td miw={150} maw={260}>
          <Name run={run} />
        </Table.Td>
        <Table.Td>
          <State run={run} />
        </Table.Td>
        <Table.Td maw={160}>
          <Stop run={run} />
        </Table.Td>
        <Table.Td>
          <Trigger run={run} />
        </Table.Td>
        <Table.Td maw={140}>
          <Text size="sm" truncate title={findAuthor(run.created_by, props.people)}>
            {findAuthor(run.created_by, props.people)}
          </Text>
        </Table.Td>
        <Table.Td>
          <When run={run} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        </Table.Td>
        <Table.Td ta="right" style={NUMBER}>
          <Duration run={run} />
        </Table.Td>
        <Table.Td ta="right" style={NUMBER}>
          {run.credits > 0 && run.credits}
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td />
          <Table.Td colSpan={8}>
            <Segments run={run} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
});

const Card = memo(function Card(props: RowProps) {
  const { run } = props;
  const [isOpen, setOpen] = useState(false);
  const facts = [
    run.credits > 0 ? words.creditCount(run.credits) : '',
    findAuthor(run.created_by, props.people),
  ].filter((fact) => fact !== '');
  return (
    <Paper component="li" withBorder p="sm">
      <Group gap="sm" wrap="nowrap" align="start">
        <Select {...props} />
        <Stack gap={4} flex={1} miw={0}>
          <Group gap="xs" justify="space-between">
            <Name run={run} />
            <State run={run} />
          </Group>
          <Stop run={run} />
          <Group gap="xs">
            <Trigger run={run} />
            <When run={run} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
          </Group>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {run.status !== 'interrupted' && <Duration run={run} />}
            {run.status !== 'interrupted' && facts.length > 0 && ' · '}
            {facts.join(' · ')}
          </Text>
          {isOpen && <Segments run={run} />}
        </Stack>
      </Group>
    </Paper>
  );
});

function SelectAll({ rows, selected, onSelect }: RunTableProps) {
  const count = rows.filter(({ id }) => selected.has(id)).length;
  return (
    <Checkbox
      aria-label={runWords.selectAll}
      checked={count === rows.length}
      indeterminate={count > 0 && count < rows.length}
      onChange={({ currentTarget }) =>
        onSelect(
          rows.map(({ id }) => id),
          currentTarget.checked,
        )
      }
    />
  );
}

export function RunTable(props: RunTableProps) {
  const { rows, selected, people, onSelect } = props;
  const shared = { people, onSelect };
  if (useNarrow())
    return (
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {rows.map((run) => (
          <Card key={run.id} run={run} isSelected={selected.has(run.id)} {...shared} />
        ))}
      </Stack>
    );
  return (
    <Table.ScrollContainer minWidth={960}>
      <Table highlightOnHover verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36}>
              <SelectAll {...props} />
            </Table.Th>
            {runWords.columns.map((name, column) => (
              <Table.Th key={name} ta={column < FIRST_NUMBER ? undefined : 'right'}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((run) => (
            <Row key={run.id} run={run} isSelected={selected.has(run.id)} {...shared} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
