/**
 * The state of a run while an activity works on it: node outputs, declared fields and the input, loaded on demand and cached
 * until the activity ends. New values are set here first, and written to PostgreSQL with the step that made them.
 */
import type { Sql } from '../../db/client.ts';
import { WHOLE_STATE } from '../../graph/roots.ts';
import { setOwn } from '../../graph/value.ts';
import type { Json, JsonObject } from '../../graph/value.ts';

/** The template root of the run's input. */
const INPUT = 'input';

interface Stored {
  readonly name: string;
  readonly value: Json;
  readonly kind: 'input' | 'field' | 'output' | 'skipped';
  /** The visit of the node that made the output. */
  readonly visit: number;
}

const INPUTS = `
  SELECT '${INPUT}' AS name, input AS value, 'input' AS kind, 0 AS visit FROM runs WHERE id = $1 AND $2::boolean`;

/** Joins the step that has the values of a step `s` as `v`: the step itself, unless it was reused. */
export const VALUES_OF_STEP = 'JOIN run_steps v ON v.step_id = coalesce(s.reused_from, s.step_id)';

/** The output of a row of `run_steps` as `s`; for a reused step, from the step that has it. */
export const STEP_OUTPUT = `
  CASE WHEN s.reused_from IS NULL THEN s.output
       ELSE (SELECT o.output FROM run_steps o WHERE o.step_id = s.reused_from) END`;

/**
 * The ended visits of nodes, as `s`; others read the newest visit of a node. A skip counts, so that an iteration of a loop that
 * skips a node sees nothing of earlier iterations (SPEC DEF-2.15).
 */
export const ENDED_VISITS = `
  FROM run_steps s
  WHERE root_run_pk = $1 AND item_index = -1 AND turn = 0 AND status IN ('succeeded', 'failed', 'reused', 'skipped')`;

const OUTPUTS = `
  SELECT DISTINCT ON (node_id) node_id, ${STEP_OUTPUT}, CASE status WHEN 'skipped' THEN 'skipped' ELSE 'output' END, visit
  ${ENDED_VISITS}`;

/** Fields and their values as JSON texts, as parallel arrays. */
export interface ChangedFields {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/** The output of a visit of a node. Undefined: the visit was skipped; or, with visit 0, the node has not run. */
interface Output {
  readonly visit: number;
  readonly value: Json | undefined;
}
const NOT_RUN: Output = { visit: 0, value: undefined };

/** The values that are loaded or set. */
interface Known {
  readonly outputs: Map<string, Output>;
  readonly fields: Map<string, Json | undefined>;
  input: JsonObject | null;
  whole: boolean;
}

export class RunValues {
  readonly #sql: Sql;
  readonly #rootRunPk: string;
  readonly #known: Known;
  readonly #changed = new Set<string>();

  /** @param known values that are loaded already, shared with their owner */
  constructor(sql: Sql, rootRunPk: string, known: RunValues | null = null) {
    this.#sql = sql;
    this.#rootRunPk = rootRunPk;
    this.#known =
      known === null ? { outputs: new Map(), fields: new Map(), input: null, whole: false } : known.#known;
  }

  /** Loads the named node outputs and fields (or `*`, or `input`) for the getters below, in one read at most. */
  async load(names: Iterable<string>): Promise<void> {
    const wanted = new Set(names);
    const wantsInput = wanted.has(INPUT) && this.#known.input === null;
    if (wanted.has(WHOLE_STATE) && !this.#known.whole) return this.#loadWhole(wantsInput);
    const isKnown = (name: string): boolean => this.#known.outputs.has(name) || this.#known.fields.has(name);
    // A state field may also be named `input`.
    const missing = this.#known.whole ? [] : [...wanted].filter((name) => !isKnown(name));
    if (missing.length > 0 || wantsInput) await this.#loadSome(missing, wantsInput);
  }

  /** Undefined: the node has not run, or its newest visit was skipped. */
  output(nodeId: string): Json | undefined {
    return this.#known.outputs.get(nodeId)?.value;
  }
  /** The number of the newest visit of a node that has ended; 0: none. Its output must be loaded. */
  lastVisit(nodeId: string): number {
    return this.#known.outputs.get(nodeId)?.visit ?? 0;
  }
  field(name: string): Json | undefined {
    return this.#known.fields.get(name);
  }
  input(): JsonObject {
    return this.#known.input ?? {};
  }
  /** Builds the template root `state` from the loaded values. */
  state(): JsonObject {
    const state: JsonObject = {};
    for (const [name, value] of this.#known.fields) if (value !== undefined) setOwn(state, name, value);
    for (const [name, { value }] of this.#known.outputs) if (value !== undefined) setOwn(state, name, value);
    return state;
  }

  /** Sets the state before the first node, when nothing is stored yet. */
  begin(input: JsonObject, fields: Readonly<Record<string, Json>>): void {
    this.#known.input = input;
    for (const [name, value] of Object.entries(fields)) this.setField(name, value);
    this.#known.whole = true;
  }
  /** Ignores the output of an older visit than the known one: a loop has visited the node again. */
  setOutput(nodeId: string, output: Output): void {
    const known = this.#known.outputs.get(nodeId) ?? NOT_RUN;
    if (output.visit >= known.visit) this.#known.outputs.set(nodeId, output);
  }
  /** @param value undefined reverts a value that is not written yet */
  setField(name: string, value: Json | undefined): void {
    this.#known.fields.set(name, value);
    this.#changed.add(name);
  }

  /** Returns the changed fields, to be written, and marks them as written. */
  takeChanged(): ChangedFields {
    const names = [...this.#changed].filter((name) => this.#known.fields.get(name) !== undefined);
    this.#changed.clear();
    return { names, values: names.map((name) => JSON.stringify(this.#known.fields.get(name) ?? null)) };
  }

  async #loadSome(names: string[], wantsInput: boolean): Promise<void> {
    const rows = await this.#sql.query<Stored>(
      `${INPUTS}
       UNION ALL
       SELECT name, value, 'field', 0 FROM run_fields WHERE root_run_pk = $1 AND name = ANY($3)
       UNION ALL
       (${OUTPUTS} AND node_id = ANY($3) ORDER BY node_id, visit DESC)`,
      [this.#rootRunPk, wantsInput, names],
    );
    for (const name of names) {
      this.#known.outputs.set(name, NOT_RUN);
      this.#known.fields.set(name, undefined);
    }
    this.#keep(rows);
  }

  async #loadWhole(wantsInput: boolean): Promise<void> {
    const rows = await this.#sql.query<Stored>(
      `${INPUTS}
       UNION ALL
       SELECT name, value, 'field', 0 FROM run_fields WHERE root_run_pk = $1
       UNION ALL
       (${OUTPUTS} ORDER BY node_id, visit DESC)`,
      [this.#rootRunPk, wantsInput],
    );
    // A field that this activity changed is newer than the stored one; for outputs, the visit decides.
    const kept = new Map(this.#known.fields);
    this.#keep(rows);
    for (const [name, value] of kept) if (value !== undefined) this.#known.fields.set(name, value);
    this.#known.whole = true;
  }

  #keep(rows: readonly Stored[]): void {
    for (const { name, value, kind, visit } of rows) {
      if (kind === 'input') this.#known.input = value as JsonObject;
      else if (kind === 'field') this.#known.fields.set(name, value);
      else if (visit > (this.#known.outputs.get(name)?.visit ?? 0))
        this.#known.outputs.set(name, { visit, value: kind === 'skipped' ? undefined : value });
    }
  }
}
