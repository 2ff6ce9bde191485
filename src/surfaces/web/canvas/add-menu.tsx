/** The menu that adds a node: typing filters it, Enter picks. It opens at a handle, at an edge, or in the middle. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useIntegrations } from '../forms/use-integrations.ts';
import { listActionEntries } from './action-entries.ts';
import { useEditing, type AddAnchor } from './context.ts';
import { NodeIcon } from './node-icon.tsx';
import { searchPalette, type PaletteEntry } from './palette.ts';
import { editorWords } from '../words-editor.ts';

const TEXTS = editorWords.add;
const MENU = { width: 296, height: 420 };

const clamp = (value: number, most: number): number => Math.max(8, Math.min(value, most - 8));

/** Places the menu at its anchor, moved so that all of it is on the screen. */
const placeMenu = ({ screen }: AddAnchor) => ({
  left: clamp(screen.x, window.innerWidth - MENU.width),
  top: clamp(screen.y, window.innerHeight - MENU.height),
  width: MENU.width,
});

interface AddMenuProps {
  readonly anchor: AddAnchor;
  readonly onPick: (entry: PaletteEntry) => void;
  readonly onClose: () => void;
}

export function AddMenu({ anchor, onPick, onClose }: AddMenuProps) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const catalog = useIntegrations(useEditing());
  const actions = useMemo(() => listActionEntries(catalog.data?.integrations ?? []), [catalog.data]);
  const choices = searchPalette(text, actions);
  const chosen = choices[Math.min(at, choices.length - 1)];
  useEffect(
    () => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }),
    [at],
  );
  return (
    <>
      <div className="wc-veil" onPointerDown={onClose} />
      <div className="wc-menu" role="dialog" aria-label={TEXTS.title} style={placeMenu(anchor)}>
        <input
          autoFocus
          className="wc-search"
          placeholder={TEXTS.placeholder}
          role="combobox"
          aria-expanded
          aria-label={TEXTS.title}
          aria-controls="wc-add-list"
          aria-activedescendant={chosen === undefined ? undefined : `wc-add-${chosen.key}`}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') setAt((now) => Math.max(0, Math.min(now + 1, choices.length - 1)));
            else if (event.key === 'ArrowUp') setAt((now) => Math.max(now - 1, 0));
            else if (event.key === 'Enter' && chosen !== undefined) onPick(chosen);
            else if (event.key === 'Escape') onClose();
            else return;
            event.preventDefault();
          }}
        />
        <div className="wc-list" role="listbox" id="wc-add-list" aria-label={TEXTS.kinds} ref={list}>
          {choices.map((choice, index) => (
            <button
              type="button"
              role="option"
              key={choice.key}
              id={`wc-add-${choice.key}`}
              aria-selected={choice === chosen}
              tabIndex={-1}
              onPointerEnter={() => setAt(index)}
              onClick={() => onPick(choice)}
            >
              <NodeIcon kind={choice} size={16} />
              <span>
                <b>{choice.label}</b>
                <small>{choice.hint}</small>
              </span>
            </button>
          ))}
          {choices.length === 0 && <p className="wc-empty">{TEXTS.none}</p>}
        </div>
      </div>
    </>
  );
}
