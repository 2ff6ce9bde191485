/** Whether the window is as narrow as a phone's: lists are cards there. */
import { useMediaQuery } from '@mantine/hooks';

const NARROW = '(max-width: 40em)';

/** Returns whether lists are shown as cards; told again when the window changes. */
export const useNarrow = (): boolean => useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
