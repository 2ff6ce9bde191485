/** Keeps the caret of a text area in its place when a colleague's text is merged into what is typed; a browser puts it at the end. */
import { useLayoutEffect, useRef, type ChangeEvent, type SyntheticEvent } from 'react';

/** Where a caret stands in a text that has become another: behind the same characters, or moved with those after it. */
function moveCaret(at: number, before: string, after: string): number {
  let same = 0;
  while (same < at && before[same] === after[same]) same += 1;
  return same === at ? at : Math.max(same, at + after.length - before.length);
}

/** @param text of the area @param onType is given what is typed @returns the area's properties */
export function useCaret(text: string, onType: (text: string) => void) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const known = useRef({ text, at: 0 });
  useLayoutEffect(() => {
    const { text: before, at } = known.current;
    known.current = { text, at: before === text ? at : moveCaret(at, before, text) };
    if (before !== text) ref.current?.setSelectionRange(known.current.at, known.current.at);
  }, [text]);
  return {
    ref,
    onSelect: ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
      known.current.at = currentTarget.selectionStart;
    },
    onChange: ({ currentTarget: { value, selectionStart } }: ChangeEvent<HTMLTextAreaElement>) => {
      known.current = { text: value, at: selectionStart };
      onType(value);
    },
  };
}
