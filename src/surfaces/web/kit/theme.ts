/** The look of the pages: Mantine's, with the contrasts that WCAG 2.2 AA asks for. */
import { createTheme, darken, type CSSVariablesResolver, type MantineTheme } from '@mantine/core';
import { words } from '../words.ts';

export const theme = createTheme({
  respectReducedMotion: true,
  // Phones end at 640 px: there the sidebar gives way to a bar at the bottom.
  breakpoints: { xs: '40em' },
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  components: {
    // Words of a status are read, not shouted.
    Badge: { defaultProps: { tt: 'none', fw: 500, miw: 'max-content' } },
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': words.close } },
      styles: { title: { fontWeight: 600 } },
    },
    // A `header` inside a dialog would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
  },
});

/** Words on a tint of their colour, which is darker under the pointer: there Mantine's own fall below 4.5 : 1. */
const onTint = (colors: MantineTheme['colors']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(colors).map(([name, shades]) => [
      `--mantine-color-${name}-light-color`,
      darken(shades[9], 0.3),
    ]),
  );

/** Quiet text, links and what is wrong; Mantine's own are below 4.5 : 1. */
export const contrasts: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    ...onTint(colors),
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-5)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-5)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
