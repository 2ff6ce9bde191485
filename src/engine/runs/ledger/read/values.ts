/**
 * The state of a run while an activity works on it: node outputs, declared fields and the input, loaded on demand and cached
 * until the activity ends. New values are set here first, and written to PostgreSQL with the step that made them.
 */
import type { Sql } from '../../../../base/db/client.ts';
import { WHOLE_STATE } from '../../../../language/graph/template/roots.ts';
import type { Redaction } from '../../../../language/graph/redaction/redaction.ts';
import { REDACTION_WORK, WorkBudget } from '../../../../language/graph/values/work-budget.ts';
import { setOwn } from '../../../../language/graph/values/value.ts';
import type { Json, JsonObject } from '../../../../language/graph/values/value.ts';
import { StateTooLarge, isErrorAlone, type Values } from '../../walk/values.ts';
import type { ValueShare } from './value-share.ts';

/** The template root of the run's input. */
const INPUT = 'input';

interface Stored {
  readonly name: string;
  /** Null when it is left out. */
  readonly value: Json;
  readonly kind: 'input' | 'field' | 'output' | 'failed' | 'skipped';
  /** The visit of the node that made the output. */
  readonly visit: number;
  /** Of the value as JSON. */
  readonly bytes: number;
  /** False: all values are left out, because they are larger than requested. */
  readonly isRead: boolean;
}

const INPUTS = `
  SELECT '${INPUT}' AS name, input AS value, 'input' AS kind, 0 AS visit FROM runs WHERE id = $1 AND $2::boolean`;

/**
 * Joins the step that has the values of a step `s` as `v`: the step itself, unless it was reused. Under a policy the server uses no
 * index for `coalesce`, which it does not know to be safe (prisma/README.md).
 */
