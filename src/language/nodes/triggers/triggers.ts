/**
 * The triggers of a workflow, as its definition says what starts its runs: `config.triggers`, by id. They go live and down with a version; addresses, secrets
 * and switches belong to the environment in which it is deployed.
 */
import { z } from 'zod';
import { NODE_ID } from '../../graph/definition/definition.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/values/value.ts';
import type { KindProblem } from '../kind.ts';
import { readConfig } from '../read-config.ts';
import { scheduleTrigger, type ScheduleTrigger } from './schedule.ts';
import { webhookTrigger, type WebhookTrigger } from './webhook.ts';

/** Triggers of one workflow, as webhooks of one: more senders share one with a filter. */
export const MAX_TRIGGERS = 20;

const trigger = z.discriminatedUnion('type', [webhookTrigger, scheduleTrigger]);

/** A trigger with its id in the definition, by which its address and its secrets survive a new version. */
type Trigger = { readonly id: string } & (WebhookTrigger | ScheduleTrigger);

interface ReadTriggers {
  readonly triggers: readonly Trigger[];
  /** Paths are relative to `config.triggers`. */
  readonly problems: readonly KindProblem[];
}

const refuse = (message: string, path: KindProblem['path'] = []): ReadTriggers => ({
  triggers: [],
  problems: [{ code: 'invalid_trigger', message, path }],
});

function readTrigger(id: string, given: Json): ReadTriggers {
  if (!NODE_ID.test(id))
    return refuse('has an id that is no name: a letter, then up to 63 letters, digits, _ and -', [id]);
  if (!isObject(given)) return refuse('must be an object', [id]);
  const read = readConfig(trigger, given);
  if ('config' in read) return { triggers: [{ id, ...read.config }], problems: [] };
  const problems = read.problems.map(({ message, path }) => ({
    code: 'invalid_trigger',
    message,
    path: [id, ...path],
  }));
  return { triggers: [], problems };
}

/** Reads `config.triggers`; invalid ones are left out, with their problems. @param given undefined: none */
export function readTriggers(given: Json | undefined): ReadTriggers {
  if (given === undefined || given === null) return { triggers: [], problems: [] };
  if (!isObject(given)) return refuse('must be an object with a trigger for each id');
  const entries = Object.entries(given);
  if (entries.length > MAX_TRIGGERS)
    return refuse(`has ${entries.length} triggers; at most ${MAX_TRIGGERS} are allowed`);
  const read = entries.map(([id, one]) => readTrigger(id, one));
  return {
    triggers: read.flatMap(({ triggers }) => triggers),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** Lists the triggers of a definition without errors. */
export function listTriggers(definition: JsonObject): readonly Trigger[] {
  const config = ownValue(definition, 'config');
  return readTriggers(isObject(config) ? ownValue(config, 'triggers') : undefined).triggers;
}
