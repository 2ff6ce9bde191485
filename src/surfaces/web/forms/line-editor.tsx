/** A template of one line in CodeMirror, which completes references. */
import { lazy, Suspense } from 'react';
import { useEditing } from '../canvas/context.ts';
import type { DraftField } from './kept-drafts.ts';
import { useReferences } from './use-references.ts';

const CodeEditor = lazy(() => import('../text/code-editor.tsx'));

interface LineEditorProps {
  readonly label: string;
  readonly place: Pick<DraftField, 'entity' | 'ptr'>;
  readonly isReadOnly: boolean;
  readonly read: () => string;
  readonly onChange: (text: string) => void;
  readonly onBlur: () => void;
}

export function LineEditor({ place, ...props }: LineEditorProps) {
  const { connection } = useEditing();
  const references = useReferences(place);
  return (
    <Suspense fallback={<pre className="wc-code-editor wc-line-editor">{props.read()}</pre>}>
      <CodeEditor
        {...props}
        language="line"
        describedBy=""
        subscribe={connection.drafts.subscribe}
        references={references}
      />
    </Suspense>
  );
}
