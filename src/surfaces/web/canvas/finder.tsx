/** A list that typing filters: commands, nodes, or the node to connect to. */
import { Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { editorWords } from '../words-editor.ts';

export interface FinderEntry {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
}

/** Only these can be picked: more are found by typing. */
const MAX_SHOWN = 100;

interface FinderProps {
  readonly title: string;
  readonly entries: (text: string) => readonly FinderEntry[];
  readonly onPick: (id: string) => void;
  readonly onClose: () => void;
}

export function Finder({ title, entries, onPick, onClose }: FinderProps) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const found = entries(text).slice(0, MAX_SHOWN);
  const chosen = found[Math.min(at, found.length - 1)];
  useEffect(
    () => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }),
    [at],
  );
  return (
    // Without a portal: the colours are CSS variables of the editor.
    <Modal.Root opened onClose={onClose} size={560} yOffset="12vh" withinPortal={false}>
      <Modal.Overlay />
      <Modal.Content className="wc-finder" aria-label={title}>
        <input
          autoFocus
          data-autofocus
          className="wc-search"
          placeholder={`${title}…`}
          role="combobox"
          aria-expanded
          aria-label={title}
          aria-controls="wc-found"
          aria-activedescendant={chosen === undefined ? undefined : `wc-found-${chosen.id}`}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') setAt((now) => Math.max(0, Math.min(now + 1, found.length - 1)));
            else if (event.key === 'ArrowUp') setAt((now) => Math.max(now - 1, 0));
            else if (event.key === 'Enter' && chosen !== undefined) onPick(chosen.id);
            else return;
            event.preventDefault();
          }}
        />
        <div className="wc-list" role="listbox" id="wc-found" aria-label={title} ref={list}>
          {found.map((entry, index) => (
            <button
              type="button"
              role="option"
              key={entry.id}
              id={`wc-found-${entry.id}`}
              aria-selected={entry === chosen}
              tabIndex={-1}
              onPointerEnter={() => setAt(index)}
              onClick={() => onPick(entry.id)}
            >
              <span>
                <b>{entry.label}</b>
              </span>
              <kbd>{entry.hint}</kbd>
            </button>
          ))}
          {found.length === 0 && <p className="wc-empty">{editorWords.dialogs.nothing}</p>}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
