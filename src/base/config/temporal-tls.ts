/** TLS to Temporal: PEM texts, given as such or as paths of files, which are read once. */
import { readFileSync } from 'node:fs';
import type { Environment } from './environment.ts';

const PARTS = {
  ca: 'TEMPORAL_TLS_CA',
  cert: 'TEMPORAL_TLS_CERT',
  key: 'TEMPORAL_TLS_KEY',
} as const;

/** PEM texts, and the name that the server's certificate must carry. */
export interface TemporalTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
}

interface ReadTls {
  /** Null: connections are plain. */
  readonly tls: TemporalTls | null;
  readonly problems: readonly string[];
}

/** Reads the settings, and a problem for each file that cannot be read. */
export function readTemporalTls(env: Environment): ReadTls {
  const { TEMPORAL_TLS_SERVER_NAME: serverName, TEMPORAL_API_KEY: apiKey } = env;
  const texts: { -readonly [part in keyof typeof PARTS]?: string } = {};
  const problems: string[] = [];
  for (const part of ['ca', 'cert', 'key'] as const) {
    const given = env[PARTS[part]];
    if (given === undefined) continue;
    try {
      texts[part] = given.includes('-----BEGIN') ? given : readFileSync(given, 'utf8');
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      problems.push(`${PARTS[part]}: is neither PEM nor a readable file (${code})`);
    }
  }
  const tls = { ...texts, ...(serverName === undefined ? {} : { serverName }) };
  return { tls: Object.keys(tls).length > 0 || apiKey !== undefined ? tls : null, problems };
}
