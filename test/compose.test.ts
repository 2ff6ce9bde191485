/** A deployment by docker-compose.yml and the Dockerfile would not start, because of a wrong variable, port or path. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../src/base/config/config.ts';
import { DYNAMIC_CONFIG } from '../src/processes/local/temporal-launch.ts';
import {
  commandOf as commandLine,
  configOf,
  effectiveEnvironment as effective,
  environmentOf,
  HOST,
  interpolate,
  isMap,
  listOf,
  mapAt,
  scalar,
  service,
  services,
} from './support/compose.ts';
import { configVariables } from './support/variables.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const TEXT = read('docker-compose.yml');
const OURS = ['temporal-setup', 'migrate', 'api', 'worker', 'realtime'];
const commandOf = (name: string): string => commandLine(name).join(' ');
const isJob = (name: string): boolean => scalar(service(name)['restart'] ?? '').startsWith('on-failure');

/** What the OpenTelemetry SDK reads itself. */
const OF_THE_SDK = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
];

const sources = (): string =>
  ['src', 'temporal']
    .flatMap((top) =>
      readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
    )
    .filter((name) => name.endsWith('.ts') && !/generated|local/.test(name))
    .map(read)
    .join('\n');

describe('docker-compose.yml', () => {
  test('has the production shape', () => {
    expect(Object.keys(services).toSorted()).toEqual(
      [
        'postgres',
        'databases',
        'temporal-schema',
        'temporal',
        'temporal-ui',
        'codec',
        'proxy',
        'dex',
        ...OURS,
      ].toSorted(),
    );
    expect(service('postgres')['image']).toContain('pgvector');
  });

  test('every dependency is a service, and a condition on its health has a health check', () => {
    for (const name of Object.keys(services)) {
      const dependencies = service(name)['depends_on'];
      for (const [other, how] of Object.entries(isMap(dependencies) ? dependencies : {})) {
        const condition = mapAt(how, `${name}.${other}`)['condition'];
        expect(services, `${name} depends on ${other}`).toHaveProperty(other);
        if (condition === 'service_healthy') expect(service(other), other).toHaveProperty('healthcheck');
      }
    }
  });

  test('our services run the commands of package.json, from programs that the build makes', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(commandOf('migrate')).toBe(scripts['migrate']);
    for (const name of ['api', 'worker', 'realtime']) expect(commandOf(name)).toBe(scripts[`start:${name}`]);
    const present =
      existsSync(join(ROOT, 'src/features/canvas')) &&
      readdirSync(join(ROOT, 'src/features/canvas')).length > 0;
    expect(commandOf('temporal-setup')).toBe(`${scripts['admin']} temporal:setup --retention-days 7`);
    for (const name of present ? OURS : OURS.filter((other) => other !== 'realtime')) {
      const program = /dist\/(\S+)\.js/.exec(commandOf(name))?.[1];
      expect(existsSync(join(ROOT, `${program}.ts`)), `${program}.ts`).toBe(true);
    }
  });

  test('every variable of our services is one that the service reads', () => {
    const known = configVariables();
    expect(known).toContain('DATABASE_URL');
    for (const name of OURS) {
      expect(
        Object.keys(environmentOf(name)).filter(
          (key) => ![...known, ...OF_THE_SDK].includes(key.replace(/_FILE$/, '')),
        ),
        name,
      ).toEqual([]);
    }
  });

  test('every variable of the service is passed on', () => {
    const wanted = [...configVariables(), ...OF_THE_SDK];
    // The image has its commit.
    const others = ['PORT', 'REALTIME_PORT', 'WORKER_PORT', 'BUILD_COMMIT'];
    for (const name of ['api', 'worker', 'realtime']) {
      const set = Object.keys(environmentOf(name));
      expect(wanted.filter((key) => !set.includes(key) && !others.includes(key))).toEqual([]);
    }
  });

  test("the codec server is the administrator's command, reached on the host's loopback alone", () => {
    expect(service('codec')).toMatchObject({ network_mode: 'host', profiles: ['codec'] });
    expect(commandOf('codec')).toContain('dist/src/processes/admin.js codec:serve');
    expect(service('codec')).not.toHaveProperty('ports');
  });

  test('the configuration is accepted in production, and refused without its secrets', () => {
    for (const name of ['api', 'worker', 'realtime']) {
      const config = readConfig(effective(name));
      expect(config.env).toBe('production');
      expect(config.temporal.address).toBe('temporal:7233');
      expect(decodeURIComponent(new URL(config.databaseUrl).password)).toBe(HOST['DATABASE_PASSWORD']);
      for (const secret of ['API_KEY_SECRET', 'ENCRYPTION_KEYS']) {
        expect(() => readConfig({ ...effective(name), [secret]: '' }), secret).toThrow(secret);
      }
    }
  });

  test('secrets come from the host and have no defaults', () => {
    const secret = /SECRET|PASSWORD|PWD|_KEYS?$/;
    for (const name of Object.keys(services)) {
      const environment = service(name)['environment'];
      for (const [key, value] of Object.entries(isMap(environment) ? environment : {})) {
        if (secret.test(key)) expect(scalar(value), `${name}.${key}`).toMatch(/^\$\{\w+:(\?.+|-)\}$/);
      }
    }
  });

  test('a secret may be in a file of the folder that the containers see', () => {
    const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    try {
      const inFiles = ['API_KEY_SECRET', 'ENCRYPTION_KEYS', 'DATABASE_PASSWORD'];
      const host = Object.entries(HOST).map(([name, value]) => {
        if (!inFiles.includes(name)) return [name, value];
        writeFileSync(join(folder, name), `${value}\n`);
        return [`${name}_FILE`, join(folder, name)];
      });
      const variables = Object.fromEntries(host) as Record<string, string>;
      const config = readConfig(effective('api', variables));
      expect(config.auth.apiKeySecret).toBe(HOST['API_KEY_SECRET']);
      expect(config.encryptionKeys).toHaveLength(1);
      expect(decodeURIComponent(new URL(config.databaseUrl).password)).toBe(HOST['DATABASE_PASSWORD']);
      expect(effective('migrate', variables)['DATABASE_PASSWORD_FILE']).toBe(
        join(folder, 'DATABASE_PASSWORD'),
      );
      for (const name of OURS)
        expect(
          listOf(service(name)['volumes']).map((volume) => interpolate(volume, { SECRETS_DIR: folder })),
        ).toContain(`${folder}:/run/secrets:ro`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('what a service reads from this file can be put into its container, which Compose does not do to a read-only one', () => {
    for (const name of Object.keys(services))
      if (service(name)['configs'] !== undefined) expect(service(name), name).not.toHaveProperty('read_only');
  });

  test('a changed text makes a container anew that reads it: Compose looks at the service alone', () => {
    const read = Object.keys(services).flatMap((name) => {
      const configs = service(name)['configs'];
      return (Array.isArray(configs) ? configs : []).map((config) => {
        const source = scalar(mapAt(config, name)['source'] ?? '');
        const labels = mapAt(service(name)['labels'], name);
        expect(Object.keys(labels), name).toEqual([`workflow-automation-service.${source}`]);
        expect(Object.values(labels).map((label) => interpolate(scalar(label)))).toEqual([configOf(source)]);
        return source;
      });
    });
    expect(read.toSorted()).toEqual(['caddyfile', 'databases', 'dex', 'temporal-dynamic-config']);
  });

  test('what writes has longer than ten seconds to stop', () => {
    for (const name of ['postgres', 'temporal', 'api', 'worker', 'realtime'])
      expect(service(name)['stop_grace_period'], name).toMatch(/^(40s|1m)$/);
  });

  test('PostgreSQL is healthy once it answers by TCP: while its image fills an empty volume it does not', () => {
    const probe = listOf(mapAt(service('postgres')['healthcheck'], 'healthcheck')['test']).join(' ');
    expect(probe).toContain('pg_isready --host 127.0.0.1');
  });

  test('a job that cannot succeed ends, so that `docker compose up` fails and names it', () => {
    const jobs = Object.keys(services).filter(isJob);
    expect(jobs.toSorted()).toEqual(['databases', 'migrate', 'temporal-schema', 'temporal-setup']);
    for (const name of jobs) expect(service(name)['restart'], name).toBe('on-failure:5');
  });

  test('images have the version that is tested, logs are rotated, and what goes on running has limits', () => {
    const programs = read('src/processes/local/temporal-programs.ts');
    const versionOf = (name: string): string =>
      new RegExp(`${name}_VERSION = '(.+)'`).exec(programs)?.[1] ?? '';
    expect(service('temporal')['image']).toBe(`temporalio/server:${versionOf('SERVER')}`);
    expect(service('temporal-schema')['image']).toBe(`temporalio/admin-tools:${versionOf('SERVER')}`);
    expect(service('temporal-ui')['image']).toBe(`temporalio/ui:${versionOf('UI')}`);
    for (const name of Object.keys(services)) {
      expect(service(name)['image'], name).toMatch(/:v?\d+\.\d+\.\d+(-[a-z0-9]+)?$/);
      expect(service(name)['logging'], name).toMatchObject({ options: { 'max-size': '10m' } });
      if (isJob(name)) continue;
      expect(service(name)['deploy'], name).toHaveProperty('resources.limits.memory');
      expect(service(name)['deploy'], name).toHaveProperty('resources.limits.cpus');
    }
  });

  test('PostgreSQL and Temporal may run elsewhere', () => {
    const elsewhere = {
      ...HOST,
      LOCAL_POSTGRES: '0',
      LOCAL_TEMPORAL: '0',
      DATABASE_URL: 'postgresql://me@db.example/flows',
      TEMPORAL_ADDRESS: 'ours.tmprl.cloud:7233',
      TEMPORAL_NAMESPACE: 'ours',
      TEMPORAL_API_KEY: 'temporal-cloud-key',
      TEMPORAL_UI_URL: 'https://cloud.temporal.io',
    };
    // Compose reads the whole file, also the parts that are not started.
    for (const name of ['POSTGRES_PASSWORD', 'TEMPORAL_DATABASE_PASSWORD', 'TEMPORAL_VISIBILITY_PASSWORD'])
      Reflect.deleteProperty(elsewhere, name);
    expect(() => interpolate(TEXT, elsewhere)).not.toThrow();
    const isStarted = (name: string): boolean =>
      interpolate(scalar(mapAt(service(name)['deploy'], name)['replicas'] ?? '1'), elsewhere) !== '0';
    expect(
      Object.keys(services)
        .filter((name) => !isStarted(name))
        .toSorted(),
    ).toEqual(['databases', 'postgres', 'temporal', 'temporal-schema', 'temporal-ui']);
    for (const name of OURS.filter((each) => each !== 'migrate')) {
      const config = readConfig(effective(name, elsewhere));
      expect(new URL(config.databaseUrl).host, name).toBe('db.example');
      expect(config.temporal, name).toMatchObject({
        address: 'ours.tmprl.cloud:7233',
        namespace: 'ours',
        apiKey: 'temporal-cloud-key',
        uiUrl: 'https://cloud.temporal.io',
      });
    }
  });

  test('every variable of the file is one of the service, a password, or in src/README.md', () => {
    const used = new Set([...TEXT.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = '']) => name));
    const [section = ''] = /\n## On one host\n[^]*?\n## /.exec(read('src/README.md')) ?? [];
    const told = [...section.matchAll(/\b[A-Z]+_[A-Z_]+\b/g)].map(([name]) => name);
    const known = new Set([...configVariables(), ...OF_THE_SDK, ...told]);
    const prefixes = [...section.matchAll(/`([A-Z]+_)…`/g)].map(([, prefix = '']) => prefix);
    expect(
      [...used].filter(
        (name) =>
          !known.has(name.replace(/_FILE$/, '')) &&
          !prefixes.some((prefix) => ['CPUS', 'MEMORY'].some((end) => name === `${prefix}${end}`)),
      ),
    ).toEqual([]);
    expect(
      [...section.matchAll(/^\| `([A-Z_]+)`/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !used.has(name)),
    ).toEqual([]);
  });

  test("Temporal's dynamic config is that of the demo, the tests and the README", () => {
    const toSettings = (text: string): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(parse(text) as Record<string, { value: unknown }[]>).map(([name, [entry]]) => [
          name,
          entry?.value,
        ]),
      );
    expect(toSettings(configOf('temporal-dynamic-config'))).toEqual(DYNAMIC_CONFIG);
    const [, readme = ''] =
      /## Dynamic config[^]*?```yaml\n([^]*?)```/.exec(read('temporal/README.md')) ?? [];
    expect(toSettings(readme)).toEqual(DYNAMIC_CONFIG);
  });

  test('each database has a role of its own, with a password from the host', () => {
    const sql = configOf('databases');
    const { TEMPORAL_DATABASE_PASSWORD: main, TEMPORAL_VISIBILITY_PASSWORD: visibility } = HOST;
    expect(effective('temporal')).toMatchObject({
      POSTGRES_USER: 'temporal',
      POSTGRES_PWD: main,
      VISIBILITY_POSTGRES_USER: 'temporal_visibility',
      VISIBILITY_POSTGRES_PWD: visibility,
    });
    expect(new URL(readConfig(effective('api')).databaseUrl).username).toBe('workflow');
    for (const role of ['workflow', 'temporal', 'temporal_visibility'])
      expect(sql).toContain(`ALTER ROLE ${role} PASSWORD`);
    for (const [, variable = ''] of sql.matchAll(/\\getenv \w+ (\w+)/g))
      expect(effective('databases')).toHaveProperty(variable);
  });

  test('the proxy leads to services at their ports, and the service trusts it', () => {
    const upstreams = [...configOf('caddyfile').matchAll(/(?:dynamic a|reverse_proxy) (\w+)[: ](\d+)/g)].map(
      ([, name, port]) => `${name}:${port}`,
    );
    const { port, realtimePort, trustedProxies, web } = readConfig(effective('api'));
    expect(upstreams).toEqual([`api:${port}`, `realtime:${realtimePort}`, 'dex:5556']);
    expect(configOf('dex')).toContain('http: 0.0.0.0:5556');
    expect(trustedProxies).toHaveLength(1);
    expect(TEXT).toContain(`subnet: ${effective('api')['TRUSTED_PROXIES']}`);
    expect(web.realtimeUrl).toBe(HOST['APP_URL']);
  });

  test('the HTTP/3 that the proxy offers is reached at the port of HTTPS, which is published for UDP, too', () => {
    const https = listOf(service('proxy')['ports'])
      .map((port) => interpolate(port))
      .filter((port) => /:443(?:\/|$)/.test(port));
    expect(https).toEqual(['127.0.0.1:443:443', '127.0.0.1:443:443/udp']);
    expect(configOf('caddyfile')).not.toContain('protocols');
  });

  test('several containers of a service run beside each other, at the ports of the host through the proxy', () => {
    // A port of the host is of one container.
    for (const name of ['api', 'realtime', 'worker']) expect(service(name), name).not.toHaveProperty('ports');
    const caddyfile = configOf('caddyfile');
    for (const [name, port] of [
      ['api', 8_000],
      ['realtime', 3_001],
    ] as const) {
      expect(listOf(service('proxy')['ports'])).toContain(`127.0.0.1:${port}:${port}`);
      expect(caddyfile).toMatch(new RegExp(`^http://:${port} \\{\\s+import ${name}\\s+\\}`, 'm'));
      expect(caddyfile).toMatch(new RegExp(`dynamic a ${name} ${port} `));
    }
    expect(caddyfile).toContain('lb_policy query workflow');
    expect(readFileSync(join(ROOT, 'src/features/canvas/README.md'), 'utf8')).toContain(
      '`lb_policy query workflow`',
    );
  });

  test('the provider of the profile `identity` has the client of the page', () => {
    const dex = parse(configOf('dex')) as { issuer: string; staticClients: unknown[] };
    expect(dex.issuer).toBe(`${HOST['APP_URL']}/dex`);
    const { clientId } = readConfig(effective('api')).web;
    const redirect = `${HOST['APP_URL']}/app/callback`;
    expect(dex.staticClients).toMatchObject([{ id: clientId, public: true, redirectURIs: [redirect] }]);
  });

  test('SEC-O08: ports are published on loopback only, and are those the service listens on', () => {
    for (const name of Object.keys(services)) {
      for (const port of listOf(service(name)['ports']))
        expect(interpolate(port), name).toMatch(/^127\.0\.0\.1:\d+:\d+(?:\/udp)?$/);
    }
    expect(service('postgres')).not.toHaveProperty('ports');
    expect(service('temporal')).not.toHaveProperty('ports');
  });

  test.each([
    ['api', 'port'],
    ['realtime', 'realtimePort'],
    ['worker', 'workerPort'],
  ] as const)('the health check of %s asks a path that exists, on its port', (name, variable) => {
    const probe = listOf(mapAt(service(name)['healthcheck'], 'healthcheck')['test']).join(' ');
    const [, port, path] = /127\.0\.0\.1:(\d+)(\/[\w/]*)/.exec(probe) ?? [];
    expect(Number(port)).toBe(readConfig(effective(name))[variable]);
    expect(sources()).toContain(`'${path}'`);
  });
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const of = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const { scripts, engines } = JSON.parse(read('package.json')) as {
    scripts: Record<string, string>;
    engines: { node: string };
  };

  test('is what compose builds, on a version of Node that is supported', () => {
    expect(service('migrate')['build']).toEqual({
      context: '.',
      args: { BUILD_COMMIT: '${BUILD_COMMIT:-}' },
    });
    // One service builds the image, and none looks for it in a registry.
    for (const name of [...OURS, 'codec']) {
      expect(service(name)['image'], name).toBe(service('migrate')['image']);
      expect(service(name)['pull_policy'], name).toBe('never');
      if (name !== 'migrate') expect(service(name), name).not.toHaveProperty('build');
    }
    expect(of('ARG')).toEqual(['BUILD_COMMIT=""']);
    expect(of('ENV')).toEqual(['NODE_ENV=production BUILD_COMMIT=$BUILD_COMMIT']);
    for (const from of of('FROM')) expect(from).toMatch(/^node:24-/);
    expect(engines.node).toContain('>=24');
  });

  test('runs as a user who is named by number and is not root', () => {
    expect(of('USER')).toEqual(['1000:1000']);
    expect(lines.findLastIndex((line) => line.startsWith('USER '))).toBeGreaterThan(
      lines.findLastIndex((line) => line.startsWith('COPY ')),
    );
  });

  test('its commands exist: scripts of package.json, and files', () => {
    const commands = of('RUN').join('\n');
    for (const [, name = ''] of commands.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty(name);
    for (const [, file = ''] of commands.matchAll(/node (\S+\.mjs)/g))
      expect(existsSync(join(ROOT, file)), file).toBe(true);
    expect(of('CMD')).toEqual([JSON.stringify(scripts['start:api']?.split(' ')).replaceAll(',', ', ')]);
  });

  test('commands that operators are told exist in the image, which has no npm', () => {
    const told = ['src/processes/doctor.ts', 'src/processes/admin-commands.ts', 'src/base/db/migrate.ts']
      .map(read)
      .join('\n');
    const programs = [...told.matchAll(/node dist\/(\S+?)\.js/g)].map(([, program = '']) => `${program}.ts`);
    expect(new Set(programs)).toEqual(
      new Set(['src/processes/admin.ts', 'src/base/db/migrate.ts', 'temporal/serve-worker.ts']),
    );
    for (const program of programs) expect(existsSync(join(ROOT, program)), program).toBe(true);
    expect(told.replaceAll(/\/\*\*[^]*?\*\//g, '')).not.toContain('npm run');
  });

  test('copies what exists and what the context lets in', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = of('COPY')
      .filter((line) => !line.startsWith('--from='))
      .flatMap((line) => line.split(' ').slice(0, -1));
    // What lies below an entry comes with it.
    const whole = copied.filter((path) => !copied.some((other) => path.startsWith(`${other}/`)));
    expect(whole.toSorted()).toEqual(allowed.toSorted());
    for (const file of copied) expect(existsSync(join(ROOT, file)), file).toBe(true);
  });

  test('CI takes the steps that build it', () => {
    const ci = read('.ci/run');
    for (const step of ['npm ci', 'npm run build', 'node .ci/prune.mjs']) {
      expect(of('RUN').join('\n')).toContain(step);
      expect(ci).toContain(step);
    }
  });
});
