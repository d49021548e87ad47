import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';
import type { PageOptions } from '../../page/route-context.ts';
import { at, madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { type BrowserSession, tokenIn } from './browser-session.ts';
import { openTeamPage } from './team-page.ts';

/** A team's page that knows two versions of a panel, and a reader who is signed in. */
export async function openCases(origin?: string, cases?: PageOptions['cases']) {
  const team = await openTeamPage({ ...(origin !== undefined && { origin }), ...(cases && { cases }) });
  await keepTwoVersions(team.file, team.clock.now);
  const browser = team.browser();
  await team.signIn(browser, 'scientistEngland');
  const token = tokenIn(await (await browser.open('/impact')).text());
  return { team, browser, token };
}

/** Keeps two versions of panel 635, of which the newer one has PALB2 as green. */
export async function keepTwoVersions(file: StateFile, now: () => number): Promise<void> {
  const source = 'https://panelapp.example/api/v1/';
  await createSqliteStore(file, 'uk').begin({ mark: 0n, start: 0n, count: 0, source }, []);
  const store = createSqlitePanelStates({ file, catalogue: 'uk', now });
  const versions = [
    ['4.0', '2026-01-01', '2026-02-01', 'amber'],
    ['4.12', '2026-02-01', null, 'green'],
  ] as const;
  for (const [version, from, to, rating] of versions) {
    const times = { validFrom: at(`${from}T00:00:00`), validTo: to && at(`${to}T00:00:00`) };
    // After the event that the page begins with.
    const readAt = at('2026-11-21T10:00:00');
    const entities = [madeUpGene('PALB2', { rating })];
    const panel = { panelId: 635, panelName: 'Breast cancer', relevantDisorders: ['R208'] };
    await store.save(
      madeUpState({ ...panel, version, entities, ...times, readAt, source: to ? 'archive' : 'present' }),
    );
  }
  const signedOff = { panelId: 635, panelName: 'Breast cancer', listedAt: 0n, removedAt: null };
  await store.saveSignOffs([
    { ...signedOff, version: '4.0', date: '2026-01-20' },
    { ...signedOff, version: '4.12', date: '2026-11-10' },
  ]);
}

interface Asked {
  readonly text: string;
  readonly name?: string;
  readonly as?: string;
  readonly counts?: string;
  readonly token: string;
}

/** Sends a file of cases. */
export const sendCases = (
  browser: BrowserSession,
  { text, name = 'cases.csv', as = 'change', counts = 'working', token }: Asked,
) => browser.upload('/impact', { token, counts, as, cases: new File([text], name) });
