/** Formats a run as lines: its nodes and the tools of its agents with state, duration and text. Pure; follow.ts draws it. */
import { cutText, cutTextStart } from '../../language/graph/values/cut-text.ts';
import { readChildWaits } from '../client/child-waits.ts';
import type { RunEvent } from '../client/client.ts';
import { describeResponse } from './describe-response.ts';
import { plain, type Colour, type ScreenText } from './screen.ts';

type State = 'running' | 'completed' | 'failed' | 'skipped' | 'reused' | 'waiting';

interface Row {
  readonly name: string;
  /** Indentation: an item of a list and a tool call of an agent stand one deeper than their node. */
  readonly depth: number;
  state: State;
  note: string;
  text: string;
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const MARKS: Readonly<Record<Exclude<State, 'running'>, readonly [mark: string, colour: Colour]>> = {
  completed: ['✓', 'green'],
  failed: ['✗', 'red'],
  skipped: ['-', 'dim'],
  reused: ['↺', 'cyan'],
  waiting: ['?', 'yellow'],
};
/** Shown lines of a model's text, so that a long answer does not push the tree off the screen. */
const TEXT_LINES = 4;

export const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Names the child runs, because their questions are answered there. */
function showChildWaits(row: Row, runs: ReturnType<typeof readChildWaits>): void {
  if (runs === null) return;
  row.state = runs.length > 0 ? 'waiting' : 'running';
  row.note = runs.map(({ run_id: runId }) => `waiting for an answer in run ${runId}`).join(', ');
}

export class RunTree {
  readonly #rows = new Map<string, Row>();

  take(event: RunEvent): void {
    if (!('step_id' in event) || event.step_id === null) return;
    const row = this.#row(event.step_id, event);
    switch (event.type) {
      case 'node_started':
        row.state = 'running';
        break;
      case 'node_completed':
        row.state = 'completed';
        row.note = formatSeconds(event.duration_ms);
        break;
      case 'node_failed':
        row.state = 'failed';
        row.note = [`${event.error.code}: ${event.error.message}`, describeResponse(event.error) ?? []]
          .flat()
          .join(' · ');
        break;
      case 'node_skipped':
        row.state = 'skipped';
        break;
      case 'node_reused':
        row.state = 'reused';
        row.note = 'reused';
        break;
      case 'interrupt':
        row.state = 'waiting';
        row.note = event.title;
        break;
      case 'token':
        row.text += event.delta;
        break;
      case 'token_reset':
        row.text = '';
        break;
      case 'tool_call':
        row.state = event.status === 'succeeded' ? 'completed' : event.status;
        row.note = event.duration_ms === null ? '' : formatSeconds(event.duration_ms);
        break;
      case 'progress':
        showChildWaits(row, readChildWaits(event));
        break;
      case 'node_retry':
      case 'interrupt_resolved':
      case 'state_updated':
        break;
      default:
    }
  }

  /** @param tick frame number of the spinner */
  lines(tick: number, columns: number): ScreenText[][] {
    return [...this.#rows.values()].flatMap(({ name, depth, state, note, text }) => {
      const indent = '  '.repeat(depth);
      const [mark, colour] =
        state === 'running' ? [SPINNER[tick % SPINNER.length] ?? '', 'cyan' as const] : MARKS[state];
      const width = Math.max(10, columns - indent.length - 4);
      const title = plain(`${name}${note === '' ? '' : `  ${note}`}`);
      const head = cutText(title.replaceAll('\n', ' '), width);
      const textLines = plain(text).trim().split('\n').slice(-TEXT_LINES);
      const shown =
        text === ''
          ? []
          : textLines.map((line): ScreenText[] => [
              `${indent}  `,
              { colour: 'dim', text: cutTextStart(line, width) },
            ]);
      return [[indent, { colour, text: mark }, ` ${head}`], ...shown];
    });
  }

  #row(stepId: string, event: object): Row {
    const known = this.#rows.get(stepId);
    if (known !== undefined) return known;
    const {
      node_name: name,
      node_id: nodeId,
      parent_step_id: parentId = '',
    } = event as {
      node_name?: string;
      node_id?: string;
      parent_step_id?: string;
    };
    const depth = (this.#rows.get(parentId)?.depth ?? -1) + 1;
    const row: Row = { name: name ?? nodeId ?? stepId, depth, state: 'running', note: '', text: '' };
    this.#rows.set(stepId, row);
    return row;
  }
}
