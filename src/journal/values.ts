/**
 * The state of one run while an activity works on it: node outputs, declared fields and the input, loaded on demand
 * and kept until the activity ends. Writes go to the fields here first and to PostgreSQL with the step that made them.
 */
import type { Sql } from '../db/client.ts';
import { WHOLE_STATE } from '../graph/roots.ts';
import { setOwn } from '../graph/value.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import { runInputs } from './segments.ts';

export class RunValues {
  readonly #sql: Sql;
  readonly #rootRunPk: string;
  readonly #outputs = new Map<string, Json | undefined>();
  readonly #fields = new Map<string, Json | undefined>();
  readonly #changed = new Set<string>();
  #input: JsonObject | null = null;
  #whole = false;

  constructor(sql: Sql, rootRunPk: string) {
    this.#sql = sql;
    this.#rootRunPk = rootRunPk;
  }

  /** Makes the named node outputs and fields (or `*`, or `input`) available to the getters below. */
  async load(names: Iterable<string>): Promise<void> {
    const wanted = new Set(names);
    if (wanted.has('input') && this.#input === null) {
      this.#input = (await runInputs(this.#sql, this.#rootRunPk)).merged;
    }
    if (wanted.has(WHOLE_STATE)) return this.#loadWhole();
    const missing = [...wanted].filter((name) => !this.#outputs.has(name) && !this.#fields.has(name));
    if (missing.length > 0 && !this.#whole) await this.#loadSome(missing);
  }

  /** Undefined: the node has not run. */
  output(nodeId: string): Json | undefined {
    return this.#outputs.get(nodeId);
  }
  field(name: string): Json | undefined {
    return this.#fields.get(name);
  }
  input(): JsonObject {
    return this.#input ?? {};
  }
  /** What is loaded, as the template root `state`. */
  state(): JsonObject {
    const state: JsonObject = {};
    for (const [name, value] of this.#fields) if (value !== undefined) setOwn(state, name, value);
    for (const [name, value] of this.#outputs) if (value !== undefined) setOwn(state, name, value);
    return state;
  }

  setInput(input: JsonObject): void {
    this.#input = input;
  }
  setOutput(nodeId: string, value: Json): void {
    this.#outputs.set(nodeId, value);
  }
  /** Undefined takes back a value that is not written yet. */
  setField(name: string, value: Json | undefined): void {
    this.#fields.set(name, value);
    this.#changed.add(name);
  }

  /** Writes the changed fields. */
  async flush(): Promise<void> {
    const names = [...this.#changed].filter((name) => this.#fields.get(name) !== undefined);
    this.#changed.clear();
    if (names.length === 0) return;
    await this.#sql.query(
      `INSERT INTO run_fields (root_run_pk, name, value)
       SELECT $1, f.name, f.value::json FROM unnest($2::text[], $3::text[]) AS f(name, value)
       ON CONFLICT (root_run_pk, name) DO UPDATE SET value = EXCLUDED.value`,
      [this.#rootRunPk, names, names.map((name) => JSON.stringify(this.#fields.get(name) ?? null))],
    );
  }

  async #loadSome(names: string[]): Promise<void> {
    const rows = await this.#sql.query<{ name: string; value: Json; kind: string }>(
      `SELECT name, value, 'field' AS kind FROM run_fields WHERE root_run_pk = $1 AND name = ANY($2)
       UNION ALL
       (SELECT DISTINCT ON (node_id) node_id, output, 'output' FROM run_steps
        WHERE root_run_pk = $1 AND node_id = ANY($2) AND item_index = -1 AND status IN ('succeeded', 'failed')
        ORDER BY node_id, visit DESC)`,
      [this.#rootRunPk, names],
    );
    for (const name of names) {
      this.#outputs.set(name, undefined);
      this.#fields.set(name, undefined);
    }
    this.#keep(rows);
  }

  async #loadWhole(): Promise<void> {
    if (this.#whole) return;
    const rows = await this.#sql.query<{ name: string; value: Json; kind: string }>(
      `SELECT name, value, 'field' AS kind FROM run_fields WHERE root_run_pk = $1
       UNION ALL
       (SELECT DISTINCT ON (node_id) node_id, output, 'output' FROM run_steps
        WHERE root_run_pk = $1 AND item_index = -1 AND status IN ('succeeded', 'failed')
        ORDER BY node_id, visit DESC)`,
      [this.#rootRunPk],
    );
    // What this activity has changed is newer than what is stored.
    const kept = { outputs: new Map(this.#outputs), fields: new Map(this.#fields) };
    this.#keep(rows);
    for (const [name, value] of kept.outputs) if (value !== undefined) this.#outputs.set(name, value);
    for (const [name, value] of kept.fields) if (value !== undefined) this.#fields.set(name, value);
    this.#whole = true;
  }

  #keep(rows: readonly { name: string; value: Json; kind: string }[]): void {
    for (const row of rows) (row.kind === 'field' ? this.#fields : this.#outputs).set(row.name, row.value);
  }
}
