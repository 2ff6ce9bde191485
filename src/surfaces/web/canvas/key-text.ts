/** Keys as the user's keyboard labels them. */

const isMac = navigator.userAgent.includes('Mac');

const MAC_LABELS: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' };

function labelKey(key: string): string {
  if (key.length === 1) return key.toUpperCase();
  if (isMac && Object.hasOwn(MAC_LABELS, key)) return MAC_LABELS[key] ?? key;
  if (key === 'Mod') return 'Ctrl';
  return key === 'ContextMenu' ? 'Menu' : key.replace('Arrow', '');
}

/** @param keys as the list of commands has them: `Mod+Shift+z`, or `+` alone */
export const keyText = (keys: string): string =>
  keys
    .split(/\+(?=.)/)
    .map(labelKey)
    .join(isMac ? '' : '+');
