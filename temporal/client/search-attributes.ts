/** The search attributes of a namespace: registered at start when that is allowed, used when they exist. */
import { type Connection } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import type { Logger } from '../../src/base/log.ts';
import { CALL_DEADLINE_MS, callWithin } from './connection.ts';
import { GRPC, readGrpcStatus } from './grpc-status.ts';
import { type StartDescription } from '../../src/engine/runs/engine.ts';
import {
  NAME_ATTRIBUTE,
  METADATA_ATTRIBUTE,
  buildRunAttributes,
  SEARCH_ATTRIBUTES,
  type Searchable,
} from '../contract.ts';

const REFUSALS: readonly (number | null)[] = [
  GRPC.PERMISSION_DENIED,
  GRPC.UNIMPLEMENTED,
  GRPC.UNAUTHENTICATED,
];

/** temporal.api.enums.v1.IndexedValueType */
const INDEXED_VALUE_TYPE = { KEYWORD: 2, BOOL: 5, KEYWORD_LIST: 7 } as const;

/** Temporal's limit of an attribute's value is 2 KiB (`limit.searchAttributesSizeOfValue`), and JSON adds to it. */
const MAX_METADATA_BYTES = 1_500;

const NAMES = Object.keys(SEARCH_ATTRIBUTES);
const TYPES: Readonly<Record<string, keyof typeof INDEXED_VALUE_TYPE>> = {
  ...SEARCH_ATTRIBUTES,
  [NAME_ATTRIBUTE]: 'KEYWORD',
  [METADATA_ATTRIBUTE]: 'KEYWORD_LIST',
};

async function listRegistered(connection: Connection, namespace: string): Promise<Set<string>> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return new Set(Object.keys(customAttributes));
}

async function register(connection: Connection, namespace: string, names: readonly string[]): Promise<void> {
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(
        names.map((name) => [name, INDEXED_VALUE_TYPE[TYPES[name] ?? 'KEYWORD']]),
      ),
    });
  } catch (error) {
    // Another process has registered them.
    if (readGrpcStatus(error) !== GRPC.ALREADY_EXISTS) throw error;
  }
}

const listWanted = (showsNames: boolean): readonly string[] =>
  showsNames ? [...NAMES, NAME_ATTRIBUTE, METADATA_ATTRIBUTE] : NAMES;

/** Finds the search attributes that the namespace lacks. */
export async function findMissingAttributes(
  connection: Connection,
  { namespace, showsNames }: { readonly namespace: string; readonly showsNames: boolean },
): Promise<string[]> {
  const registered = await listRegistered(connection, namespace);
  return listWanted(showsNames).filter((name) => !registered.has(name));
}

/**
 * Registers the missing search attributes.
 * @returns the names that may be used; a server that refuses the registration only loses the search
 * @throws when Temporal cannot be reached
 */
export async function ensureSearchAttributes(
  connection: Connection,
  { namespace, showsNames }: { readonly namespace: string; readonly showsNames: boolean },
  log: Logger,
): Promise<ReadonlySet<string>> {
  const wanted = listWanted(showsNames);
  const inUse = (names: ReadonlySet<string>) => new Set(wanted.filter((name) => names.has(name)));
  return callWithin(connection, CALL_DEADLINE_MS, async () => {
    let registered: Set<string> = new Set();
    try {
      registered = await listRegistered(connection, namespace);
      const missing = wanted.filter((name) => !registered.has(name));
      if (missing.length === 0) return inUse(registered);
      await register(connection, namespace, missing);
      log.info({ namespace, attributes: missing }, 'search attributes registered');
      return inUse(new Set([...registered, ...missing]));
    } catch (error) {
      if (!REFUSALS.includes(readGrpcStatus(error))) throw error;
      const missing = wanted.filter((name) => !registered.has(name));
      log.warn(
        { namespace, attributes: missing, err: error },
        'search attributes are missing and may not be registered by this process; ' +
          'runs start without them until an operator runs `temporal operator search-attribute create`',
      );
      return inUse(registered);
    }
  });
}

/** Tells which attributes the interpreter may upsert: ours only when all of them exist. */
export const toSearchable = (registered: ReadonlySet<string>): Searchable => ({
  searchable: NAMES.every((name) => registered.has(name)),
  isNamed: registered.has(NAME_ATTRIBUTE),
});

/** Builds the search attributes of a run that starts, without those that are not registered. */
export function buildStartAttributes(
  run: StartDescription,
  registered: ReadonlySet<string>,
): SearchAttributePair[] {
  let bytes = 0;
  const pairs = Object.entries(run.metadata ?? {})
    .map(([key, value]) => `${key}:${value}`)
    .filter((pair) => (bytes += Buffer.byteLength(pair)) <= MAX_METADATA_BYTES);
  const metadata: SearchAttributePair[] =
    pairs.length === 0 ? [] : [{ key: { name: METADATA_ATTRIBUTE, type: 'KEYWORD_LIST' }, value: pairs }];
  return [...buildRunAttributes(run, true), ...metadata].filter(({ key }) => registered.has(key.name));
}
