/** A deployment by docker-compose.yml and the Dockerfile would not start, because of a wrong variable, port or path. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../src/config/config.ts';
import { configVariables } from './support/variables.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const TEXT = read('docker-compose.yml');
const OURS = ['migrate', 'api', 'worker', 'realtime'];

/** The file's values, every scalar as the text that it is written as. */
type Yaml = string | readonly Yaml[] | { readonly [key: string]: Yaml };
const readYaml = (text: string): Yaml => parse(text, { schema: 'failsafe', merge: true }) as Yaml;
const isMap = (value: Yaml | undefined): value is { readonly [key: string]: Yaml } =>
  typeof value === 'object' && !Array.isArray(value);

function mapAt(value: Yaml | undefined, what: string): { readonly [key: string]: Yaml } {
  if (!isMap(value)) throw new Error(`${what} is not a map`);
  return value;
}
const services = mapAt(mapAt(readYaml(TEXT), 'the file')['services'], 'services');
const service = (name: string): { readonly [key: string]: Yaml } => mapAt(services[name], name);
/** A scalar; anything else is shown as it is written in JSON. */
const scalar = (value: Yaml): string => (typeof value === 'string' ? value : JSON.stringify(value));
const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(mapAt(service(name)['environment'], name)).map(([key, value]) => [key, scalar(value)]),
  );
const listOf = (value: Yaml | undefined): string[] => (Array.isArray(value) ? value.map(scalar) : []);
const commandOf = (name: string): string => listOf(service(name)['command']).join(' ');

/** What the OpenTelemetry SDK reads itself. */
const OF_THE_SDK = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
];

/** A good value for each variable that the host must set. */
const HOST: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'p@ss/w:o#r?d% é',
  AUTH_JWKS_URL: 'https://identity.example/jwks.json',
  AUTH_ISSUER: 'https://identity.example',
  API_KEY_SECRET: 'x'.repeat(32),
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  APP_URL: 'https://app.example',
};

/** Replaces `${NAME:?message}` and `${NAME:-default}` as compose does. */
function substituted(text: string): string {
  return text.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_all, name: string, sign: string, rest: string) => {
    const value = HOST[name] ?? (sign === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`the test knows no value for ${name}`);
    return value;
  });
}
const effective = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(environmentOf(name)).map(([key, value]) => [key, substituted(value)]));

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
    expect(Object.keys(services)).toEqual(['postgres', 'temporal', 'temporal-ui', 'codec', ...OURS]);
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
    const present = existsSync(join(ROOT, 'src/canvas')) && readdirSync(join(ROOT, 'src/canvas')).length > 0;
    for (const name of present ? OURS : OURS.filter((other) => other !== 'realtime')) {
      const program = /dist\/(\S+)\.js$/.exec(commandOf(name))?.[1];
      expect(existsSync(join(ROOT, `${program}.ts`)), `${program}.ts`).toBe(true);
    }
  });

  test('every variable of our services is one that the service reads', () => {
    const known = configVariables();
    expect(known).toContain('DATABASE_URL');
    for (const name of OURS) {
      expect(
        Object.keys(environmentOf(name)).filter((key) => ![...known, ...OF_THE_SDK].includes(key)),
        name,
      ).toEqual([]);
    }
  });

  test('what operators set for traces and realtime is passed on', () => {
    const wanted = [...configVariables().filter((key) => /^(REALTIME|OTEL)_/.test(key)), ...OF_THE_SDK];
    for (const name of ['api', 'worker', 'realtime']) {
      const set = Object.keys(environmentOf(name));
      expect(wanted.filter((key) => !set.includes(key) && key !== 'REALTIME_PORT')).toEqual([]);
    }
  });

  test("the codec server is the administrator's command, reached on the host's loopback alone", () => {
    expect(service('codec')).toMatchObject({ network_mode: 'host', profiles: ['codec'] });
    expect(commandOf('codec')).toContain('dist/src/admin.js codec:serve');
    expect(service('codec')).not.toHaveProperty('ports');
  });

  test('the configuration is accepted in production, and refused without its secrets', () => {
    for (const name of ['api', 'worker', 'realtime']) {
      const config = readConfig(effective(name));
      expect(config.env).toBe('production');
      expect(config.temporal.address).toBe('temporal:7233');
      expect(decodeURIComponent(new URL(config.databaseUrl).password)).toBe(HOST['POSTGRES_PASSWORD']);
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

  test('SEC-O08: ports are published on loopback only, and are those the service listens on', () => {
    for (const name of Object.keys(services)) {
      for (const port of listOf(service(name)['ports'])) expect(port, name).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    }
    expect(service('api')['ports']).toEqual([`127.0.0.1:8000:${readConfig(effective('api')).port}`]);
    expect(service('realtime')['ports']).toEqual([
      `127.0.0.1:3001:${readConfig(effective('realtime')).realtimePort}`,
    ]);
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
    expect(service('migrate')['build']).toBe('.');
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
