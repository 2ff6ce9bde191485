/** The environments of a folder (`environments.yaml`): where each is, and which resources the names in the files mean there. */
import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { describeSyntaxError, ENVIRONMENTS_FILE } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import type { Session, Sessions } from './session.ts';

/** Names in the files, and the name or id that each has in the environment. */
type Names = ReadonlyMap<string, string>;

interface FolderEnvironment {
  readonly name: string;
  readonly profile: string | null;
  readonly url: string | null;
  readonly organizationId: string | null;
  readonly names: Readonly<Record<'workflow' | 'credential' | 'knowledge_base' | 'table', Names>>;
}

const MAPS = {
  workflow: 'workflows',
  credential: 'credentials',
  knowledge_base: 'knowledge_bases',
  table: 'tables',
} as const;
const TEXTS = ['profile', 'url', 'organization_id'] as const;
const KEYS: readonly string[] = [...TEXTS, ...Object.values(MAPS)];

/** @throws through `refuse` for a key or value that no environment has */
function parseEnvironment(
  name: string,
  value: Json,
  refuse: (path: readonly string[], message: string) => never,
): FolderEnvironment {
  const given: JsonObject =
    value === null ? {} : isObject(value) ? value : refuse([name], 'expected a mapping');
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) refuse([name, unknown], `unknown key ${unknown}; expected ${KEYS.join(', ')}`);
  const readText = (key: (typeof TEXTS)[number]): string | null => {
    const text = given[key] ?? null;
    return text === null || typeof text === 'string' ? text : refuse([name, key], 'expected a string');
  };
  const readNames = (kind: keyof typeof MAPS): Names => {
    const map = given[MAPS[kind]] ?? {};
    if (!isObject(map)) return refuse([name, MAPS[kind]], 'expected a mapping of names');
    return new Map(
      Object.entries(map).map(([key, target]) => [
        key,
        typeof target === 'string' ? target : refuse([name, MAPS[kind], key], 'expected a name or an id'),
      ]),
    );
  };
  return {
    name,
    profile: readText('profile'),
    url: readText('url'),
    organizationId: readText('organization_id')?.toLowerCase() ?? null,
    names: {
      workflow: readNames('workflow'),
      credential: readNames('credential'),
      knowledge_base: readNames('knowledge_base'),
      table: readNames('table'),
    },
  };
}

/** Reads the environments of a folder; none without the file. @throws CommandError with the file and line */
async function readEnvironments(folder: string): Promise<readonly FolderEnvironment[]> {
  const path = join(folder, ENVIRONMENTS_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const refuse = (at: readonly string[], message: string): never => {
    const found = document.getIn(at, true);
    const line = isNode(found) && found.range ? `:${lines.linePos(found.range[0]).line}` : '';
    throw new CommandError(`${path}${line}: ${message}`, EXIT.usage);
  };
  const [broken] = document.errors;
  if (broken !== undefined)
    throw new CommandError(
      `${path}:${broken.linePos?.[0].line ?? 1}: ${describeSyntaxError(broken, text)}`,
      EXIT.usage,
    );
  const value = (document.toJS() ?? {}) as Json;
  if (!isObject(value)) return refuse([], 'expected a mapping of environments');
  return Object.entries(value).map(([name, one]) => parseEnvironment(name, one, refuse));
}

/** A folder's environment with a session in its organization. */
export interface OpenEnvironment {
  readonly session: Session;
  readonly organizationId: string;
  /** Null when the folder does not describe the organization of the session. */
  readonly environment: FolderEnvironment | null;
  /** For people. */
  readonly title: string;
}

/**
 * Opens the named environment of a folder, by default the one of the current login.
 * @throws CommandError for an unknown name, and without a login or an organization
 */
export async function openEnvironment(
  sessions: Sessions,
  command: Command,
  { folder, name }: { readonly folder: string; readonly name: string | undefined },
): Promise<OpenEnvironment> {
  const all = await readEnvironments(folder);
  const named = all.find((one) => one.name === name);
  if (name !== undefined && named === undefined) {
    const known = all.length === 0 ? 'it has none' : `it has ${all.map((one) => one.name).join(', ')}`;
    throw new CommandError(
      `${join(folder, ENVIRONMENTS_FILE)} has no environment ${name}; ${known}`,
      EXIT.usage,
    );
  }
  return chooseEnvironment(await sessions.open(command, named), all, named);
}

/**
 * Finds the environment of a folder that a session is in.
 * @param name of the one that it was opened for, as two may have the same organization
 * @throws CommandError without an organization
 */
export async function findEnvironment(
  folder: string,
  session: Session,
  name: string | undefined,
): Promise<OpenEnvironment> {
  const all = await readEnvironments(folder);
  return chooseEnvironment(
    session,
    all,
    all.find((one) => one.name === name),
  );
}

function chooseEnvironment(
  session: Session,
  all: readonly FolderEnvironment[],
  named?: FolderEnvironment,
): OpenEnvironment {
  const { organizationId } = session;
  if (organizationId === undefined)
    throw new CommandError('Choose an organization with --org or WORKFLOW_ORGANIZATION_ID', EXIT.usage);
  const environment = named ?? all.find((one) => one.organizationId === organizationId) ?? null;
  return {
    session,
    organizationId,
    environment,
    title: environment?.name ?? `organization ${organizationId}`,
  };
}
