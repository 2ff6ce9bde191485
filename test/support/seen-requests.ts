/**
 * Every request of every run is a row of its version's sheet. Requests are noted at the ports, beside what the senders say of them, and
 * compared with the sheets when the engine closes: a kind that sends what it does not describe fails the file that ran it.
 */
import { activityInfo } from '@temporalio/activity';
import type { Db } from '../../src/base/db/client.ts';
import { readDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import { listSheet } from '../../src/engine/runs/rerun/sheet.ts';
import { validate } from '../../src/language/graph/checks/validate.ts';
import { sameJson, type Json, type JsonObject } from '../../src/language/graph/values/value.ts';
import { kindRules } from '../../src/language/nodes/registry.ts';
import type { NodeTools } from '../../src/language/nodes/tools.ts';
import type { buildNodeTools } from '../../temporal/worker/node-tools.ts';

type WorkerTools = Awaited<ReturnType<typeof buildNodeTools>>;

/** The parts of a request that a row of a sheet has. */
interface SeenRequest {
  readonly runPk: string;
  readonly door: string;
  readonly target: JsonObject;
  readonly credentialId: string | null;
}

/** The run of the activity that sends; null outside of one, where a test calls a port itself. */
function findRunPk(): string | null {
  try {
    return /[0-9a-f-]{36}$/.exec(activityInfo().workflowExecution?.workflowId ?? '')?.[0] ?? null;
  } catch {
    return null;
  }
}

const isDecided = (part: Json | undefined): boolean =>
  typeof part === 'object' && part !== null && !Array.isArray(part) && 'from' in part;

export class SeenRequests {
  /** Once each: a run may send one request a thousand times. */
  readonly #seen = new Map<string, SeenRequest>();

  #note(door: string, target: JsonObject, credentialId: string | null): void {
    const runPk = findRunPk();
    if (runPk === null) return;
    const seen = { runPk, door, target, credentialId };
    this.#seen.set(JSON.stringify(seen), seen);
  }

  #watchPorts<Ports extends NodeTools>(ports: Ports): Ports {
    const { http, models, mcp, knowledge } = ports;
    const noteMcp = ({ serverUrl: server, tool, credential }: Parameters<typeof mcp.describe>[0]): void =>
      this.#note('mcp', { server, tool }, credential?.credentialId ?? null);
    const watched: Pick<NodeTools, 'http' | 'models' | 'mcp' | 'knowledge'> = {
      http: {
        send: (request) => {
          const { method, url, credential } = request;
          // A text that is no address does not leave.
          if (URL.canParse(url))
            this.#note('http', { method, host: new URL(url).host }, credential?.credentialId ?? null);
          return http.send(request);
        },
      },
      models: {
        complete: (request) => {
          const { provider, model, credentialId } = request;
          this.#note('model', { provider, model }, credentialId);
          return models.complete(request);
        },
      },
      mcp: {
        call: (request) => {
          noteMcp(request);
          return mcp.call(request);
        },
        describe: (request) => {
          noteMcp(request);
          return mcp.describe(request);
        },
      },
      knowledge: {
        search: (request) => {
          this.#note('search', { knowledge_base_ids: [...request.knowledgeBaseIds] }, null);
          return knowledge.search(request);
        },
      },
    };
    return { ...ports, ...watched };
  }

  /** Notes what leaves by the tools of a worker. */
  watch(tools: WorkerTools): WorkerTools {
    return {
      ...this.#watchPorts(tools),
      attempt: (...given) => this.#watchPorts(tools.attempt(...given)),
    };
  }

  /** Lists the requests that the sheet of their run's definition does not name. */
  async listUnseen(db: Db): Promise<string[]> {
    const runs = await db.query<{ run_pk: string; organization_id: string; definition_hash: string }>(
      'SELECT id AS run_pk, organization_id, definition_hash FROM runs WHERE id = ANY ($1)',
      [[...new Set(Array.from(this.#seen.values(), ({ runPk }) => runPk))]],
    );
    const byRun = new Map(runs.map((run) => [run.run_pk, run]));
    const sheets = new Map<string, Awaited<ReturnType<typeof listSheet>>['rows']>();
    const unseen: string[] = [];
    for (const { runPk, door, target, credentialId } of this.#seen.values()) {
      const run = byRun.get(runPk);
      // Deleted with its values.
      if (run === undefined) continue;
      const { organization_id: organizationId, definition_hash: hash } = run;
      const key = `${organizationId} ${hash}`;
      if (!sheets.has(key)) {
        const definition = await readDefinition(db, organizationId, hash);
        // A conversation's own kind of node is in no version.
        if (
          definition === null ||
          validate(definition, kindRules).some(({ severity }) => severity === 'error')
        )
          continue;
        const owner = { organizationId, workflowId: crypto.randomUUID() };
        sheets.set(key, (await listSheet({ db, maxOutputTokens: 1 }, owner, definition)).rows);
      }
      const isRow = sheets
        .get(key)
        ?.some(
          (row) =>
            row.door === door &&
            row.credential_id === credentialId &&
            Object.entries(row.target).every(
              ([part, named]) => isDecided(named as Json) || sameJson(named as Json, target[part] as Json),
            ),
        );
      if (isRow !== true)
        unseen.push(`${door} ${JSON.stringify(target)} with ${credentialId ?? 'no credential'}`);
    }
    return unseen;
  }
}
