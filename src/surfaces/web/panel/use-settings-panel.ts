/** Whether the workflow's settings are shown while nothing is selected; the browser remembers the choice. */
import { useState } from 'react';

const KEY = 'workflow-settings';
/** On a narrower window the panel would leave too little of the canvas. */
const MIN_WIDTH = 1_440;

export function useSettingsPanel(): readonly [boolean, (isShown: boolean) => void] {
  const [isShown, setShown] = useState(
    () => window.innerWidth >= MIN_WIDTH && localStorage.getItem(KEY) !== 'closed',
  );
  const choose = (next: boolean): void => {
    setShown(next);
    try {
      if (next) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, 'closed');
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  };
  return [isShown, choose];
}
