/** Keys and the clipboard of the canvas, as commands. */
import { useEffect, useRef } from 'react';
import type { Actions } from './actions.ts';
import type { Dialog } from './context.ts';
import { findCommand, formatStroke, type CommandId } from './commands.ts';

/** Graphs in a dialog are drawn by the same library, and their keys are no commands. */
const CANVAS = '.wc-body .react-flow';

/** Whether the canvas has the focus, and no field inside it: a note is written there. */
function isCanvasFocused(): boolean {
  const { activeElement: focused } = document;
  return (
    focused instanceof HTMLElement &&
    focused.closest(CANVAS) !== null &&
    !focused.isContentEditable &&
    focused.closest('input, textarea, select') === null
  );
}

/** Enter on a button or a link is that button's. */
const isPressing = (event: KeyboardEvent): boolean =>
  formatStroke(event) === 'Enter' &&
  event.target instanceof HTMLElement &&
  event.target.closest('button, a') !== null;

/** Focuses the canvas, so that keys reach it. */
export const focusCanvas = (): void =>
  document.querySelector<HTMLElement>(CANVAS)?.focus({ preventScroll: true });
/** Focuses it when the element that had the focus is gone. */
const focusCanvasIfLost = (): void => {
  if (document.activeElement === null || document.activeElement === document.body) focusCanvas();
};

/** Keys and the clipboard, while the canvas has the focus: elsewhere a Backspace must not delete a node. */
export function useKeys(run: (id: CommandId) => void, actions: Actions, dialog: Dialog | null): void {
  // At first, and after a dialog, nothing else has the focus.
  useEffect(focusCanvasIfLost, [dialog]);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // Escape leaves the panel; a menu or a completion inside it has taken its own Escape before.
      const isInPanel = event.target instanceof Element && event.target.closest('.wc-panel') !== null;
      if (isInPanel && formatStroke(event) === 'Escape' && !event.defaultPrevented) return focusCanvas();
      // The key that closed a menu must not also trigger a command: the canvas has the focus by then.
      const isOfCanvas = event.target instanceof Element && event.target.closest(CANVAS) !== null;
      if (!isOfCanvas || !isCanvasFocused() || isPressing(event) || event.defaultPrevented) return;
      const command = findCommand(event);
      if (command === null) return;
      event.preventDefault();
      latest.current(command.id);
    };
    const onCopy = (event: ClipboardEvent): void => {
      if (!isCanvasFocused() || (window.getSelection()?.toString() ?? '') !== '') return;
      const text = actions.copy();
      if (text === null) return;
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
      if (event.type === 'cut') actions.delete();
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (!isCanvasFocused()) return;
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
