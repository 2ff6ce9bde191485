/** The data that a node can use, with the values of the last run: each is dragged into a field, or copied as a template. */
import { useClipboard } from '@mantine/hooks';
import { useState, useSyncExternalStore } from 'react';
import { useEditing } from '../canvas/context.ts';
import { useReferences } from '../forms/use-references.ts';
import { editorWords } from '../words-editor.ts';

const MAX_SHOWN = 200;

function DataList({ nodeId }: { readonly nodeId: string }) {
  const { board } = useEditing().connection;
  useSyncExternalStore(board.subscribe, () => board.nodes);
  const references = useReferences({ entity: `node:${nodeId}`, ptr: '/config' })();
  const clipboard = useClipboard();
  const [copied, setCopied] = useState('');
  return (
    <>
      <p className="wc-hint">{editorWords.node.dataHint}</p>
      <ul className="wc-data">
        {references.slice(0, MAX_SHOWN).map(({ text, hint }) => (
          <li key={text}>
            <button
              type="button"
              draggable
              title={editorWords.node.copyTemplate(text)}
              onDragStart={({ dataTransfer }) => {
                dataTransfer.setData('text/plain', `{{${text}}}`);
                dataTransfer.effectAllowed = 'copy';
              }}
              onClick={() => {
                clipboard.copy(`{{${text}}}`);
                setCopied(text);
              }}
            >
              <code>{text}</code>
              <span>{copied === text && clipboard.copied ? editorWords.node.copied : hint}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

export function InputData({ nodeId }: { readonly nodeId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{editorWords.node.data}</summary>
      {isOpen && <DataList nodeId={nodeId} />}
    </details>
  );
}
