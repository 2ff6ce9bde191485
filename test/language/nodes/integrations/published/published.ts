/** The published behaviour of a service, as data: what it demands of requests, and what it answers. */
import type { EffectClass } from '../../../../../src/language/graph/schedule/plan.ts';
import type { Json, JsonObject } from '../../../../../src/language/graph/values/value.ts';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: no body. */
  readonly body: Json;
}

/** A request that the service knows. */
interface PublishedAction {
  readonly parameters: JsonObject;
  readonly effect: EffectClass;
  /** `POST /path?query` */
  readonly request: string;
  /** The body that must arrive; undefined: none. */
  readonly body?: Json;
  readonly answer: Answer;
  /** The output where it is not the body of the answer. */
  readonly output?: Json;
}

/** An answer that is neither a success nor a usual refusal, to an action. */
export interface PublishedRefusal {
  readonly title: string;
  readonly action: string;
  readonly answer: Answer;
  readonly code: string;
  readonly message?: string;
  /** The same request may be sent again. */
  readonly retryable: boolean;
  /** The service's own wait; null: the backoff of the node. */
  readonly waitMs: number | null;
}

/** A list of more than one page. */
interface PublishedPages {
  readonly action: string;
  readonly parameters: JsonObject;
  /** Parameters of the next page, as templates over the output of the page before. */
  readonly next: JsonObject;
  /** Request and answer of each page. */
  readonly pages: readonly (readonly [request: string, body: Json, answer: Json])[];
}

export interface Published {
  readonly integration: string;
  readonly authType: string;
  readonly data: JsonObject;
  readonly host: string;
  /** Headers of every request; one without them is refused with `unauthorized`. */
  readonly demands: Readonly<Record<string, string>>;
  readonly unauthorized: Answer;
  /** A body of a refusal with this status, in the service's own form. */
  readonly describeError: (status: number) => Json;
  readonly actions: Readonly<Record<string, PublishedAction>>;
  readonly refusals: readonly PublishedRefusal[];
  readonly pages?: PublishedPages;
}

export const ok = (body: Json, status = 200): Answer => ({ status, body });
