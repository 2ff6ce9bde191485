/** Keys as the keyboard in front of the user has them. */

const isMac = navigator.userAgent.includes('Mac');

/** @param keys as the list of commands writes them: `Mod+Shift+z` */
export const keyText = (keys: string): string =>
  keys
    .replace('Mod', isMac ? '⌘' : 'Ctrl')
    .replace('Arrow', '')
    .replace('ContextMenu', 'Menu')
    .replaceAll('+', isMac ? '' : '+');
