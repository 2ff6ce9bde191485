/** Waits for an element that the next render, or code that is still loading, will show. */

/** Frames that a form may take to load. */
const MAX_FRAMES = 600;

/**
 * Acts on the first such element from the next frame on: the form of the first node that is opened is loaded then.
 * @param find the element, or its selector
 */
export function whenShown(
  find: string | (() => HTMLElement | null),
  act: (element: HTMLElement) => void,
  frames = MAX_FRAMES,
): void {
  requestAnimationFrame(() => {
    const element = typeof find === 'string' ? document.querySelector<HTMLElement>(find) : find();
    if (element !== null) act(element);
    else if (frames > 0) whenShown(find, act, frames - 1);
  });
}
