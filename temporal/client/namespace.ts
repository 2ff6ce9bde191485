/** Prepares Temporal for the service: its namespace and the search attributes of runs. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { systemClock } from '../../src/base/clock.ts';
import type { Config } from '../../src/base/config/config.ts';
import type { Logger } from '../../src/base/log.ts';
import { callWithin, openConnection } from './connection.ts';
import { GRPC, readGrpcStatus } from './grpc-status.ts';
import { ensureSearchAttributes } from './search-attributes.ts';
import { toUnavailable } from './unavailable.ts';

/** A server that has just started creates a namespace slowly. */
const SETUP_DEADLINE_MS = 10_000;
/** A server reads the list of its namespaces every two seconds, and until then denies a new one. */
const VISIBLE_WITHIN_MS = 10_000;
const RETRY_EVERY_MS = 250;
const DAY_MS = 86_400_000;

interface NamespaceSetup {
  readonly namespace: string;
  readonly retentionDays: number;
  readonly showsNames: boolean;
}

interface NamespaceSetupResult {
  readonly namespace: string;
  /** False: it existed, and its retention is as it was. */
  readonly isNew: boolean;
  readonly searchAttributes: readonly string[];
}

const isNotFound = (error: unknown): boolean => readGrpcStatus(error) === GRPC.NOT_FOUND;

async function hasNamespace({ workflowService }: Connection, namespace: string): Promise<boolean> {
  try {
    await workflowService.describeNamespace({ namespace });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function createNamespace(connection: Connection, setup: NamespaceSetup): Promise<boolean> {
  // An operator of Temporal Cloud may use a namespace without the right to create one.
  if (await hasNamespace(connection, setup.namespace)) return false;
  try {
    await connection.workflowService.registerNamespace({
      namespace: setup.namespace,
      workflowExecutionRetentionPeriod: msToTs(setup.retentionDays * DAY_MS),
    });
    return true;
  } catch (error) {
    if (readGrpcStatus(error) === GRPC.ALREADY_EXISTS) return false;
    throw error;
  }
}

/** Registers the search attributes of a namespace that exists, as soon as the server knows it. */
async function registerAttributes(
  connection: Connection,
  setup: NamespaceSetup,
  log: Logger,
): Promise<ReadonlySet<string>> {
  const deadline = systemClock.monotonic() + VISIBLE_WITHIN_MS;
  for (;;) {
    try {
      return await ensureSearchAttributes(connection, setup, log);
    } catch (error) {
      if (!isNotFound(error) || systemClock.monotonic() > deadline) throw error;
      await pause(RETRY_EVERY_MS);
    }
  }
}

/** Creates the namespace, unless it exists, and registers the search attributes that it lacks. */
export async function prepareNamespace(
  connection: Connection,
  setup: NamespaceSetup,
  log: Logger,
): Promise<NamespaceSetupResult> {
  const isNew = await callWithin(connection, SETUP_DEADLINE_MS, () => createNamespace(connection, setup));
  const searchAttributes = await registerAttributes(connection, setup, log);
  return { namespace: setup.namespace, isNew, searchAttributes: [...searchAttributes] };
}

/** Prepares the server and namespace of the configuration. @throws TemporalUnavailable */
export async function prepareTemporal(
  config: Config,
  retentionDays: number,
  log: Logger,
): Promise<NamespaceSetupResult> {
  const { namespace, showsNames } = config.temporal;
  const connection = openConnection(config);
  try {
    return await prepareNamespace(connection, { namespace, showsNames, retentionDays }, log);
  } catch (error) {
    throw toUnavailable(error);
  } finally {
    await connection.close();
  }
}
