/** Whether the workflow's settings are shown while nothing is selected; the browser remembers the choice. */
import { useState } from 'react';
import { keptAt } from '../kit/kept-state.ts';

/** On a narrower window the panel would leave too little of the canvas. */
const MIN_WIDTH = 1_440;

export function useSettingsPanel(): readonly [boolean, (isShown: boolean) => void] {
  const [isShown, setShown] = useState(
    () => window.innerWidth >= MIN_WIDTH && keptAt('workflow-settings', null).read() !== 'closed',
  );
  const choose = (next: boolean): void => {
    setShown(next);
    const kept = keptAt('workflow-settings', null);
    if (next) kept.remove();
    else kept.write('closed');
  };
  return [isShown, choose];
}
