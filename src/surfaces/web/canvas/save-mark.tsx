/** Whether all edits are saved; what is not, and will not be without a person, is listed on a click. */
import { Popover } from '@mantine/core';
import { CloudCheck, CloudOff, CloudUpload, TriangleAlert } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { UnsavedText } from '../forms/draft-notes.tsx';
import type { UnsavedDraft } from '../forms/draft-store.ts';
import { readEdgeId, readNodeId } from '../forms/entity.ts';
import { editorWords } from '../words-editor.ts';
import { fieldWords } from '../words-fields.ts';
import { useEditing, useSaveState } from './context.ts';

/** Whether the panel has a form with the field of a draft. */
const hasForm = ({ draft }: UnsavedDraft): boolean =>
  draft !== null && readEdgeId(draft.entity) === null && !draft.ptr.startsWith('/canvas/');

interface SaveMarkProps {
  /** Opens the form of a node, or the settings of the workflow. */
  readonly onOpen: (nodeId: string | null) => void;
}

/** Leads to the field of the first text; the list is also the way to one that no field shows. */
function NotSaved({
  unsaved,
  first,
  onOpen,
}: SaveMarkProps & { unsaved: readonly UnsavedDraft[]; first: UnsavedDraft }) {
  const [isOpen, setOpen] = useState(false);
  const text = fieldWords.notSaved(first.label);
  const open = (): void => {
    setOpen(!isOpen);
    if (!isOpen && first.draft !== null && hasForm(first)) onOpen(readNodeId(first.draft.entity));
  };
  return (
    <span className="wc-save wc-save-warning" role="status" data-save={text}>
      <TriangleAlert size={16} aria-hidden />{' '}
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={320} shadow="md">
        <Popover.Target>
          <button type="button" className="wc-link" onClick={open}>
            {text}
          </button>
        </Popover.Target>
        <Popover.Dropdown className="wc-unsaved" aria-label={text}>
          {unsaved.map((one) => (
            <UnsavedText key={one.key} unsaved={one} />
          ))}
        </Popover.Dropdown>
      </Popover>
    </span>
  );
}

export function SaveMark({ onOpen }: SaveMarkProps) {
  const { connection } = useEditing();
  const { drafts } = connection;
  const { status, unsent } = useSaveState();
  const unsaved = useSyncExternalStore(drafts.subscribe, () => drafts.unsaved);
  // Updates synchronously; otherwise an unsent edit shows as saved for one frame.
  const isSaving = useSyncExternalStore(drafts.subscribe, () => connection.isSaving);
  const [first] = unsaved;
  if (first !== undefined) return <NotSaved unsaved={unsaved} first={first} onOpen={onOpen} />;
  const [Icon, text, tone] =
    status !== 'live'
      ? ([
          CloudOff,
          unsent === 0 ? editorWords.saved.offline : editorWords.saved.kept(unsent),
          'warning',
        ] as const)
      : isSaving
        ? ([CloudUpload, editorWords.saved.saving, 'busy'] as const)
        : ([CloudCheck, editorWords.saved.saved, 'calm'] as const);
  return (
    <span className={`wc-save wc-save-${tone}`} role="status" data-save={text}>
      <Icon size={16} aria-hidden /> {text}
    </span>
  );
}
