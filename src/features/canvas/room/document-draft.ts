/**
 * A copy-on-write draft of a document: each list is copied at most once, however many parts an operation has. A discarded
 * draft changes nothing.
 */
import { listStateFields } from '../../../language/graph/definition/state-fields.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import type { WorkBudget } from '../../../language/graph/values/work-budget.ts';
import { findElement, type CanvasDocument, type KeyedList } from './document.ts';

/** To copy an entry of a map of elements, or to look at one: 50 to 80 ns. */
const STEPS_PER_ELEMENT = 2;

class ListDraft {
  readonly #base: KeyedList;
  readonly #work: Pick<WorkBudget, 'spend'>;
  #order: string[] | null = null;
  #byKey: Map<string, Json> | null = null;

  constructor(base: KeyedList, work: Pick<WorkBudget, 'spend'>) {
    this.#base = base;
    this.#work = work;
  }

  get current(): KeyedList {
    return { order: this.#order ?? this.#base.order, byKey: this.#byKey ?? this.#base.byKey };
  }

  get size(): number {
    return (this.#order ?? this.#base.order).length;
  }

  put(id: string, element: JsonObject): void {
    this.#edit().set(id, element);
  }

  /** Counts a look at each element. */
  countScan(): void {
    this.#work.spend(this.size * STEPS_PER_ELEMENT);
  }

  #edit(): Map<string, Json> {
    if (this.#byKey === null) {
      this.#work.spend(this.#base.byKey.size * STEPS_PER_ELEMENT);
      this.#byKey = new Map(this.#base.byKey);
    }
    return this.#byKey;
  }

  insert(id: string, element: JsonObject, index: number): void {
    this.#order ??= [...this.#base.order];
    this.#order.splice(index, 0, id);
    this.put(id, element);
  }

  remove(ids: ReadonlySet<string>): void {
    const byKey = this.#edit();
    for (const id of ids) byKey.delete(id);
    this.countScan();
    this.#order = (this.#order ?? this.#base.order).filter((id) => !ids.has(id));
  }

  finish(): KeyedList {
    return this.#order === null && this.#byKey === null ? this.#base : this.current;
  }
}

export class DocumentDraft {
  readonly #base: CanvasDocument;
  readonly nodes: ListDraft;
  readonly edges: ListDraft;
  #rest: JsonObject | null = null;
  /** Fields of the run state, copied once. */
  #fields: JsonObject | null = null;
  /** Counts what is copied and compared. */
  readonly work: Pick<WorkBudget, 'spend'>;

  constructor(base: CanvasDocument, work: Pick<WorkBudget, 'spend'>) {
    this.#base = base;
    this.work = work;
    this.nodes = new ListDraft(base.nodes, work);
    this.edges = new ListDraft(base.edges, work);
  }

  node(id: string): JsonObject | undefined {
    return findElement(this.nodes.current, id);
  }

  edge(id: string): JsonObject | undefined {
    return findElement(this.edges.current, id);
  }

  /** Reads a key of the definition beside `nodes` and `edges`. */
  topLevel(key: string): Json | undefined {
    return ownValue(this.#rest ?? this.#base.rest, key);
  }

  /** Sets a key of the definition, or removes it. */
  setTopLevel(key: string, value: Json | undefined): void {
    this.#rest ??= { ...this.#base.rest };
    if (value === undefined) delete this.#rest[key];
    else this.#rest[key] = value;
  }

  stateField(name: string): Json | undefined {
    return ownValue(this.#fields ?? listStateFields(this.topLevel('state_schema')).fields, name);
  }

  /** Sets a field of the run state, or removes it. */
  setStateField(name: string, field: Json | undefined): void {
    if (this.#fields === null) {
      const schema = this.topLevel('state_schema');
      const { isWrapped, fields } = listStateFields(schema);
      this.#fields = { ...fields };
      const whole = isObject(schema) ? schema : {};
      this.setTopLevel('state_schema', isWrapped ? { ...whole, fields: this.#fields } : this.#fields);
    }
    if (field === undefined) delete this.#fields[name];
    else this.#fields[name] = field;
  }

  /** Returns the changed document; the original one when nothing was changed. */
  finish(): CanvasDocument {
    const nodes = this.nodes.finish();
    const edges = this.edges.finish();
    const isSame = nodes === this.#base.nodes && edges === this.#base.edges && this.#rest === null;
    return isSame ? this.#base : { nodes, edges, rest: this.#rest ?? this.#base.rest };
  }
}
