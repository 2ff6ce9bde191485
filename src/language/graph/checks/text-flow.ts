/** The flow of texts through a node, as its kind tells it: where texts of others come from, what they decide, and what checks them. */
import type { Json, JsonObject } from '../values/value.ts';
import type { Path } from '../template/template-scanner.ts';

/**
 * Where a text comes from that the workflow did not write: the sender of a webhook; the answer of a service without a credential (`web`), or with one
 * (`account`); a model; people who have a link and no account, or another service that calls back (`person`).
 */
export type TextSource = 'webhook' | 'web' | 'account' | 'model' | 'person';

/**
 * A place where a text decides more than what is said: the `host` of a request, the `path`, a `field` or the whole `request` of one that changes
 * something, a `header`, the `instructions` of a model, or the prompt of an agent whose `tools` change something without approval.
 */
export type PlaceKind = 'host' | 'path' | 'header' | 'field' | 'request' | 'instructions' | 'tools';

export interface TextPlace {
  readonly kind: PlaceKind;
  readonly value: Json;
  /** In the config. */
  readonly path: Path;
  /** Of the header, the field or the tools. */
  readonly name?: string;
}

export interface TextFlow {
  /** Of the output; null: it has no texts of others but those of its templates. */
  readonly source: TextSource | null;
  /** Its output is made of its templates. */
  readonly carries: boolean;
  /** Keys of the output whose values are made of these templates alone. */
  readonly parts: ReadonlyMap<string, Json>;
  /** Keys of the output that are no texts of others. */
  readonly plain: readonly string[];
  /** The schema that the output fits, or a key of it; null: none. */
  readonly schema: { readonly key: string | null; readonly schema: JsonObject } | null;
  readonly places: readonly TextPlace[];
  /** Values whose templates the node checks: behind it they are trusted. */
  readonly checks: readonly Json[];
  /** The literal host that it asks; null: none, or a run decides it. */
  readonly host: string | null;
}
