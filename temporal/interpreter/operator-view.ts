/** What an operator sees of a run in Temporal's UI while it is open: its status, and which nodes run. */
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { NODE } from '../../src/graph/schedule.ts';
import type { Walk } from './walk.ts';

/** Nodes named one by one; beyond that, a count. */
const NAMED = 20;

export class OperatorView {
  readonly #searchable: boolean;
  #status: string;

  /** @param status what the starter has set */
  constructor(searchable: boolean, status = 'running') {
    this.#searchable = searchable;
    this.#status = status;
  }

  /** Sets the search attribute RunStatus when it changed: each upsert is an event of history. */
  showStatus(status: string): void {
    if (!this.#searchable || this.#status === status) return;
    this.#status = status;
    upsertSearchAttributes({ RunStatus: [status] });
  }

  /** Sets the current details: Markdown made of the progress, no event. */
  showProgress(walk: Walk): void {
    const { skeleton, progress } = walk;
    if (skeleton === null || progress === null) return;
    const line = (label: string, state: number): string[] => {
      const nodes = skeleton.nodes.filter((_, index) => progress.nodes[index] === state);
      if (nodes.length === 0) return [];
      const more = nodes.length > NAMED ? ` and ${nodes.length - NAMED} more` : '';
      const names = nodes.slice(0, NAMED).map((node) => `\`${node.id}\``);
      return [`- **${label}**: ${names.join(', ')}${more}`];
    };
    setCurrentDetails(
      [
        `${progress.executions} node executions`,
        ...line('running', NODE.running),
        ...line('waits for an answer', NODE.asked),
        ...line('sleeps', NODE.sleeping),
        ...line('done', NODE.done),
        ...line('skipped', NODE.skipped),
      ].join('\n'),
    );
  }
}
