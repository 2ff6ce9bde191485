/** The browser of tests, screenshots and measurements: from npm on Linux x64, elsewhere a Chrome that is installed. */
import sparticuz from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

// Not the package's own list, which takes away what these pages are protected by.
const ARGS = ['--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--mute-audio'];

/** @throws when this machine has none */
export async function launchChromium(): Promise<Browser> {
  if (process.platform === 'linux' && process.arch === 'x64')
    return chromium.launch({ executablePath: await sparticuz.executablePath(), args: ARGS });
  return chromium.launch({ channel: 'chrome', args: ARGS });
}
