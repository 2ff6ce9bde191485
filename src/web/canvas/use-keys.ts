/** Keys and the clipboard of the canvas: what they do is said by the commands. */
import { useEffect, useRef } from 'react';
import type { Actions } from './actions.ts';
import { commandOf, strokeOf, type CommandId } from './commands.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null);

/** Enter on a button or a link is that button's. */
const isPressing = (event: KeyboardEvent): boolean =>
  strokeOf(event) === 'Enter' &&
  event.target instanceof HTMLElement &&
  event.target.closest('button, a') !== null;

/** Gives the canvas the keys of what has just closed. */
export const focusCanvas = (): void => document.querySelector<HTMLElement>('.react-flow')?.focus();

/** Keys and the clipboard of the whole page, but for what is typed into a field or a dialog. */
export function useKeys(run: (id: CommandId) => void, actions: Actions): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || isPressing(event) || event.defaultPrevented) return;
      const command = commandOf(event);
      if (command === null) return;
      event.preventDefault();
      latest.current(command.id);
    };
    const onCopy = (event: ClipboardEvent): void => {
      if (isTyping(event.target) || (window.getSelection()?.toString() ?? '') !== '') return;
      const text = actions.copy();
      if (text === null) return;
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
      if (event.type === 'cut') actions.delete();
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (isTyping(event.target)) return;
      actions.paste(event.clipboardData?.getData('text/plain') ?? '');
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      window.removeEventListener('keydown', onKey);
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, [actions]);
}
