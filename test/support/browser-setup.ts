/** Unpacks the browser before the first test: of tests that do it at the same time, all but one would start a part of the file. */
import { unpackChromium } from '../surfaces/web/support/chromium.ts';
import { share } from './shared-server.ts';

export default async function setup(): Promise<() => Promise<void>> {
  const { leave } = await share('browser', async () => {
    await unpackChromium();
    return { stop: () => Promise.resolve() };
  });
  return leave;
}
