/** The run: its state, its open questions, and what each node has done. */
import { Button } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { isObject, ownValue, type JsonObject } from '../../graph/value.ts';
import { readText } from '../canvas/binding.ts';
import { useEditing, useNodeText, useRun } from '../canvas/context.ts';
import type { Question } from '../canvas/run-board.ts';
import type { RunClient } from '../canvas/run-client.ts';
import { parseExactNumber } from '../forms/formats.ts';
import { JsonView } from './json-view.tsx';
import { editorWords } from '../words-editor.ts';
import { statusLabel } from '../words-statuses.ts';
import { words } from '../words.ts';

const findNodeName = (node: JsonObject | undefined, id: string): string =>
  (node === undefined ? '' : readText(node, 'name')) || id;

interface QuestionProps {
  readonly question: Question;
  readonly runs: RunClient;
}

/** The fields of a question's form; what is no plain value is written as JSON. */
function formFields(
  form: JsonObject | null,
): { readonly name: string; readonly type: string; readonly title: string }[] {
  const properties = form === null ? null : ownValue(form, 'properties');
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    type: isObject(schema) ? readText(schema, 'type') : '',
    title: (isObject(schema) && readText(schema, 'title')) || name,
  }));
}

function QuestionCard({ question, runs }: QuestionProps) {
  const { connection } = useEditing();
  const fields = formFields(question.form);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [isSending, setSending] = useState(false);
  const answer = async (action: string | null): Promise<void> => {
    const data: JsonObject = {};
    for (const { name, type } of fields) {
      const text = values[name] ?? '';
      if (type === 'boolean') data[name] = text === 'true';
      else if (text !== '')
        data[name] = type === 'number' || type === 'integer' ? (parseExactNumber(text) ?? text) : text;
    }
    setSending(true);
    const refusal = await runs.answer([{ question, action, data: question.form === null ? null : data }]);
    setSending(false);
    if (refusal !== null) connection.notify('error', refusal);
  };
  const actions =
    question.actions.length > 0 ? question.actions : [{ id: '', label: editorWords.run.answer }];
  return (
    <section className="wc-question" aria-label={question.title || editorWords.run.question}>
      <h4>{question.title || editorWords.run.question}</h4>
      {question.message !== '' && <p>{question.message}</p>}
      {fields.map(({ name, type, title }) => (
        <label key={name}>
          {title}
          <input
            type={
              type === 'boolean' ? 'checkbox' : type === 'number' || type === 'integer' ? 'number' : 'text'
            }
            onChange={({ currentTarget }) =>
              setValues((now) => ({
                ...now,
                [name]: type === 'boolean' ? String(currentTarget.checked) : currentTarget.value,
              }))
            }
          />
        </label>
      ))}
      <footer>
        {actions.map(({ id, label }, index) => (
          <Button
            key={id}
            size="xs"
            variant={index === 0 ? 'filled' : 'default'}
            loading={isSending}
            onClick={() => void answer(id === '' ? null : id)}
          >
            {label}
          </Button>
        ))}
      </footer>
    </section>
  );
}

function StepText({ id }: { readonly id: string }) {
  const text = useNodeText(id);
  return text === '' ? null : <p className="wc-stream">{text}</p>;
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
  useEffect(board.read, [board]);
  const steps = [...nodes];
  return (
    <div className="wc-form">
      <p className={`wc-run-state wc-run-state-${run.status}`}>
        {run.isLost ? editorWords.run.lost : statusLabel(run.status)}
      </p>
      {run.error !== '' && <p className="wc-trouble">{run.error}</p>}
      {run.questions.map((question) => (
        <QuestionCard key={question.interruptId} question={question} runs={runs} />
      ))}
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
              <StepText id={id} />
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
          <h4>{editorWords.run.output}</h4>
          <JsonView value={run.output} />
        </section>
      )}
    </div>
  );
}
