/** Whether all edits are saved; what is not, and will not be without a person, is listed on a click. */
import { Popover } from '@mantine/core';
import { CloudCheck, CloudOff, CloudUpload, TriangleAlert } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { StuckText } from '../forms/draft-notes.tsx';
import type { Stuck } from '../forms/draft-store.ts';
import { readEdgeId, readNodeId } from '../forms/entity.ts';
import { editorWords } from '../words-editor.ts';
import { fieldWords } from '../words-fields.ts';
import { useEditing, useSaveState } from './context.ts';

/** Whether the panel has a form with the field of a draft. */
const hasForm = ({ draft }: Stuck): boolean =>
  draft !== null && readEdgeId(draft.entity) === null && !draft.ptr.startsWith('/canvas/');

interface SaveMarkProps {
  /** Opens the form of a node, or the settings of the workflow. */
  readonly onOpen: (nodeId: string | null) => void;
}

/** Leads to the field of the first text; the list is also the way to one that no field shows. */
function NotSaved({ stuck, first, onOpen }: SaveMarkProps & { stuck: readonly Stuck[]; first: Stuck }) {
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
        <Popover.Dropdown className="wc-stuck" aria-label={text}>
          {stuck.map((one) => (
            <StuckText key={one.key} stuck={one} />
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
  const stuck = useSyncExternalStore(drafts.subscribe, () => drafts.stuck);
  // Drafts tell of each change of the document at once: with the next frame, an edit would be called saved until then.
  const isSaving = useSyncExternalStore(drafts.subscribe, () => connection.isSaving);
  const [first] = stuck;
  if (first !== undefined) return <NotSaved stuck={stuck} first={first} onOpen={onOpen} />;
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
