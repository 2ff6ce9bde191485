/** A template of one line in CodeMirror, which completes references. */
import { lazy, Suspense } from 'react';
import { useEditing } from '../canvas/context.ts';
import type { Entity } from './entity.ts';
import { useReferences } from './use-references.ts';

const CodeEditor = lazy(() => import('../text/code-editor.tsx'));

interface LineEditorProps {
  readonly label: string;
  readonly entity: Entity;
  readonly isReadOnly: boolean;
  readonly read: () => string;
  readonly onChange: (text: string) => void;
  readonly onBlur: () => void;
}

export function LineEditor({ entity, ...props }: LineEditorProps) {
  const { connection } = useEditing();
  const references = useReferences({ entity, ptr: '' });
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
