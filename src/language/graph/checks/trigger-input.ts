/** The input that the webhooks of a definition give its runs: which parts of it are texts of their senders. */
import type { TextOrigin } from './text-origins.ts';
import type { Path } from '../template/template-scanner.ts';
import { findReferences } from '../template/template.ts';
import { isObject, ownValue, type Json } from '../values/value.ts';

interface Webhook {
  readonly origin: TextOrigin;
  /** Templates that make the input; null: it is the body. */
  readonly mapping: Json;
  /** Parts of requests that its filter checks, as keys of paths. */
  readonly checked: ReadonlySet<string>;
}

/** Names a path; all that stands below it begins with the same steps. */
const nameSteps = (path: Path): string[] => path.map((_, end) => JSON.stringify(path.slice(0, end + 1)));

export class TriggerInput {
  readonly #webhooks: readonly Webhook[];

  /** @param triggers `config.triggers`, or undefined */
  constructor(triggers: Json | undefined) {
    this.#webhooks = Object.entries(isObject(triggers) ? triggers : {})
      .filter(([, trigger]) => ownValue(trigger, 'type') === 'webhook')
      .map(([name, trigger]) => ({
        origin: { source: 'webhook', name, host: null },
        mapping: ownValue(trigger, 'mapping') ?? null,
        checked: new Set(
          findReferences(ownValue(trigger, 'filter') ?? null).references.map(({ root, path }) =>
            JSON.stringify([root, ...path]),
          ),
        ),
      }));
  }

  /** Finds the webhooks whose senders write a part of the input. @param path in the input */
  find(path: Path): readonly TextOrigin[] {
    return this.#webhooks
      .filter(({ mapping, checked }) => {
        const isFree = (read: Path): boolean => !nameSteps(read).some((name) => checked.has(name));
        if (mapping === null) return isFree(['body', ...path]);
        const [key] = path;
        const made = key === undefined ? mapping : (ownValue(mapping, String(key)) ?? null);
        return findReferences(made).references.some(({ root, path: rest }) => isFree([root, ...rest]));
      })
      .map(({ origin }) => origin);
  }
}
