import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { systemClock } from '../../lambdas/run/clock.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import type { Served } from '../../page/listen.ts';
import { servePage } from '../../page/listen.ts';
import { openChromium } from '../../scripts/open-chromium.ts';
import { breast, eventOf, rated, turnedGreen } from '../words/events.ts';

const time = (minute: number): string => `2026-11-21T09:${String(minute).padStart(2, '0')}:00.000000Z`;
const comment = { comment: 'Three families', action: 'added' } as const;

describe('in a browser', () => {
  let browser: Browser;
  let file: StateFile;
  let served: Served;
  let page: Page;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    file = openStateFile();
    await append(
      turnedGreen({ id: 'a1', gene: 'BRCA1', time: time(1) }),
      rated('green', 'red', 'downgraded', { id: 'a2', gene: 'ATM', time: time(2) }),
      eventOf('entity.commented', comment, { id: 'a3', gene: 'PALB2', time: time(3) }),
    );
    served = await serve(0);
    page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  });
  afterEach(async () => {
    await page.close();
    await served.close();
    file.close();
  });

  // A Sunday, of which the last Friday is the day before the changes.
  const clock = { ...systemClock, now: () => Date.parse('2026-11-22T12:00:00Z') };
  const serve = (port: number) => servePage({ file, clock, zone: 'Europe/London' }, { port });
  const append = async (...events: readonly PanelEvent[]): Promise<void> =>
    void (await createSqliteHistory(file).append(
      events.map((event) => toMessage(event)),
      { catalogue: 'uk', since: 0n, until: 1n },
    ));
  const all = (): string => `${served.url}?since=all`;
  const announced = (count: number): Promise<void> =>
    page.locator('#new-changes[role="status"]', { hasText: new RegExp(`^${count} new`) }).waitFor();
  const focused = (): Promise<unknown> => page.evaluate('document.activeElement.id');

  test('a keyboard skips to the content, goes from change to change, opens one, and Escape closes it', async () => {
    await page.goto(all());
    await page.keyboard.press('Tab');
    const skip = page.locator('.skip').first();
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#changes:focus');
    // The panel's name, then its first change.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('e-a3');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('e-a1');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#event-title:focus');
    expect(await page.locator('#event-title').innerText()).toMatch(/^ATM/);
    expect(page.url()).toContain('open=a2');

    await page.keyboard.press('Escape');
    await page.waitForSelector('#e-a2:focus');
    expect(await page.locator('#event-title').count()).toBe(0);
    expect(page.url()).not.toContain('open=');
  });

  test('with a change open, arrow keys open the next and the one before, and leave a field alone', async () => {
    await page.goto(all());
    await page.locator('#e-a3').press('Enter');
    await page.waitForSelector('#event-title:focus');
    for (const [key, gene, id] of [
      ['ArrowDown', 'ATM', 'a2'],
      ['ArrowDown', 'BRCA1', 'a1'],
      ['ArrowUp', 'ATM', 'a2'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator('#event-title:focus', { hasText: gene }).waitFor();
      expect(page.url()).toContain(`open=${id}`);
    }
    await page.locator('#q').press('ArrowDown');
    expect(page.url()).toContain('open=a2');
  });

  test('a part of a panel’s name and Enter choose the panel, which reads by its name', async () => {
    const hearing = { ...breast, id: 126, name: 'Hearing loss', relevantDisorders: ['R67'] };
    await append(turnedGreen({ id: 'b1', gene: 'OTOF', panel: hearing, time: time(4) }));
    await page.goto(all());
    await page.locator('#f-panel').pressSequentially('hear');
    await page.locator('#f-panel-choices [aria-selected="true"]', { hasText: 'Hearing loss R67' }).waitFor();
    expect(await page.locator('#f-panel').getAttribute('aria-activedescendant')).toBe('f-panel-choices-0');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${served.url}?panel=126&since=all`);
    expect(await page.locator('.chips').innerText()).toContain('Panel: Hearing loss');
    expect(await page.locator('a.open').count()).toBe(1);

    await page.goto(all());
    await page.locator('#f-r-code').pressSequentially('R6');
    await page.locator('#f-r-code-choices li', { hasText: 'R67' }).dispatchEvent('click');
    await page.waitForURL(`${served.url}?r-code=R67&since=all`);
  });

  test('what turned green on three panels since Friday takes three actions, by keyboard alone', async () => {
    const hearing = { ...breast, id: 126, name: 'Hearing loss', relevantDisorders: ['R67'] };
    await append(turnedGreen({ id: 'b1', gene: 'OTOF', panel: hearing, time: time(0) }));
    let tabs = 0;
    const tabTo = async (id: string, words = ''): Promise<void> => {
      const isThere = async () =>
        (await focused()) === id &&
        String(await page.evaluate('document.activeElement.textContent')).startsWith(words);
      for (let presses = 0; presses < 60 && !(await isThere()); presses += 1, tabs += 1) {
        await page.keyboard.press('Tab');
      }
      expect(await isThere()).toBe(true);
    };
    await page.goto(served.url);
    await tabTo('f-r-code');
    await page.keyboard.type('R208, R6');
    await page.locator('#f-r-code-choices li', { hasText: 'R67' }).waitFor();
    // The choices for R6 are shown until those for R59 come.
    await page.keyboard.type('7, R59');
    await page.keyboard.press('Enter');
    await page.waitForURL(/r-code=R208&r-code=R67&r-code=R59/);
    await tabTo('f-since');
    for (const key of ['Alt+ArrowDown', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(/since=friday/);
    await tabTo('', 'Skip to the counts');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#stream:focus');
    await tabTo('', 'Turned green 2');
    await page.keyboard.press('Enter');
    await page.waitForURL(/green=now/);
    expect(tabs).toBeLessThan(40);
    const shown = await page.evaluate('[...document.querySelectorAll("a.open")].map(({ id }) => id)');
    expect(shown).toStrictEqual(['e-a1', 'e-b1']);
  });

  test('and three actions by mouse: the codes, the period, the count of greens', async () => {
    const hearing = { ...breast, id: 126, name: 'Hearing loss', relevantDisorders: ['R67'] };
    await append(turnedGreen({ id: 'b1', gene: 'OTOF', panel: hearing, time: time(0) }));
    await page.goto(served.url);
    await page.locator('#f-r-code').fill('R208, R67, R59');
    await page.locator('form button', { hasText: 'Show' }).dispatchEvent('click');
    await page.waitForURL(/r-code=R208&r-code=R67&r-code=R59/);
    await page.locator('#f-since').selectOption('friday');
    await page.waitForURL(/since=friday/);
    await page.locator('.highlights .green a', { hasText: 'Turned green 2' }).dispatchEvent('click');
    await page.waitForURL(/green=now/);
    const shown = await page.evaluate('[...document.querySelectorAll("a.open")].map(({ id }) => id)');
    expect(shown).toStrictEqual(['e-a1', 'e-b1']);
  });

  test('the address of a view is copied with one action, and shows a colleague the same', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const mine = await context.newPage();
    await mine.goto(`${all()}&to=green&open=a1`);
    await mine.locator('button.copy').press('Enter');
    await mine.locator('#copied', { hasText: 'Address copied' }).waitFor();
    const address = String(await mine.evaluate('navigator.clipboard.readText()'));
    const theirs = await context.newPage();
    await theirs.goto(address);
    const shown = async (of: Page) =>
      (await of.locator('main').innerText()).replace('Address copied', '').replace(/\s+/g, ' ');
    expect(await shown(theirs)).toBe(await shown(mine));
    await context.close();
  });

  test('each thing that Tab reaches shows that it is reached', async () => {
    await page.setViewportSize({ width: 1600, height: 900 });
    await page.goto(`${all()}&open=a1`);
    const seen: string[] = [];
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      const [name, isShown] = (await page.evaluate(`(() => {
        const it = document.activeElement;
        const shows = (of) => getComputedStyle(it, of).outlineStyle !== 'none';
        return [it.tagName + '#' + it.id + ' ' + it.textContent.slice(0, 30), it === document.body || shows() || shows('::after')];
      })()`)) as [string, boolean];
      expect(isShown, name).toBe(true);
      seen.push(name.slice(0, name.indexOf(' ')));
    }
    expect(seen).toEqual(expect.arrayContaining(['INPUT#q', 'SELECT#f-since', 'A#e-a1', 'A#e-a2']));
  });

  test('without JavaScript, filters, an event and its forms, and the way back work', async () => {
    const plain = await browser.newPage({ javaScriptEnabled: false, viewport: { width: 1400, height: 900 } });
    await plain.goto(all());
    await plain.fill('#f-gene', 'brca1');
    await plain.press('#filters button', 'Enter');
    expect(plain.url()).toBe(`${served.url}?gene=brca1&since=all`);
    expect(await plain.locator('a.open').count()).toBe(1);
    await plain.press('#e-a1', 'Enter');
    await plain.press('.tabs >> text=Slack', 'Enter');
    expect(await plain.locator('.chat.slack').innerText()).toContain('BRCA1 is now green');
    await plain.press('.close a', 'Enter');
    expect(plain.url()).toBe(`${served.url}?gene=brca1&since=all#e-a1`);
    await plain.close();
  });

  test('new changes are counted and shown when asked, also those of a time without connection, each once', async () => {
    await page.goto(all());
    const show = page.locator('#new-changes a');
    await append(turnedGreen({ id: 'b1', gene: 'CHEK2', time: time(4) }));
    await announced(1);

    const port = Number(new URL(served.url).port);
    await served.close();
    await append(turnedGreen({ id: 'b2', gene: 'BARD1', time: time(5) }));
    served = await serve(port);
    await announced(2);
    await append(turnedGreen({ id: 'b3', gene: 'RAD51C', time: time(6) }));
    await announced(3);
    expect(await page.locator('#e-b1').count()).toBe(0);

    await show.press('Enter');
    await page.waitForSelector('#e-b3');
    expect(await page.evaluate('[...document.querySelectorAll("a.open")].map(({ id }) => id)')).toStrictEqual(
      ['e-b3', 'e-b2', 'e-b1', 'e-a3', 'e-a2', 'e-a1'],
    );
    expect(await page.locator('li.is-new').count()).toBe(3);
  });
});
