/** A text of the document in CodeMirror, which is loaded with the first of them, with its draft. */
import { lazy, Suspense } from 'react';
import type { DurableOp } from '../../canvas/room/operations.ts';
import { useEditing } from '../canvas/context.ts';
import { referencesFor } from '../text/references.ts';
import { useDraft } from './draft.ts';

const CodeEditor = lazy(() => import('../text/code-editor.tsx'));

export interface TextBoxProps {
  readonly nodeId: string;
  readonly ptr: string;
  readonly label: string;
  readonly language: 'template' | 'javascript' | 'json';
  readonly value: string;
  readonly isReadOnly: boolean;
  readonly write: (text: string) => DurableOp | null;
}

/** A text of the document in CodeMirror, with its draft. */
export function TextBox({ nodeId, ptr, label, language, value, isReadOnly, write }: TextBoxProps) {
  const { room } = useEditing();
  const draft = useDraft<string>({ nodeId, ptr, shown: value, write });
  return (
    <Suspense fallback={<pre className="wc-code-editor">{value}</pre>}>
      <CodeEditor
        label={label}
        language={language}
        value={draft.value}
        isReadOnly={isReadOnly}
        references={() => referencesFor(room.view, nodeId, (id) => room.board.lastOutput(id))}
        onChange={(text) => draft.change(text)}
        onBlur={() => draft.commit()}
      />
    </Suspense>
  );
}
