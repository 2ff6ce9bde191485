/** References in cases and files are names; a walk needs ids. Equal names stand for equal ids, on both sides. */
import { createHash } from 'node:crypto';
import { isUuid } from '../../base/uuid.ts';
import { addNodeFields } from '../../language/graph/definition/state-fields.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { toSlug } from './definition-files.ts';
import { mapReferences, type WrittenReference } from './references.ts';

export class StandIns {
  readonly #names = new Map<string, string>();

  /** Gives a definition the form in which it is walked: with ids, and with the fields that the service adds. */
  toWalkable(definition: JsonObject): JsonObject {
    return addNodeFields(mapReferences(definition, (reference) => this.#toId(reference)));
  }

  /** Puts the names back into a text. */
  restore(text: string): string {
    return [...this.#names].reduce((rest, [id, name]) => rest.replaceAll(id, name), text);
  }

  #toId({ kind, name }: WrittenReference): string {
    if (isUuid(name) || name.includes('{{')) return name;
    // Files call a workflow by its slug, cases may by its name.
    const same = kind === 'workflow' ? toSlug(name) : name;
    const hex = createHash('sha256').update(`${kind}:${same}`).digest('hex');
    const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    this.#names.set(id, name);
    return id;
  }
}
