/** An open question of the run, with the form of its answer. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditing } from '../canvas/context.ts';
import type { Question } from '../canvas/run-board.ts';
import type { RunClient } from '../canvas/run-client.ts';
import { useAnswerForm } from '../forms/input-form.tsx';
import { CopyField } from '../kit/copy-field.tsx';
import { AnswerButtons, listTerms, QuestionData } from '../runs/question-parts.tsx';
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
  return typeof url === 'string' && <CopyField label={runWords.copyCallback} value={url} />;
}

/** A question of the run, answered beside the canvas. */
export function RunQuestion({ question, runs }: QuestionProps) {
  const { connection } = useEditing();
  const form = useAnswerForm(question.interruptId, question.form);
  const [pending, setPending] = useState<string | null | undefined>(undefined);
  const [hasAnswered, setAnswered] = useState(false);
  const { isCallback, required, title, message, payload, actions } = question;
  const answer = async (action: string | null): Promise<void> => {
    const data = form.read();
    if (data === null) return;
    setPending(action);
    const refusal = await runs.answer([{ question, action, data: question.form === null ? null : data }]);
    setPending(undefined);
    if (refusal !== null) return connection.notify('error', refusal);
    form.drop();
    setAnswered(required > 1);
  };
  const terms = listTerms(question);
  return (
    <section className="wc-question" aria-label={title || editorWords.run.question}>
      <h2>{title || editorWords.run.question}</h2>
      {terms.length > 0 && <p className="wc-terms">{terms.join(' · ')}</p>}
      {message !== '' && <p>{message}</p>}
      <QuestionData payload={payload} />
      {isCallback && <CallbackAddress question={question} runs={runs} />}
      {!hasAnswered && form.fields}
      <AnswerButtons
        actions={actions}
        isCallback={isCallback}
        pending={pending}
        hasAnswered={hasAnswered}
        onAnswer={(action) => void answer(action)}
      />
    </section>
  );
}
