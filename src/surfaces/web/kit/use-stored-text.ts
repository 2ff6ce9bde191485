/** A text that is being written: it outlives its page and a reload, until it is sent or the person signs out. */
import { useState } from 'react';

const PREFIX = 'text:';

/** @param name the organization and the place of the text */
export function useStoredText(name: string): readonly [text: string, setText: (text: string) => void] {
  const key = PREFIX + name;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const keep = (next: string): void => {
    setText(next);
    if (next === '') {
      sessionStorage.removeItem(key);
      return;
    }
    try {
      sessionStorage.setItem(key, next);
    } catch {
      // The storage is full: the text still stands on the page.
    }
  };
  return [text, keep];
}
