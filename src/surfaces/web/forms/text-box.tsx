/** A text of the document in CodeMirror, which is loaded with the first of them, with its draft. */
import { lazy, Suspense, useId } from 'react';
import { useEditing } from '../canvas/context.ts';
import { DraftNotes } from './draft-notes.tsx';
import { toText } from './formats.ts';
import { useDraft } from './draft.ts';
import type { DraftField } from './kept-drafts.ts';
import { RenderedField } from './rendered-value.tsx';
import { useReferences } from './use-references.ts';

const CodeEditor = lazy(() => import('../text/code-editor.tsx'));

interface TextBoxProps {
  readonly field: DraftField;
  readonly language: 'template' | 'javascript' | 'json';
  readonly isReadOnly: boolean;
  /** The problem of the stored value; empty when there is none. */
  readonly problem?: string;
}

export function TextBox({ field, language, isReadOnly, problem = '' }: TextBoxProps) {
  const { connection } = useEditing();
  const draft = useDraft(field);
  const references = useReferences(field);
  const id = useId();
  const message = draft.draft?.problem ?? problem;
  const value = toText(draft.typed);
  return (
    <>
      <Suspense fallback={<pre className="wc-code-editor">{value}</pre>}>
        <CodeEditor
          label={field.label}
          language={language}
          read={() => toText(draft.read())}
          subscribe={connection.drafts.subscribe}
          isReadOnly={isReadOnly && draft.draft === undefined}
          describedBy={message === '' ? '' : id}
          references={references}
          onChange={draft.change}
          onBlur={draft.leave}
        />
      </Suspense>
      {language !== 'javascript' && <RenderedField {...draft} />}
      {message !== '' && (
        <p className="wc-trouble" id={id} role="status">
          {message}
        </p>
      )}
      <DraftNotes {...draft} />
    </>
  );
}
