/** The view that operators have of a run in Temporal's UI while it is open: its status, which nodes run, whom it asks. */
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { NODE } from '../../src/graph/schedule.ts';
import type { AdvanceResult, OpenQuestion } from '../../src/runs/execute/protocol.ts';
import type { Walk } from './walk.ts';

/** Nodes named one by one; beyond that, a count. */
const NAMED = 20;

export class OperatorView {
  readonly #searchable: boolean;
  #status = 'running';
  #questions: readonly OpenQuestion[] = [];

  constructor(searchable: boolean) {
    this.#searchable = searchable;
  }

  /** Shows the state that an advance has left. */
  showState(result: Exclude<AdvanceResult, { state: 'closed' }>): void {
    this.#questions = result.state === 'interrupted' ? result.questions : [];
    this.showStatus(result.state);
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
        // Markdown: without it, the list would go on in the line above.
        '',
        ...line('running', NODE.running),
        ...line('waits for an answer', NODE.interrupted),
        ...this.#questions.slice(0, NAMED).map((question) => this.#describeQuestion(question)),
        ...line('sleeps', NODE.sleeping),
        ...line('done', NODE.done),
        ...line('skipped', NODE.skipped),
      ].join('\n'),
    );
  }

  /** Who may answer a question, and since when it is asked: no value of the run. */
  #describeQuestion({ nodeLabel, assignees, since, expiresAt }: OpenQuestion): string {
    const who = assignees.length === 0 ? 'everybody who may run the workflow' : assignees.join(', ');
    const until = expiresAt === null ? '' : `, until ${expiresAt}`;
    return `  - **${nodeLabel}**: asked ${who} at ${since}${until}`;
  }
}
