/** A note on the canvas. Its text is a draft as that of a field is: it outlives the note's element, which is there in view alone. */
import { memo, useState } from 'react';
import { formatPointer } from '../../../language/graph/values/pointer.ts';
import { useDraft } from '../forms/draft.ts';
import { toText } from '../forms/formats.ts';
import { useCaret } from '../forms/use-caret.ts';
import { editorWords } from '../words-editor.ts';
import type { FlowData } from './binding.ts';
import { NOTE } from './notes.ts';
import { focusCanvas } from './use-keys.ts';

interface NoteProps {
  readonly id: string;
  readonly data: Extract<FlowData, { kind: 'note' }>;
  readonly selected?: boolean;
}

export const NoteNode = memo(function NoteNode({ id, data, selected }: NoteProps) {
  const draft = useDraft({
    entity: 'metadata',
    ptr: formatPointer(['canvas', 'notes', id.slice(NOTE.length), 'text']),
    label: editorWords.note.label,
    format: 'text',
  });
  const [isEditing, setEditing] = useState(false);
  const text = toText(draft.typed ?? '');
  const caret = useCaret(text, draft.change);
  // React tells of no blur when the field is removed.
  const end = (): void => {
    draft.leave();
    setEditing(false);
  };
  return (
    <div
      className={selected === true ? 'wc-note wc-selected' : 'wc-note'}
      style={{ width: data.note.width, height: data.note.height }}
      onDoubleClick={() => setEditing(true)}
    >
      {isEditing ? (
        <textarea
          {...caret}
          className="nodrag nowheel"
          aria-label={editorWords.note.label}
          autoFocus
          value={text}
          onBlur={end}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            end();
            focusCanvas();
          }}
        />
      ) : (
        text || <em>{editorWords.note.empty}</em>
      )}
    </div>
  );
});
