/** docker-compose.yml as compose reads it: its services, with the variables of a host in place of their names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../src/processes/local/paths.ts';

/** The file's values, every scalar as the text that it is written as. */
export type Yaml = string | readonly Yaml[] | { readonly [key: string]: Yaml };
export type YamlMap = { readonly [key: string]: Yaml };

export const isMap = (value: Yaml | undefined): value is YamlMap =>
  typeof value === 'object' && !Array.isArray(value);

export function mapAt(value: Yaml | undefined, what: string): YamlMap {
  if (!isMap(value)) throw new Error(`${what} is not a map`);
  return value;
}

/** A scalar; anything else is shown as it is written in JSON. */
export const scalar = (value: Yaml): string => (typeof value === 'string' ? value : JSON.stringify(value));
export const listOf = (value: Yaml | undefined): string[] => (Array.isArray(value) ? value.map(scalar) : []);

const file = mapAt(
  parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { schema: 'failsafe', merge: true }) as Yaml,
  'the file',
);
export const services = mapAt(file['services'], 'services');
export const service = (name: string): YamlMap => mapAt(services[name], name);

/** A good value for each variable that the host must set. */
export const HOST: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'p0',
  DATABASE_PASSWORD: 'p@ss/w:o#r?d% é',
  TEMPORAL_DATABASE_PASSWORD: "t'p w$1",
  TEMPORAL_VISIBILITY_PASSWORD: 'v/p',
  AUTH_JWKS_URL: 'https://identity.example/jwks.json',
  AUTH_ISSUER: 'https://identity.example',
  API_KEY_SECRET: 'x'.repeat(32),
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  APP_URL: 'https://app.example',
};

const INNERMOST = /(?<!\$)\$\{(\w+)(?::([?-])([^{}]*))?\}/;

/** Replaces `${NAME}`, `${NAME:?message}` and `${NAME:-default}`, also in each other, and `$$`, as compose does. */
export function interpolate(text: string, variables: Readonly<Record<string, string>> = HOST): string {
  for (let rest = text; ;) {
    const found = INNERMOST.exec(rest);
    if (found === null) return rest.replaceAll('$$', '$');
    const [all, name = '', sign, otherwise = ''] = found;
    const value = variables[name] ?? (sign === '-' ? otherwise : undefined);
    if (value === undefined) throw new Error(`the host has no ${name}`);
    rest = rest.replace(all, () => value);
  }
}

/** The environment of a service as it is written. */
export const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(mapAt(service(name)['environment'] ?? {}, name)).map(([key, value]) => [
      key,
      scalar(value),
    ]),
  );

/** The environment of a service as its process gets it. */
export const effectiveEnvironment = (
  name: string,
  variables?: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environmentOf(name)).map(([key, value]) => [key, interpolate(value, variables)]),
  );

/** The command of a service as its process gets it. */
export const commandOf = (name: string): string[] =>
  listOf(service(name)['command']).map((part) => interpolate(part));

/** The text of a file that the compose file has in it. */
export const configOf = (name: string): string =>
  interpolate(scalar(mapAt(mapAt(file['configs'], 'configs')[name], name)['content'] ?? ''));
