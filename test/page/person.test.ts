import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { users } from '../../sandbox/identity/accounts.ts';
import { openChromium } from '../../scripts/open-chromium.ts';
import { freePort } from '../aws/emulator.ts';
import { openCases } from './open-cases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser.close());

test('a person without script signs in, decides, comments, chooses a panel, uploads cases and signs out', async () => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const { team } = await openCases(origin);
  await team.serve();
  const page = await browser.newPage({ javaScriptEnabled: false });
  const stated: Promise<string | null>[] = [];
  page.on('request', (request) => {
    const isForm = request.method() === 'POST' && request.url().startsWith(origin);
    if (isForm) stated.push(request.headerValue('origin'));
  });
  await page.goto(`${origin}/worklist`);
  await page.getByRole('button', { name: users.managerScotland.name }).click();

  await page.getByRole('link', { name: 'BRCA1 now green' }).click();
  await page.getByLabel('State').selectOption('re-analyse');
  await page.getByLabel('Reason').fill('Two cases');
  await page.getByRole('button', { name: 'Decide' }).click();
  expect(await page.locator('body').innerText()).toContain('\nDecided\n');

  await page.goBack();
  await page.getByLabel('Comment').fill('Asked the clinic');
  await page.getByRole('button', { name: 'Comment' }).click();
  expect(await page.locator('body').innerText()).toMatch(/Two cases[\s\S]*Asked the clinic/);

  await page.getByRole('link', { name: 'My panels' }).click();
  await page.getByLabel('Panel').fill('635');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  expect(await page.locator('body').innerText()).toContain('You have chosen no panel yet');

  await page.getByRole('link', { name: 'Cases' }).click();
  const cases = {
    name: 'cases.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('case,panel,version\na,635,4.0\n'),
  };
  await page.getByLabel('File of cases').setInputFiles(cases);
  await page.getByRole('button', { name: 'Compare' }).click();
  expect(await page.locator('body').innerText()).toContain('1 case compared');

  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(await page.locator('body').innerText()).toContain('You are signed out of this page');
  await page.goto(`${origin}/worklist`);
  expect(await page.locator('body').innerText()).toContain('Sign in to');
  // Browsers that send no Sec-Fetch-Site differ from another site by this alone.
  expect(await Promise.all(stated)).toStrictEqual(Array.from({ length: 6 }, () => origin));
  await page.close();
});
