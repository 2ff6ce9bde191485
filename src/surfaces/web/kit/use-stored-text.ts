/** A text that is being written: it outlives its page and a reload, until it is sent or the person signs out. */
import { useState } from 'react';
import { keptAt } from './kept-state.ts';
import { useOwner } from './owner.ts';

/** @param name the place of the text in its organization; another name has its own text */
export function useStoredText(name: string): readonly [text: string, setText: (text: string) => void] {
  const kept = keptAt('text', useOwner(), name);
  const [written, setWritten] = useState(() => ({ name, text: kept.read() ?? '' }));
  const text = written.name === name ? written.text : (kept.read() ?? '');
  const keep = (next: string): void => {
    setWritten({ name, text: next });
    if (next === '') kept.remove();
    else kept.write(next);
  };
  return [text, keep];
}
