/** The last author of each part of the workflow, for sentences about two people in one field. */
import { deletedNodes, type AppliedOp } from '../../../features/canvas/room/operations.ts';
import { fieldWords } from '../words-fields.ts';
import { findChanged, type Entity } from './entity.ts';

export class Authors {
  readonly #names = new Map<Entity, string>();

  note(op: AppliedOp, name: string): void {
    for (const part of op.type === 'batch' ? op.ops : [op]) {
      const entity = findChanged(part);
      if (entity !== null) this.#names.set(entity, name);
    }
    for (const nodeId of deletedNodes(op)) this.#names.set(`node:${nodeId}`, name);
  }

  find(entity: Entity): string {
    return this.#names.get(entity) ?? fieldWords.somebody;
  }
}
