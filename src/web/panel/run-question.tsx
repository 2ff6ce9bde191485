/** An open question of the run, with the form of its answer. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditing } from '../canvas/context.ts';
import type { Question } from '../canvas/run-board.ts';
import type { RunClient } from '../canvas/run-client.ts';
import { useAnswerForm } from '../forms/input-form.tsx';
import { CopyField } from '../kit/copy-field.tsx';
import { editorWords } from '../words-editor.ts';
import { runWords } from '../words-runs.ts';

interface QuestionProps {
  readonly question: Question;
  readonly runs: RunClient;
}

/** The address of a callback: the events of the run do not have it. */
function CallbackAddress({ question, runs }: QuestionProps) {
  const { data: url } = useQuery({
    queryKey: ['callback-url', question.interruptId],
    queryFn: () => runs.readCallbackUrl(question),
  });
  return (
    <>
      <p>{runWords.awaitsCallback}</p>
      {typeof url === 'string' && <CopyField label={runWords.copyCallback} value={url} />}
    </>
  );
}

/** A question of the run, answered beside the canvas. */
export function RunQuestion({ question, runs }: QuestionProps) {
  const { connection } = useEditing();
  const form = useAnswerForm(question.interruptId, question.form);
  const [isSending, setSending] = useState(false);
  const answer = async (action: string | null): Promise<void> => {
    const data = form.read();
    if (data === null) return;
    setSending(true);
    const refusal = await runs.answer([{ question, action, data: question.form === null ? null : data }]);
    setSending(false);
    if (refusal === null) form.drop();
    else connection.notify('error', refusal);
  };
  const only = { id: '', label: question.isCallback ? runWords.skipCallback : editorWords.run.answer };
  const actions = question.actions.length > 0 ? question.actions : [only];
  return (
    <section className="wc-question" aria-label={question.title || editorWords.run.question}>
      <h2>{question.title || editorWords.run.question}</h2>
      {question.message !== '' && <p>{question.message}</p>}
      {question.isCallback && <CallbackAddress question={question} runs={runs} />}
      {form.fields}
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
