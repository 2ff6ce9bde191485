/** Whether the pointer is over an element of several parts; it stays so while the pointer moves from one part to the next. */
import { useEffect, useRef, useState } from 'react';

const LEAVE_MS = 200;

/** Returns the state, and the handlers for each part. */
export function useHover() {
  const [isHovered, setHovered] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const onPointerEnter = (): void => {
    window.clearTimeout(timer.current);
    setHovered(true);
  };
  const onPointerLeave = (): void => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setHovered(false), LEAVE_MS);
  };
  return { isHovered, parts: { onPointerEnter, onPointerLeave } };
}
