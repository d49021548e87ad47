import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { users } from '../../sandbox/identity/accounts.ts';

/**
 * Signs in to the page of a team over `openCases`, decides, comments, chooses a panel, uploads cases and signs out, as a person does.
 * Returns the origin that the browser stated with each form.
 */
export async function walkAsPerson(page: Page, origin: string): Promise<readonly (string | null)[]> {
  const stated: Promise<string | null>[] = [];
  page.on('request', (request) => {
    const isForm = request.method() === 'POST' && request.url().startsWith(origin);
    if (isForm) stated.push(request.headerValue('origin'));
  });
  const shown = () => page.locator('body').innerText();
  await page.goto(`${origin}/worklist`);
  await page.getByRole('button', { name: users.managerScotland.name }).click();

  await page.getByRole('link', { name: 'BRCA1 now green' }).click();
  await page.getByLabel('State').selectOption('re-analyse');
  await page.getByLabel('Reason').fill('Two cases');
  await page.getByRole('button', { name: 'Decide' }).click();
  expect(await shown()).toContain('\nDecided\n');

  await page.goBack();
  await page.getByLabel('Comment').fill('Asked the clinic');
  await page.getByRole('button', { name: 'Comment' }).click();
  expect(await shown()).toMatch(/Two cases[\s\S]*Asked the clinic/);

  await page.getByRole('link', { name: 'My panels' }).click();
  await page.getByLabel('Panel').fill('635');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  expect(await shown()).toContain('You have chosen no panel yet');

  await page.getByRole('link', { name: 'Cases' }).click();
  const cases = {
    name: 'cases.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('case,panel,version\na,635,4.0\n'),
  };
  await page.getByLabel('File of cases').setInputFiles(cases);
  await page.getByRole('button', { name: 'Compare' }).click();
  expect(await shown()).toContain('1 case compared');

  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(await shown()).toContain('You are signed out of this page');
  await page.goto(`${origin}/worklist`);
  expect(await shown()).toContain('Sign in to');
  return Promise.all(stated);
}
