/** The page of notifications in a browser: if this fails, somebody cannot be told of failed runs, or see what was sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { NotificationSender } from '../../../src/features/notifications/sender.ts';
import { startReceiver, verifyMessage, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { inBothThemes } from './support/axe.ts';
import { listUnreachable } from './support/phone.ts';
import { signInTo } from './support/sign-in.ts';
import { startWebStack, type WebStack } from './support/web-stack.ts';

let receiver: WebhookReceiver;
let at: WebStack;
let sender: NotificationSender;
beforeAll(async () => {
  receiver = await startReceiver();
  at = await startWebStack(undefined, { OUTBOUND_ALLOW: receiver.hostPort });
  const { db, log, config } = at.canvas.api.deps;
  sender = new NotificationSender({ db, clock: systemClock, log, config });
  sender.start();
});
afterAll(async () => {
  await sender.stop();
  await at.close();
  await receiver.close();
});

test('an endpoint is created, tested, read in its log, replayed, rotated, disabled and deleted; an alert as well', async () => {
  const page = await signInTo(at, { email: 'notified@example.com' });
  await page.getByRole('link', { name: 'Notifications' }).click();
  await page.getByText('No endpoints yet.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);

  await page.getByRole('button', { name: 'Create your first endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'New endpoint' });
  await dialog.getByLabel('Name').fill('On call');
  await dialog.getByLabel('URL').fill('http://127.0.0.1:1/told');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText(/of a public host/).waitFor();
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByRole('combobox', { name: 'Workflows' }).click();
  await page.getByRole('option', { name: 'Starter workflow' }).click();
  await page.keyboard.press('Tab');
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create' }).click();
  const created = page.getByRole('dialog', { name: 'Endpoint created' });
  const secret = (await created.locator('pre').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  expect(await inBothThemes(page)).toEqual([]);
  await created.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /On call/ });
  await row.getByText(receiver.url).waitFor();
  await row.getByText('One workflow').waitFor();
  await created.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);

  await row.getByRole('button', { name: 'Send test' }).click();
  const log = page.getByRole('dialog', { name: 'Deliveries to On call' });
  await log.getByText('Delivered').waitFor();
  await log.getByText('HTTP 204').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  const [message] = receiver.received;
  if (message === undefined) throw new Error('nothing was received');
  expect(verifyMessage(secret, message)).toMatchObject({ type: 'endpoint.test' });
  await log.getByRole('button', { name: 'Replay' }).click();
  await expect.poll(() => log.getByText('Delivered').count()).toBe(2);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await page.keyboard.press('Escape');

  await row.getByRole('button', { name: 'Edit: On call' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit On call' });
  await edit.getByLabel('Name').fill('Night shift');
  await edit.getByLabel('URL').fill('http://127.0.0.1:1/told');
  await edit.getByRole('checkbox', { name: 'Run succeeded' }).check();
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByText(/of a public host/).waitFor();
  await edit.getByLabel('URL').fill(`${receiver.url}?shift=night`);
  expect(await inBothThemes(page)).toEqual([]);
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText(`${receiver.url}?shift=night`).waitFor();
  await page.getByRole('button', { name: 'Edit: Night shift' }).click();
  const again = page.getByRole('dialog', { name: 'Edit Night shift' });
  await expect.poll(() => again.getByRole('checkbox', { name: 'Run succeeded' }).isChecked()).toBe(true);
  await again.getByLabel('Name').fill('On call');
  await again.getByRole('button', { name: 'Save' }).click();

  await row.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  const rotated = page.getByRole('dialog', { name: 'Secret rotated' });
  await expect.poll(() => rotated.locator('pre').textContent()).not.toBe(secret);
  await rotated.getByRole('button', { name: 'Done' }).click();

  const alerts = page.getByRole('region', { name: 'Alerts' });
  await alerts.getByRole('button', { name: 'New alert' }).click();
  const rule = page.getByRole('dialog', { name: 'New alert' });
  await rule.getByLabel('Name').fill('Silent');
  await rule.getByRole('combobox', { name: 'Rule' }).click();
  await page.getByRole('option', { name: 'No runs' }).click();
  await rule.getByLabel('Window (minutes)').fill('90');
  expect(await inBothThemes(page)).toEqual([]);
  await rule.getByRole('button', { name: 'Create' }).click();
  const alert = alerts.getByRole('row', { name: /Silent/ });
  await alert.getByText('No run for 90 min').waitFor();
  await alert.getByRole('button', { name: 'Edit: Silent' }).click();
  const change = page.getByRole('dialog', { name: 'Edit Silent' });
  await change.getByLabel('Window (minutes)').fill('99999');
  await change.getByRole('button', { name: 'Save' }).click();
  await change.getByText(/43200/).waitFor();
  await change.getByLabel('Window (minutes)').fill('120');
  await change.getByRole('button', { name: 'Save' }).click();
  await alert.getByText('No run for 120 min').waitFor();
  // A forced click does not wait until nothing lies above.
  await change.waitFor({ state: 'detached' });
  await alert.getByRole('switch', { name: 'Enable Silent' }).click({ force: true });
  await alert.getByText('Disabled').waitFor();
  await expect.poll(() => listUnreachable(page)).toEqual([]);
  expect(await inBothThemes(page)).toEqual([]);
  await alert.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await alerts.getByText(/No alerts/).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

  const enabled = row.getByRole('switch', { name: 'Enable On call' });
  await enabled.click({ force: true });
  await expect.poll(() => enabled.isChecked()).toBe(false);
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No endpoints yet.').waitFor();
  await page.context().close();
  expect(at.trouble).toEqual([]);
});
