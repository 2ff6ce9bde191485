/** Walks cases in the definitions of files: in this process and its sandbox, without a service. */
import { systemClock } from '../../base/clock.ts';
import { CannotWork } from '../../engine/runs/rehearse/ask.ts';
import { toRecord, updateCase, type RunCase } from '../../engine/runs/rehearse/case.ts';
import { doubtful, type RehearsedRun } from '../../engine/runs/rehearse/compare-walks.ts';
import { rehearseRecord } from '../../engine/runs/rehearse/rehearse-record.ts';
import { prepareDefinition } from '../../engine/runs/walk/ready-plan.ts';
import { NO_REDACTION, Redaction } from '../../language/graph/redaction/redaction.ts';
import { isObject, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { Patterns } from '../../language/nodes/pattern.ts';
import type { NodeTools } from '../../language/nodes/tools.ts';
import { openSandbox, type Sandbox } from '../../platform/sandbox/sandbox.ts';
import { StandIns } from './case-names.ts';
import { RuleReader } from './case-rules.ts';

/** The time that the walks of one case may take, in ms. */
const WALK_MS = 60_000;

/** A walked case. */
export interface WalkedCase {
  readonly found: RehearsedRun;
  /** Why a conditional took its way, by the node, its visit, and the handle that it took or did not take. */
  readonly rules: RuleReader;
  /** Puts the names of references back into a text. */
  readonly restore: (text: string) => string;
  /** The case as the file of today walks it; null: nobody knows what would have come. */
  readonly updated: RunCase | null;
}

/** Lists the integrations of a definition by their credentials. */
function listIntegrations(value: Json, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (Array.isArray(value)) for (const item of value) listIntegrations(item, found);
  else if (isObject(value)) {
    const { credential_id: credentialId, integration } = value;
    if (typeof credentialId === 'string' && typeof integration === 'string')
      found.set(credentialId, integration);
    for (const item of Object.values(value)) listIntegrations(item, found);
  }
  return found;
}

/** Stands for the server that a credential names. */
const SERVER = 'https://credential.invalid';
const ORIGIN = 'https://callback.invalid';

export class CaseWalker {
  readonly #patterns = new Patterns();
  #sandbox: Promise<Sandbox> | null = null;

  /** @param definition of the file, with names as references */
  async walk(given: RunCase, definition: JsonObject): Promise<WalkedCase> {
    const names = new StandIns();
    const restore = (text: string): string => names.restore(text);
    const rules = new RuleReader();
    const [own, other] = [names.toWalkable(given.definition), names.toWalkable(definition)];
    const { redacted_paths: paths } = given.run;
    const deps = {
      clock: systemClock,
      tools: this.#createTools(listIntegrations([own, other])),
      callbackUrl: ({ nodeId, visit }: { readonly nodeId: string; readonly visit: number }) =>
        `${ORIGIN}/${nodeId}/${visit}`,
      redaction: paths.length === 0 ? NO_REDACTION : new Redaction(paths),
      // The rules of an organization are not in a file.
      effectRules: [],
    };
    const signal = AbortSignal.timeout(WALK_MS);
    try {
      const { found, walk } = await rehearseRecord(deps, toRecord(given), {
        before: prepareDefinition(own),
        after: prepareDefinition(other),
        signal,
        observe: (scope) => rules.observe(scope),
      });
      return { found, rules, restore, updated: updateCase(given, definition, walk) };
    } catch (error) {
      if (!signal.aborted) throw error;
      return { found: doubtful('too_long'), rules, restore, updated: null };
    }
  }

  async close(): Promise<void> {
    await (await this.#sandbox)?.close();
  }

  #createTools(
    integrations: ReadonlyMap<string, string>,
  ): Pick<NodeTools, 'credentials' | 'sandbox' | 'parser' | 'patterns'> {
    return {
      credentials: {
        find: ({ credentialId }) =>
          Promise.resolve({ integration: integrations.get(credentialId) ?? '', baseUrl: SERVER }),
      },
      sandbox: {
        run: async (job) => {
          // Its process takes a moment, and most cases have no code to run.
          this.#sandbox ??= openSandbox({ warn: () => undefined, error: () => undefined });
          return (await this.#sandbox).run(job);
        },
      },
      parser: { parse: () => Promise.reject(new CannotWork('Documents are read by the service alone')) },
      patterns: this.#patterns,
    };
  }
}
