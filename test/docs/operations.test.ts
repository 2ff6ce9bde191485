/** An alert or a panel would watch a metric that no process has, or wake somebody without telling what to do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { registers } from '../../src/observe/metrics.ts';
import '../../src/observe/realtime-metrics.ts';
import '../../src/observe/run-metrics.ts';
import '../../src/observe/worker-metrics.ts';
import { ROOT } from './readmes.ts';

const read = (file: string): string => readFileSync(join(ROOT, 'src/observe/operations', file), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
const { groups } = parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] };
const RULES = groups.flatMap(({ rules }) => rules);
interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}
const { panels } = JSON.parse(read('dashboards/service.json')) as { panels: Panel[] };

/** The metrics by name, with the labels that ours have. */
async function metrics(): Promise<Map<string, readonly string[] | null>> {
  const defaults = new Registry();
  collectDefaultMetrics({ register: defaults });
  const found = new Map<string, readonly string[] | null>();
  for (const { name } of await defaults.getMetricsAsJSON()) found.set(name, null);
  for (const registry of registers) {
    for (const metric of registry.getMetricsAsArray()) {
      const { labelNames } = metric as unknown as { readonly labelNames: readonly string[] };
      for (const suffix of ['', '_bucket', '_count', '_sum']) found.set(metric.name + suffix, labelNames);
    }
  }
  return found;
}

/** Words of PromQL, and the labels that Prometheus adds itself. */
const LANGUAGE = /^(?:absent|and|by|count|increase|histogram_quantile|max|min|or|rate|sum|topk)$/;
const OF_PROMETHEUS = ['instance', 'job', 'le'];

test.each([
  ...RULES.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
])('%s asks for metrics and labels that exist: %s', async (_, expr) => {
  const known = await metrics();
  const bare = expr.replaceAll(/"[^"]*"/g, '');
  const labels = [
    ...[...bare.matchAll(/\{([^}]*)\}/g)].flatMap(
      ([, inside = '']) => inside.match(/[a-z_]+(?=\s*[=!])/g) ?? [],
    ),
    ...[...bare.matchAll(/by \(([^)]*)\)/g)].flatMap(([, inside = '']) =>
      inside.split(',').map((name) => name.trim()),
    ),
  ];
  const names = bare
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ')
    .match(/[a-z_]\w*/g)
    ?.filter((word) => !LANGUAGE.test(word));
  expect(names?.length).toBeGreaterThan(0);
  expect(names?.filter((name) => !known.has(name))).toEqual([]);
  const allowed = new Set([...(names ?? []).flatMap((name) => known.get(name) ?? []), ...OF_PROMETHEUS]);
  expect(labels.filter((label) => !allowed.has(label))).toEqual([]);
});

test('each alert has a severity, and a section of its name that it points to; each section an alert', () => {
  for (const { alert, labels, annotations } of RULES) {
    expect(['info', 'warning', 'critical']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
    expect(annotations.runbook).toBe(`src/observe/operations/README.md#${alert.toLowerCase()}`);
  }
  const sections = [...read('README.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(RULES.map(({ alert }) => alert));
});
