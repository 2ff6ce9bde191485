/**
 * An alert or a panel would watch a metric that no process has, or wake somebody without telling what to do; a cluster would start
 * the service with wrong variables, ports or probes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/base/config/config.ts';
import { registers } from '../../src/base/observe/metrics.ts';
import '../../src/base/observe/dependencies.ts';
import '../../src/base/observe/realtime-metrics.ts';
import '../../src/base/observe/run-metrics.ts';
import '../../src/base/observe/worker-metrics.ts';
import { HOST } from '../support/compose.ts';
import { configVariables } from '../support/variables.ts';
import { describeChart, RENDERING } from './kubernetes.ts';
import { ROOT } from './readmes.ts';

const read = (file: string): string => readFileSync(join(ROOT, 'src/base/observe/operations', file), 'utf8');

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
const LANGUAGE = /^(?:absent|and|by|count|increase|histogram_quantile|max|min|or|rate|sum|time|topk)$/;
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
    expect(annotations.runbook).toBe(`src/base/observe/operations/README.md#${alert.toLowerCase()}`);
  }
  const sections = [...read('README.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(RULES.map(({ alert }) => alert));
});

describe('the Helm chart', () => {
  interface Container {
    readonly name: string;
    readonly command: readonly string[];
    readonly env: readonly { readonly name: string; readonly value?: string }[];
    readonly ports: readonly { readonly containerPort: number }[];
    readonly [probe: string]: unknown;
  }
  interface Manifest {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
    readonly spec: {
      readonly template: {
        readonly metadata: { readonly labels: Readonly<Record<string, string>> };
        readonly spec: { readonly terminationGracePeriodSeconds: number; readonly containers: [Container] };
      };
      readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
      readonly metrics: readonly { readonly external?: { readonly metric: { readonly name: string } } }[];
    };
  }
  interface Ingress {
    readonly kind: string;
    readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
    readonly spec: {
      readonly rules: readonly [
        {
          readonly http: {
            readonly paths: readonly [
              { readonly path: string; readonly backend: { readonly service: { readonly name: string } } },
            ];
          };
        },
      ];
    };
  }
  const text = readFileSync(RENDERING, 'utf8');
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  const of = (kind: string): Manifest[] => manifests.filter((each) => each.kind === kind);
  const container = (manifest: Manifest): Container => manifest.spec.template.spec.containers[0];
  const environment = (manifest: Manifest): Record<string, string> =>
    Object.fromEntries(container(manifest).env.map(({ name, value }) => [name, value ?? 'from-the-pod']));

  test('is the one that was rendered', () => {
    expect(text.split('\n', 1)[0]).toBe(describeChart().trim());
  });

  test('runs the commands of package.json, with a configuration that the service accepts', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const commands = Object.fromEntries(
      [...of('Deployment'), ...of('Job')].map((each) => [
        container(each).name,
        container(each).command.join(' '),
      ]),
    );
    expect(commands).toEqual({
      api: scripts['start:api'],
      worker: scripts['start:worker'],
      realtime: scripts['start:realtime'],
      migrate: scripts['migrate'],
      'temporal-setup': `${scripts['admin']} temporal:setup --retention-days 7`,
    });
    const { API_KEY_SECRET, ENCRYPTION_KEYS } = HOST;
    const secrets = { API_KEY_SECRET, ENCRYPTION_KEYS, DATABASE_URL: 'postgresql://db.example/flows' };
    for (const manifest of [...of('Deployment'), ...of('Job')]) {
      expect(configVariables()).toEqual(expect.arrayContaining(Object.keys(environment(manifest))));
      expect(readConfig({ ...environment(manifest), ...secrets }).env).toBe('production');
    }
  });

  test.each(['api', 'worker', 'realtime'])(
    '%s is probed at its port, drains, and is kept through disruptions',
    (name) => {
      const manifest = of('Deployment').find((each) => container(each).name === name);
      if (manifest === undefined) throw new Error(`there is no ${name}`);
      const { API_KEY_SECRET, ENCRYPTION_KEYS } = HOST;
      const config = readConfig({
        ...environment(manifest),
        API_KEY_SECRET,
        ENCRYPTION_KEYS,
        DATABASE_URL: 'postgresql://db.example/flows',
      });
      const port = { api: config.port, worker: config.workerPort, realtime: config.realtimePort }[name];
      expect(container(manifest).ports).toMatchObject([{ containerPort: port }]);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        expect(container(manifest)[probe], probe).toHaveProperty('httpGet.path');
      // A worker waits 20 s for its activities, the API 25 s and its delay before.
      expect(manifest.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
        name === 'api' ? 25 + config.shutdownDelayMs / 1_000 : 20,
      );
      const [budget, ...others] = of('PodDisruptionBudget').filter((each) =>
        each.metadata.name.endsWith(name),
      );
      expect(others).toEqual([]);
      expect(manifest.spec.template.metadata.labels).toMatchObject(
        budget?.spec.selector.matchLabels ?? { no: 'budget' },
      );
    },
  );

  test('sockets of a workflow go to one pod, and everything else to the API', () => {
    const rules = parseAllDocuments(text)
      .map((document) => document.toJS() as Ingress)
      .filter(({ kind }) => kind === 'Ingress')
      .map(({ metadata, spec }) => {
        const [path] = spec.rules[0].http.paths;
        const hash = metadata.annotations['nginx.ingress.kubernetes.io/upstream-hash-by'] ?? null;
        return [path.path, path.backend.service.name, hash];
      });
    expect(rules).toEqual([
      ['/', 'workflow-automation-api', null],
      ['/socket.io/', 'workflow-automation-realtime', '$arg_workflow'],
    ]);
  });

  test('workers are scaled on a metric that the service has', async () => {
    const names = of('HorizontalPodAutoscaler').flatMap(({ spec }) =>
      spec.metrics.flatMap(({ external }) => external?.metric.name ?? []),
    );
    expect(names).toEqual(['outbox_oldest_seconds']);
    expect((await metrics()).has('outbox_oldest_seconds')).toBe(true);
  });
});
