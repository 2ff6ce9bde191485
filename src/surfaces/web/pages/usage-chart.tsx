/** Usage of the last days: a bar for each day, and the same numbers as a table. */
import { Group, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { Reply } from '../../client/operations.ts';
import { DataTable } from '../kit/data-table.tsx';
import { Failure, Waiting } from '../kit/page.tsx';
import { usageWords } from '../words-usage.ts';

type Day = Reply<'getDailyUsage'>['days'][number];
const MEASURES = {
  credits: (day: Day) => day.credits,
  runs: (day: Day) => day.runs,
  tokens: (day: Day) => day.input_tokens + day.output_tokens,
} as const;
type Measure = keyof typeof MEASURES;
const NAMES = Object.keys(MEASURES) as Measure[];
const RANGES = ['7', '30', '90'];

const HEIGHT_PX = 160;
/** A bar and the gap behind it, in units of the drawing, which is stretched to the width of the page. */
const STEP = 10;
const BAR = 8;

// The days are those of UTC, wherever the reader is.
const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const dayName = ({ day }: Day): string => FORMAT.format(new Date(day));
const count = (value: number): string => value.toLocaleString();

interface ChartProps {
  readonly days: readonly Day[];
  readonly measure: Measure;
}

function Bars({ days, measure }: ChartProps) {
  const measureDay = MEASURES[measure];
  const values = days.map(measureDay);
  const most = Math.max(...values);
  const [first, last, peak] = [days[0], days.at(-1), days[values.indexOf(most)]];
  if (first === undefined || last === undefined || peak === undefined || most === 0) {
    return <Text c="dimmed">{usageWords.byDay.none}</Text>;
  }
  const total = values.reduce((sum, value) => sum + value, 0);
  const summary = usageWords.byDay.summary(count(total), count(most), dayName(peak));
  return (
    <figure style={{ margin: 0 }}>
      <Text component="figcaption">{summary}</Text>
      <svg
        role="img"
        aria-label={`${usageWords.byDay.measures[measure]}: ${summary}`}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT_PX}`}
        preserveAspectRatio="none"
        width="100%"
        height={HEIGHT_PX}
        style={{ display: 'block', borderBottom: '1px solid var(--mantine-color-dimmed)' }}
      >
        {days.map((day, at) => {
          const height = (HEIGHT_PX * measureDay(day)) / most;
          return (
            <g key={day.day}>
              <rect
                x={at * STEP}
                y={HEIGHT_PX - height}
                width={BAR}
                height={height}
                style={{ fill: 'var(--mantine-color-anchor)' }}
              />
              {/* As high as the drawing: the smallest bar can be pointed at, too. */}
              <rect x={at * STEP} width={STEP} height={HEIGHT_PX} style={{ fill: 'transparent' }}>
                <title>{`${dayName(day)}: ${count(measureDay(day))}`}</title>
              </rect>
            </g>
          );
        })}
      </svg>
      <Group justify="space-between" aria-hidden>
        <Text size="sm" c="dimmed">
          {dayName(first)}
        </Text>
        {days.length > 1 && (
          <Text size="sm" c="dimmed">
            {dayName(last)}
          </Text>
        )}
      </Group>
    </figure>
  );
}

const Days = ({ days }: Pick<ChartProps, 'days'>) => (
  <details>
    <summary>{usageWords.byDay.table}</summary>
    <DataTable
      heads={[usageWords.byDay.day, ...NAMES.map((name) => usageWords.byDay.measures[name])]}
      numbers={NAMES.map((_name, index) => index + 2)}
    >
      {days.toReversed().map((day) => (
        <Table.Tr key={day.day}>
          <Table.Td>{dayName(day)}</Table.Td>
          {NAMES.map((name) => (
            <Table.Td key={name}>{count(MEASURES[name](day))}</Table.Td>
          ))}
        </Table.Tr>
      ))}
    </DataTable>
  </details>
);

interface UsageChartProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
}

export function UsageChart({ client, organizationId }: UsageChartProps) {
  const [measure, setMeasure] = useState<Measure>('credits');
  const [range, setRange] = useState('30');
  const usage = useQuery({
    queryKey: [organizationId, 'usage', range],
    queryFn: () => client.request('GET', '/subscriptions/usage/daily', { query: { days: Number(range) } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack component="section" gap="sm" aria-labelledby="usage-by-day">
      <Title order={2} size="h4" id="usage-by-day">
        {usageWords.byDay.title}
      </Title>
      <Group>
        <SegmentedControl
          aria-label={usageWords.byDay.measure}
          value={measure}
          onChange={setMeasure}
          data={NAMES.map((name) => ({ value: name, label: usageWords.byDay.measures[name] }))}
        />
        <SegmentedControl
          aria-label={usageWords.byDay.range}
          value={range}
          onChange={setRange}
          data={RANGES.map((days) => ({ value: days, label: usageWords.byDay.days(days) }))}
        />
      </Group>
      <Failure error={usage.error} />
      {usage.isPending && <Waiting />}
      {usage.data !== undefined && (
        <>
          <Bars days={usage.data.days} measure={measure} />
          <Days days={usage.data.days} />
        </>
      )}
    </Stack>
  );
}
