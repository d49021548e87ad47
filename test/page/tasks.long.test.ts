import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test } from 'vitest';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { users } from '../../sandbox/identity/accounts.ts';
import { openChromium } from '../../scripts/open-chromium.ts';
import { freePort } from '../aws/emulator.ts';
import { breast, rated, turnedGreen } from '../words/events.ts';
import { openTeamPage } from './team-page.ts';

/** What people come to the page for, with the actions that each takes; `--reporter=verbose` prints them and the seconds. */

const hearing = { ...breast, id: 126, name: 'Hearing loss', relevantDisorders: ['R67'] };
const ataxia = { ...breast, id: 13, name: 'Hereditary ataxia', relevantDisorders: ['R54'] };
const kidney = { ...breast, id: 283, name: 'Cystic kidney disease', relevantDisorders: ['R193'] };
/** The present is Friday 20 November 2026. The page of a team has BRCA1 of this week besides. */
const on = (day: number): string => `2026-11-${String(day).padStart(2, '0')}T09:14:02.120000Z`;
const events = [
  turnedGreen({ gene: 'CHEK2', time: on(17) }),
  turnedGreen({ gene: 'PALB2', time: on(18) }),
  turnedGreen({ gene: 'OTOF', panel: hearing, time: on(16) }),
  turnedGreen({ gene: 'TMPRSS3', panel: hearing, time: on(19) }),
  turnedGreen({ gene: 'ATM', panel: ataxia, time: on(19) }),
  turnedGreen({ gene: 'GJB2', panel: hearing, time: on(9) }),
  turnedGreen({ gene: 'PKD1', panel: kidney, time: on(18) }),
  rated('green', 'amber', 'downgraded', { gene: 'COCH', panel: hearing, time: on(18) }),
];

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser.close());

/** A person who is signed in to the page of a team, and counts what they do. */
interface Worker {
  readonly page: Page;
  choose(name: string): Promise<void>;
  press(name: string): Promise<void>;
  write(label: string, text: string): Promise<void>;
  /** Chooses the state of a decision. */
  decide(state: string): Promise<void>;
  tick(box: Locator): Promise<void>;
  shown(): Promise<string>;
  readonly actions: number;
}

async function openTeam() {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const team = await openTeamPage({ origin });
  await createSqliteHistory(team.file).append(
    events.map((event) => toMessage(event)),
    { catalogue: 'uk', since: 1n, until: 2n },
  );
  await team.serve();
  const signIn = async (user: keyof typeof users): Promise<Worker> => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    page.on('request', () => team.clock.pass(100));
    await page.goto(origin);
    await page.getByRole('button', { name: users[user].name }).click();
    await page.getByRole('link', { name: 'Worklist' }).waitFor();
    let actions = 0;
    const counted = async (act: Promise<unknown>): Promise<void> => {
      actions += 1;
      await act;
    };
    return {
      page,
      choose: (name) => counted(page.getByRole('link', { name, exact: true }).first().click()),
      press: (name) => counted(page.getByRole('button', { name, exact: true }).click()),
      write: (label, text) => counted(page.getByLabel(label, { exact: true }).first().fill(text)),
      decide: (state) =>
        counted(page.getByRole('group', { name: 'Decide' }).getByLabel('State').selectOption(state)),
      tick: (box) => counted(box.check()),
      shown: () => page.locator('main').innerText(),
      get actions() {
        return actions;
      },
    };
  };
  return { team, signIn };
}

/** Notes how long people and their browsers took. */
const timed = async <Value>({ annotate }: TestContext, task: () => Promise<Value>): Promise<Value> => {
  const begun = performance.now();
  const value = await task();
  await annotate(`${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return value;
};

test('all that turned green on my panels this week is decided about in six actions', async (context) => {
  const { team, signIn } = await openTeam();
  const morag = await signIn('managerScotland');
  for (const panel of [breast, hearing, ataxia]) {
    await morag.page.goto(new URL('/my-panels', morag.page.url()).href);
    await morag.page.getByRole('combobox', { name: 'Panel' }).fill(String(panel.id));
    await morag.page.getByRole('button', { name: 'Add' }).click();
  }
  await timed(context, async () => {
    await morag.choose('My panels');
    await morag.choose('Turned green this week');
    await morag.tick(morag.page.getByLabel('all 6 that are shown'));
    await morag.decide('no-action');
    await morag.write('Reason', 'No case was analysed with these panels.');
    await morag.press('Decide');
    await morag.page.getByRole('heading', { name: 'Decided' }).waitFor();
  });
  expect(morag.actions).toBe(6);
  const { decisions } = await team.worklist.record();
  const genes = decisions.map(({ about }) => about.entity?.name);
  expect(genes.toSorted()).toStrictEqual(['ATM', 'BRCA1', 'CHEK2', 'OTOF', 'PALB2', 'TMPRSS3']);
  await morag.choose('Back to the list');
  expect(await morag.shown()).toContain('No entry is in this list');
});

test('the hard one is assigned in four actions, and the colleague has it open after three', async (context) => {
  const { signIn } = await openTeam();
  const [morag, olu] = [await signIn('managerScotland'), await signIn('operator')];
  await timed(context, async () => {
    await morag.choose('Worklist');
    await morag.tick(morag.page.getByRole('checkbox', { name: 'OTOF now green' }));
    await morag.write('Person', users.operator.name);
    await morag.press('Assign');
    await morag.page.getByText('now assigned to Olu Operator').waitFor();
    await olu.choose('Worklist');
    await olu.choose('Mine');
    expect(await olu.page.locator('li.entry').count()).toBe(1);
    await olu.choose('OTOF now green');
  });
  expect([morag.actions, olu.actions]).toStrictEqual([4, 3]);
  expect(await olu.shown()).toMatch(/OTOF now green[\s\S]*assigned to Olu Operator[\s\S]*Morag Manager/);
});

test('an auditor sees who decided what and why after two actions, and takes it along with a third', async (context) => {
  const { signIn } = await openTeam();
  const morag = await signIn('managerScotland');
  for (const [gene, state, why] of [
    ['OTOF', 're-analyse', 'Two open cases'],
    ['COCH', 'no-action', 'Never reported from here'],
  ] as const) {
    await morag.page.goto(new URL('/worklist', morag.page.url()).href);
    await morag.tick(morag.page.getByRole('checkbox', { name: `${gene} ` }));
    await morag.decide(state);
    await morag.write('Reason', why);
    await morag.press('Decide');
    await morag.page.getByRole('heading', { name: 'Decided' }).waitFor();
  }
  const auditor = await signIn('scientistEngland');
  const file = await timed(context, async () => {
    await auditor.choose('Worklist');
    await auditor.choose('show all');
    const [download] = await Promise.all([auditor.page.waitForEvent('download'), auditor.choose('Report')]);
    return readFileSync(await download.path(), 'utf8');
  });
  expect(auditor.actions).toBe(3);
  const list = await auditor.shown();
  for (const [state, why] of [
    ['re-analyse', 'Two open cases'],
    ['no action', 'Never reported from here'],
  ]) {
    expect(list).toMatch(new RegExp(`${state}, Morag Manager[^\\n]*, 20 Nov 2026: ${why}`));
    expect(file).toMatch(
      new RegExp(
        `<b>Decisions</b>: 20 Nov 2026, 12:00 \\(Europe/London\\) Morag Manager[^<]* decided “${state}”: ${why}`,
      ),
    );
  }
});
