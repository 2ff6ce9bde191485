/** The browser of tests, screenshots and measurements: from npm on Linux x64, elsewhere a Chrome that is installed. */
import sparticuz from '@sparticuz/chromium';
import { chromium, type Browser, type Page } from 'playwright-core';

// Not the package's own list, which takes away what these pages are protected by.
const ARGS = ['--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--mute-audio'];

/** A window of tests. Nothing moves by itself in it: a place or a size that is read stays. */
const WINDOW = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;

const IS_PACKED = process.platform === 'linux' && process.arch === 'x64';

/** Unpacks the browser of npm, once for a machine. */
export async function unpackChromium(): Promise<void> {
  if (IS_PACKED) await sparticuz.executablePath();
}

/** @throws when this machine has none */
export async function launchChromium(): Promise<Browser> {
  if (IS_PACKED) return chromium.launch({ executablePath: await sparticuz.executablePath(), args: ARGS });
  return chromium.launch({ channel: 'chrome', args: ARGS });
}

/** Bounds the wait for an element that never comes: a busy machine takes long to show what it shows within a second. */
const PATIENCE_MS = 45_000;
/** How many times slower than the machine a page computes, which shows where a test is faster than it. */
const SLOWDOWN = Number(process.env['WEB_SLOWDOWN'] ?? 1);

/** Opens a window of its own. */
export async function openWindow(browser: Browser): Promise<Page> {
  const context = await browser.newContext(WINDOW);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  if (SLOWDOWN > 1) {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  }
  return page;
}
