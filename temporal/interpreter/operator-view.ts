/** Shows operators an open run in Temporal's UI: its status, its nodes, its open questions. */
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { NODE, type Timer } from '../../src/language/graph/schedule/schedule.ts';
import type { AdvanceResult, OpenQuestion } from '../../src/engine/runs/execute/protocol.ts';
import { summarizeNode } from '../contract.ts';
import type { Walk } from './walk.ts';

/** Nodes in a list; the rest is a count. */
const NAMED = 20;

export class OperatorView {
  readonly #searchable: boolean;
  #status = 'running';
  #questions: readonly OpenQuestion[] = [];

  constructor(searchable: boolean) {
    this.#searchable = searchable;
  }

  /** Shows the state after an advance. */
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
    // One look at each node: this happens for every result.
    const groups = new Map<number, { count: number; readonly names: string[] }>();
    progress.nodes.forEach((state, index) => {
      let group = groups.get(state);
      if (group === undefined) groups.set(state, (group = { count: 0, names: [] }));
      group.count += 1;
      if (group.count <= NAMED) group.names.push(`\`${skeleton.nodes[index]?.id ?? ''}\``);
    });
    const line = (label: string, state: number): string[] => {
      const { count, names } = groups.get(state) ?? { count: 0, names: [] };
      if (count === 0) return [];
      const more = count > NAMED ? ` and ${count - NAMED} more` : '';
      return [`- **${label}**: ${names.join(', ')}${more}`];
    };
    setCurrentDetails(
      [
        `${progress.executions} node ${progress.executions === 1 ? 'execution' : 'executions'}`,
        // Markdown needs a blank line before a list.
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

  /** Describes who may answer a question and until when, without values of the run. */
  #describeQuestion({ nodeLabel, assignees, since, expiresAt }: OpenQuestion): string {
    const who = assignees.length === 0 ? 'any member of the organization' : assignees.join(', ');
    const expiry = expiresAt === null ? '' : `, expires at ${expiresAt}`;
    return `  - **${nodeLabel}**: for ${who} since ${since}${expiry}`;
  }
}

/** Summarizes a timer as `Interrupt · Approve (approve): question expires`. */
export function summarizeTimer({ skeleton, progress }: Walk, { node: index }: Timer): string {
  const node = skeleton?.nodes[index];
  const ends = progress?.nodes[index] === NODE.sleeping ? 'wait ends' : 'question expires';
  return node === undefined ? ends : summarizeNode(node, `: ${ends}`);
}
