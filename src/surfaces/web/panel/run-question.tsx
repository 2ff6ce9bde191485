/** An open question of the run, with the form of its answer. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useEditing } from '../canvas/context.ts';
import type { Question } from '../canvas/run-board.ts';
import type { RunClient } from '../canvas/run-client.ts';
import { useAnswerForm } from '../forms/input-form.tsx';
import { CopyField } from '../kit/copy-field.tsx';
import { QuestionOutcome, useOutcome } from '../runs/question-outcome.tsx';
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

interface RunQuestionProps extends QuestionProps {
  /** The run no longer asks it. */
  readonly isGone: boolean;
  /** Whether it must stay when it is closed: something is typed in it, or was sent. */
  readonly onHold: (isHeld: boolean) => void;
}

/** A question of the run, answered beside the canvas. */
export function RunQuestion({ question, runs, isGone, onHold }: RunQuestionProps) {
  const { connection, client } = useEditing();
  // The segment that asks: after an answer the run goes on in another one.
  const [runId] = useState(() => connection.board.run.runId ?? '');
  const form = useAnswerForm(question.interruptId, question.form);
  const [pending, setPending] = useState<string | null | undefined>(undefined);
  const [hasAnswered, setAnswered] = useState(false);
  const { isCallback, required, kind, title, message, payload, actions } = question;
  const answer = async (action: string | null): Promise<void> => {
    const data = form.read();
    if (data === null) return;
    setPending(action);
    onHold(true);
    const refusal = await runs.answer([{ question, action, data: question.form === null ? null : data }]);
    setPending(undefined);
    if (refusal !== null) return connection.notify('error', refusal);
    form.drop();
    onHold(false);
    setAnswered(required > 1);
  };
  const hasTyped = form.typed !== '';
  const hold = useEffectEvent(() => onHold(true));
  useEffect(() => {
    if (hasTyped) hold();
  }, [hasTyped]);
  const place = { client, runId, interruptId: question.interruptId };
  const outcome = useOutcome(place, isGone && pending === undefined);
  const terms = listTerms(question);
  return (
    <section className="wc-question" aria-label={title || editorWords.run.question}>
      <h2>{title || editorWords.run.question}</h2>
      {terms.length > 0 && <p className="wc-terms">{terms.join(' · ')}</p>}
      {message !== '' && <p>{message}</p>}
      <QuestionData client={client} kind={kind} payload={payload} />
      {isCallback && <CallbackAddress question={question} runs={runs} />}
      {outcome !== null && (
        <QuestionOutcome
          client={client}
          outcome={outcome}
          typed={form.typed}
          onDismiss={() => {
            form.drop();
            onHold(false);
          }}
        />
      )}
      {outcome === null && !hasAnswered && form.fields}
      {outcome === null && (
        <AnswerButtons
          actions={actions}
          isCallback={isCallback}
          pending={pending}
          hasAnswered={hasAnswered}
          onAnswer={(action) => void answer(action)}
        />
      )}
    </section>
  );
}
