/** The button that adds a node after a handle; shown at the node under the pointer and at the selected one. */
import { Plus } from 'lucide-react';
import { useContext } from 'react';
import { editorWords } from '../words-editor.ts';
import { EditingContext } from './context.ts';

interface AddAfterProps {
  readonly source: string;
  readonly handle: string;
  /** The name of the node, with the branch when it has several. */
  readonly label: string;
  /** Middle of the handle, from the top of the node. */
  readonly top: number;
}

export function AddAfter({ source, handle, label, top }: AddAfterProps) {
  // The read-only graph of a run shows nodes, too, but adds none.
  const editing = useContext(EditingContext);
  if (editing === null) return null;
  return (
    // Not a tab stop: the key "/" adds a node from the keyboard.
    <button
      type="button"
      tabIndex={-1}
      className="wc-add nodrag nopan"
      style={{ top }}
      title={editorWords.tools.addAfter(label)}
      aria-label={editorWords.tools.addAfter(label)}
      onClick={(event) => {
        event.stopPropagation();
        editing.addAfter({ source, handle }, { x: event.clientX, y: event.clientY });
      }}
    >
      <Plus size={14} aria-hidden />
    </button>
  );
}
