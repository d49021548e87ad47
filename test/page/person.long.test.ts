import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium } from '../../scripts/open-chromium.ts';
import { freePort } from '../aws/emulator.ts';
import { openCases } from './open-cases.ts';
import { startProxy } from './proxy.ts';
import { walkAsPerson } from './walk-as-person.ts';

/** The folder for recordings, which `npx playwright-core show-trace FILE` shows; none are made where absent. */
const { PAGE_RECORDINGS: recordings } = process.env;

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser.close());

/** The walk of a person whose browser sends no `Sec-Fetch-Site`, with some headers of the page set otherwise. */
async function walkInOldBrowser(name: string, set: Readonly<Record<string, string>>) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const { team } = await openCases(origin);
  const { url } = await team.serve({ port: 0 });
  const isKept = (header: string) => !header.startsWith('sec-fetch-');
  await startProxy(url, {
    port,
    passed: (headers) => Object.fromEntries(Object.entries(headers).filter(([header]) => isKept(header))),
    set,
  });
  const context = await browser.newContext({ javaScriptEnabled: false });
  context.setDefaultTimeout(60_000);
  if (recordings !== undefined) await context.tracing.start({ screenshots: true, snapshots: true });
  try {
    return await walkAsPerson(await context.newPage(), origin);
  } finally {
    if (recordings !== undefined) {
      mkdirSync(recordings, { recursive: true });
      await context.tracing.stop({ path: join(recordings, `${name}.zip`) });
    }
    await context.close();
  }
}

test('a person decides, comments, uploads and signs out in an old browser, without script', async () => {
  const stated = await walkInOldBrowser('same-origin', {});
  expect(stated).toHaveLength(6);
});

test('the same person is refused where the page asks browsers to hide where its forms come from', async () => {
  await expect(walkInOldBrowser('no-referrer', { 'referrer-policy': 'no-referrer' })).rejects.toThrow(
    'Another site sent this form',
  );
});
