/** The run: its state, its open questions, and what each node has done. */
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { useEditing, useNodeTexts, useRun } from '../canvas/context.ts';
import type { Question } from '../canvas/run-board.ts';
import type { RunClient } from '../canvas/run-client.ts';
import { useHeldRows } from '../kit/use-held-rows.ts';
import { JsonView } from './json-view.tsx';
import { editorWords } from '../words-editor.ts';
import { statusLabel } from '../words-statuses.ts';
import { words } from '../words.ts';

// The form of an answer is large; most runs ask nothing.
const RunQuestion = lazy(async () => ({ default: (await import('./run-question.tsx')).RunQuestion }));

const findNodeName = (node: JsonObject | undefined, id: string): string =>
  (node === undefined ? '' : readText(node, 'name')) || id;

const NodeTexts = ({ id }: { readonly id: string }) =>
  useNodeTexts(id).map(({ stepId, text }) => (
    <p key={stepId} className="wc-stream">
      {text}
    </p>
  ));

interface QuestionsProps {
  readonly questions: readonly Question[];
  readonly runs: RunClient;
}

/** The questions of the run; one that somebody else has answered stays while something is typed in it. */
function Questions({ questions, runs }: QuestionsProps) {
  const { rows, hold, release } = useHeldRows(questions, ({ interruptId }) => interruptId);
  return (
    <Suspense>
      {rows.map(({ row, isGone }) => (
        <RunQuestion
          key={row.interruptId}
          question={row}
          runs={runs}
          isGone={isGone}
          onHold={(isHeld) => (isHeld ? hold : release)(row)}
        />
      ))}
    </Suspense>
  );
}

export function RunView({
  runs,
  onOpen,
}: {
  readonly runs: RunClient;
  readonly onOpen: (id: string) => void;
}) {
  const { connection } = useEditing();
  const { board } = connection;
  const run = useRun();
  const nodes = useSyncExternalStore(board.subscribe, () => board.nodes);
  useEffect(() => runs.watch(), [runs, run.runId]);
  const steps = [...nodes];
  return (
    <div className="wc-form">
      <p className={`wc-run-state wc-run-state-${run.status}`}>
        {run.isLost ? editorWords.run.lost : statusLabel(run.status)}
      </p>
      {run.error !== '' && <p className="wc-trouble">{run.error}</p>}
      <Questions key={run.firstRunId} questions={run.questions} runs={runs} />
      <ol className="wc-steps">
        {steps.map(([id, step]) => (
          <li key={id} data-status={step.status}>
            <details>
              <summary>
                <b>{findNodeName(connection.node(id), id)}</b> <span>{statusLabel(step.status)}</span>
                {step.durationMs !== undefined && <span>{Math.round(step.durationMs)} ms</span>}
                {step.credits !== undefined && step.credits > 0 && (
                  <span>{words.creditCount(step.credits)}</span>
                )}
              </summary>
              {step.error !== undefined && step.error !== '' && <p className="wc-trouble">{step.error}</p>}
              {step.status === 'failed' && step.response !== undefined && (
                <JsonView value={{ ...step.response } as JsonObject} />
              )}
              <NodeTexts id={id} />
              {step.output !== undefined && <JsonView value={step.output} />}
              <button type="button" className="wc-link" onClick={() => onOpen(id)}>
                {editorWords.run.openNode}
              </button>
            </details>
          </li>
        ))}
      </ol>
      {run.output !== null && (
        <section>
          <h2>{editorWords.run.output}</h2>
          <JsonView value={run.output} />
        </section>
      )}
    </div>
  );
}
