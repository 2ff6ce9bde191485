/** How figures are printed: the machine and settings, the table of measurements, the goals. */
import { cpus, totalmem } from 'node:os';
import { rounded } from './goals.ts';
import type { Row } from './part.ts';
import type { Results } from './results.ts';

export const ms = (value: number): string => `${rounded(value)} ms`;
export const perSecond = (value: number): string => `${rounded(value)}/s`;

/** What the figures depend on. */
export function settings(): string[] {
  const processors = cpus();
  return [
    `${processors.length} x ${processors[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, Node ${process.versions.node}`,
    'one API and one worker process from dist; PostgreSQL with fsync; Temporal dev server in memory, tuned as in src/processes/local/temporal-server.ts; everything on this machine',
    'medians of alternating rounds; trust the ratios',
  ];
}

function columns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One measurement in one line. */
export function rowLine({ workload, service, beside, ratio }: Row): string {
  return [workload, service, beside, ratio === null ? null : `ratio ${ratio.toFixed(2)}`]
    .filter((cell) => cell !== null)
    .join(' | ');
}

/** The tables of results, and which parts broke. */
export function printed({ rows, goals, broken, settings: given }: Results): string {
  const measured = rows.map((row) => [
    row.workload,
    row.service,
    row.beside ?? '',
    row.ratio === null ? '' : row.ratio.toFixed(2),
  ]);
  const judged = goals.map((goal) => [
    goal.name,
    goal.value === null ? 'not run' : String(goal.value),
    goal.goal,
    goal.met === null ? '' : goal.met ? 'met' : 'NOT MET',
  ]);
  return [
    ...given,
    '',
    columns([['measured', 'this service', 'beside', 'ratio'], ...measured]),
    '',
    columns([['goal', 'value', 'wanted', ''], ...judged]),
    ...broken.map(({ part, error }) => `${part} broke: ${error}`),
    '',
  ].join('\n');
}
