import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium } from '../../scripts/open-chromium.ts';
import { freePort } from '../aws/emulator.ts';
import { openCases } from './open-cases.ts';
import { walkAsPerson } from './walk-as-person.ts';

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
  // Browsers that send no Sec-Fetch-Site differ from another site by this alone.
  expect(await walkAsPerson(page, origin)).toStrictEqual(Array.from({ length: 6 }, () => origin));
  await page.close();
});
