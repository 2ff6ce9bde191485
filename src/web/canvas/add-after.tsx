/** The buttons that add a node after a handle: shown at a node under the pointer, and at the selected one. */
import { Plus } from 'lucide-react';
import { useContext } from 'react';
import { editorWords } from '../words-editor.ts';
import { EditingContext } from './context.ts';

interface AddAfterProps {
  readonly source: string;
  readonly handle: string;
  /** The node, and the branch where it has several. */
  readonly label: string;
  /** Middle of the handle, from the top of the node. */
  readonly top: number;
}

export function AddAfter({ source, handle, label, top }: AddAfterProps) {
  // The graph of a run shows the start, too, and edits nothing.
  const editing = useContext(EditingContext);
  if (editing === null) return null;
  return (
    // On the keyboard "/" does the same.
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