export const VALUES_OF_STEP =
  'JOIN run_steps v ON v.step_id = CASE WHEN s.reused_from IS NULL THEN s.step_id ELSE s.reused_from END';

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
  SELECT DISTINCT ON (node_id) node_id, ${STEP_OUTPUT},
    CASE WHEN status = 'skipped' THEN 'skipped'
         WHEN status = 'failed' OR (SELECT o.status FROM run_steps o WHERE o.step_id = s.reused_from) = 'failed' THEN 'failed'
         ELSE 'output' END, visit
  ${ENDED_VISITS}`;

/** Fields and their values as JSON texts, as parallel arrays. */
export interface ChangedFields {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/**
 * Reads values, or their sizes alone when they have more than $3 bytes together. The exact size of a compressed value costs its
 * decompression, so beyond twice the limit $4 the compressed sizes are enough: the decompressed ones are larger.
 */
const readWithin = (values: string): string => `
  SELECT name, kind, visit, bytes, total <= $3::bigint AS "isRead", CASE WHEN total <= $3::bigint THEN value END AS value
  FROM (
    SELECT name, value, kind, visit, bytes, sum(bytes) OVER () AS total
    FROM (
      SELECT name, value, kind, visit, coalesce(CASE
        WHEN sum(pg_column_size(value)) OVER () > 2 * $4::bigint THEN pg_column_size(value)
        ELSE octet_length(value::text) END, 0) AS bytes
      FROM (${values}) AS found
    ) AS sized
  ) AS summed`;

const ALL = readWithin(`
  ${INPUTS}
  UNION ALL
  SELECT name, value, 'field', 0 FROM run_fields WHERE root_run_pk = $1
  UNION ALL
  (${OUTPUTS} ORDER BY node_id, visit DESC)`);

const NAMED = readWithin(`
  ${INPUTS}
  UNION ALL
  SELECT name, value, 'field', 0 FROM run_fields WHERE root_run_pk = $1 AND name = ANY($5)
  UNION ALL
  (${OUTPUTS} AND node_id = ANY($5) ORDER BY node_id, visit DESC)`);

/** A value that this work has set, or that was loaded for it. */
interface LoadedValue {
  /** Undefined: there is none; or the visit was skipped. */
  readonly value: Json | undefined;
  /** Of the output; 0: the node has not run, or it is no output. */
  readonly visit: number;
  /** Of the value as it was loaded. Values of this work itself are not counted: they are in memory anyway. */
  readonly bytes: number;
  /** The node has failed, and the definition has handled it: the output is its error alone. */
  readonly isFailure: boolean;
  /** `loaded` ones can be loaded again; those that are `left` are not in memory. */
  readonly origin: 'set' | 'loaded' | 'left';
}
const NOTHING: LoadedValue = { value: undefined, visit: 0, bytes: 0, isFailure: false, origin: 'loaded' };

/** The request of one load. */
interface ValueRequest {
  readonly wanted: ReadonlySet<string>;
  readonly wantsInput: boolean;
  /** Names; null: all. */
  readonly missing: readonly string[] | null;
}

interface RunValuesOptions {
  /** Of the run; a rerun may read values that were stored before their path was named. */
  readonly redaction: Redaction;
  /** Counts what is loaded; null: nothing may be loaded. */
  readonly share: ValueShare | null;
}

export class RunValues implements Values {
  readonly #sql: Sql;
  readonly #rootRunPk: string;
  readonly #redaction: Redaction;
  readonly #share: ValueShare | null;
  readonly #outputs = new Map<string, LoadedValue>();
  readonly #fields = new Map<string, LoadedValue>();
  #input: LoadedValue = { ...NOTHING, origin: 'left' };
  #isWhole = false;
  readonly #changed = new Set<string>();
  /** Why the values of the last load are left out. */
  #excess = '';

  constructor(sql: Sql, rootRunPk: string, { redaction, share }: RunValuesOptions) {
    this.#sql = sql;
    this.#rootRunPk = rootRunPk;
    this.#redaction = redaction;
    this.#share = share;
  }

  /**
   * Loads the named node outputs and fields (or `*`, or `input`) for the getters below: in one statement when they are small. Values
   * that are too large together are left out, and the getters throw for them: it is the node that fails, not its caller.
   * @throws ShareFull, see ValueShare
   */
  async load(names: Iterable<string>): Promise<void> {
    const wanted = new Set(names);
    const wantsAll = wanted.has(WHOLE_STATE) && !this.#isWhole;
    // They are read again, with all others.
    if (wantsAll) this.forget();
    const wantsInput = wanted.has(INPUT) && this.#input.origin === 'left';
    // A state field may also be named `input`.
    const missing = this.#isWhole ? [] : [...wanted].filter((name) => !this.#isKnown(name));
    if (!wantsAll && missing.length === 0 && !wantsInput) return;
    await this.#load({ wanted, wantsInput, missing: wantsAll ? null : missing });
    this.#isWhole ||= wantsAll && this.#excess === '';
  }

  /**
   * Counts the values that are loaded, and `bytes` that the work holds beside them, on the share of the organization.
   * @throws ShareFull, see ValueShare
   */
  holdWith(bytes: number): void {
    this.#share?.hold(this.#countBytes(() => true) + bytes);
  }

  /** Undefined: the node has not run, or its newest visit was skipped. @throws StateTooLarge */
  output(nodeId: string): Json | undefined {
    return this.#read(this.#outputs.get(nodeId));
  }
  /** True for a failure that the definition has handled without a `default_output`. Its output must be loaded. */
  isFailure(nodeId: string): boolean {
    return this.#outputs.get(nodeId)?.isFailure ?? false;
  }
  /** The number of the newest visit of a node that has ended; 0: none. Its output must be loaded. */
  lastVisit(nodeId: string): number {
    return this.#outputs.get(nodeId)?.visit ?? 0;
  }
  /** @throws StateTooLarge */
  field(name: string): Json | undefined {
    return this.#read(this.#fields.get(name));
  }
  /** @throws StateTooLarge */
  input(): JsonObject {
    return (this.#read(this.#input) ?? {}) as JsonObject;
  }
  /** Builds the template root `state` from the loaded values. @throws StateTooLarge */
  state(): JsonObject {
    const state: JsonObject = {};
    for (const [name, known] of [...this.#fields, ...this.#outputs]) {
      const value = this.#read(known);
      if (value !== undefined) setOwn(state, name, value);
    }
    return state;
  }

  /** Sets the state before the first node, when nothing is stored yet. */
  begin(input: JsonObject, fields: Readonly<Record<string, Json>>): void {
    this.#input = { ...NOTHING, value: input, origin: 'set' };
    for (const [name, value] of Object.entries(fields)) this.setField(name, value);
    this.#isWhole = true;
  }
  /** Ignores the output of an older visit than the known one: a loop has visited the node again. */
  setOutput(
    nodeId: string,
    {
      visit,
      value,
      hasFailed = false,
    }: Pick<LoadedValue, 'visit' | 'value'> & { readonly hasFailed?: boolean },
  ): void {
    if (visit < this.lastVisit(nodeId)) return;
    this.#outputs.set(nodeId, {
      ...NOTHING,
      visit,
      value,
      isFailure: hasFailed && isErrorAlone(value),
      origin: 'set',
    });
  }
  /** @param value undefined reverts a value that is not written yet */
  setField(name: string, value: Json | undefined): void {
    this.#fields.set(name, { ...NOTHING, value, origin: 'set' });
    this.#changed.add(name);
  }

  /** Returns the changed fields, to be written, and marks them as written. */
  takeChanged(): ChangedFields {
    const changed = [...this.#changed].flatMap((name): [string, Json][] => {
      const value = this.#fields.get(name)?.value;
      return value === undefined ? [] : [[name, value]];
    });
    this.#changed.clear();
    return {
      names: changed.map(([name]) => name),
      values: changed.map(([, value]) => JSON.stringify(value)),
    };
  }

  /** Drops the loaded values; the next load reads them again. */
  forget(): void {
    this.#drop(() => true);
  }

  #isKnown(name: string): boolean {
    const output = this.#outputs.get(name);
    const field = this.#fields.get(name);
    if (output?.origin === 'left' || field?.origin === 'left') return false;
    return output !== undefined || field !== undefined;
  }

  #read(known: LoadedValue | undefined): Json | undefined {
    if (known?.origin === 'left') throw new StateTooLarge(this.#excess);
    return known?.value;
  }

  async #load({ wanted, wantsInput, missing }: ValueRequest): Promise<void> {
    const share = this.#share;
    if (share === null) throw new Error('Nothing counts the values of this work');
    const { maxBytes } = share;
    this.#excess = '';
    for (;;) {
      const ownBytes = this.#countBytes((name) => wanted.has(name));
      const held = this.#countBytes(() => true);
      const mostBytes = Math.max(0, Math.min(share.granted, maxBytes) - held);
      const params = [this.#rootRunPk, wantsInput, mostBytes, maxBytes];
      const rows = await (missing === null
        ? this.#sql.query<Stored>(ALL, params)
        : this.#sql.query<Stored>(NAMED, [...params, missing]));
      const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
      const isTooLarge = ownBytes + bytes > maxBytes;
      if (isTooLarge)
        this.#excess = `More than ${maxBytes} bytes of the state would be read; read smaller values, or fewer`;
      if (isTooLarge || rows.every(({ isRead }) => isRead)) {
        for (const name of missing ?? []) this.#addMissing(name);
        return this.#keep(rows);
      }
      if (held + bytes > maxBytes) this.#drop((name) => !wanted.has(name));
      this.holdWith(bytes);
    }
  }

  #countBytes(counts: (name: string) => boolean): number {
    let sum = counts(INPUT) ? this.#input.bytes : 0;
    for (const map of [this.#outputs, this.#fields])
      for (const [name, { bytes }] of map) if (counts(name)) sum += bytes;
    return sum;
  }

  /** Drops loaded values, but remembers the visits of outputs. */
  #drop(isDropped: (name: string) => boolean): void {
    for (const map of [this.#outputs, this.#fields])
      for (const [name, { visit, origin }] of map) {
        if (origin !== 'loaded' || !isDropped(name)) continue;
        if (visit === 0) map.delete(name);
        else map.set(name, { ...NOTHING, visit, origin: 'left' });
      }
    if (this.#input.origin === 'loaded' && isDropped(INPUT)) this.#input = { ...NOTHING, origin: 'left' };
    this.#isWhole = false;
  }

  /** Adds a missing name: without a row it does not exist. */
  #addMissing(name: string): void {
    if (this.#outputs.get(name)?.origin !== 'set') this.#outputs.set(name, NOTHING);
    if (this.#fields.get(name)?.origin !== 'set') this.#fields.set(name, NOTHING);
  }

  #keep(rows: readonly Stored[]): void {
    const work = new WorkBudget(REDACTION_WORK);
    for (const { name, value: stored, kind, visit, bytes } of rows) {
      const known: LoadedValue =
        this.#excess === ''
          ? {
              value: this.#redaction.json(stored, work),
              visit,
              bytes,
              isFailure: kind === 'failed' && isErrorAlone(stored),
              origin: 'loaded',
            }
          : { ...NOTHING, visit, origin: 'left' };
      if (kind === 'input') this.#input = known;
      // A field that this work has changed is newer than the stored one; for outputs, the visit decides.
      else if (kind === 'field') {
        if (this.#fields.get(name)?.origin !== 'set') this.#fields.set(name, known);
      } else if (this.#outputs.get(name)?.origin !== 'set' || visit > this.lastVisit(name))
        this.#outputs.set(
          name,
          kind === 'skipped' ? { ...known, value: undefined, origin: 'loaded' } : known,
        );
    }
  }
}
