import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { SignOff } from '../../lambdas/panels/version-state.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { at, madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { breast, turnedGreen } from '../words/events.ts';
import { NOW, type OpenedPage, openPage } from './open-page.ts';

const hearing = { ...breast, id: 3, name: 'Hearing loss', version: '1.6', relevantDisorders: ['R67'] };

const signOff = (panelId: number, version: string, date: string): SignOff => ({
  panelId,
  panelName: 'Hearing loss',
  version,
  date,
  listedAt: at('2026-03-11T00:00:00'),
  removedAt: null,
});

let page: OpenedPage;
let states: ReturnType<typeof createSqlitePanelStates>;
beforeEach(async () => {
  page = await openPage([
    turnedGreen({ id: 'a1', panel: hearing, gene: 'OTOF', time: '2026-04-02T10:00:00.000000Z' }),
  ]);
  states = createSqlitePanelStates({ file: page.file, catalogue: 'uk', now: () => Date.parse(NOW) });
  const [gjb2, otof, coch] = [
    madeUpGene('GJB2'),
    madeUpGene('OTOF', { rating: 'amber' }),
    madeUpGene('COCH'),
  ];
  await states.save(
    madeUpState({ entities: [gjb2, otof, coch], validTo: at('2026-03-12T10:00:00'), source: 'archive' }),
  );
  await states.save(
    madeUpState({
      version: '1.5',
      source: 'archive',
      validFrom: at('2026-03-12T10:00:00'),
      validTo: at('2026-04-02T10:00:00'),
      entities: [gjb2, otof, { ...coch, rating: 'amber' }],
    }),
  );
  await states.save(
    madeUpState({
      version: '1.6',
      validFrom: at('2026-04-02T10:00:00'),
      readAt: at('2026-04-03T00:00:00'),
      entities: [gjb2, { ...otof, rating: 'green' }, { ...coch, rating: 'red' }],
    }),
  );
  await states.save(madeUpState({ panelId: 4, panelName: 'Deafness', entities: [gjb2] }));
  await states.saveSignOffs([signOff(3, '1.4', '2026-03-10')]);
});
afterEach(() => page.close());

const textOf = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

test('the preview of a message says which version is signed off, and what it holds', async () => {
  const text = textOf(await page.text('/event/a1/mail'));
  expect(text).toContain(
    'Not signed off yet: the signed-off version is 1.4, since 10 March 2026, where it is amber',
  );
});

describe('what waits for a sign-off', () => {
  test('is listed with the time since when, after what is signed off as green and no longer green', async () => {
    const text = textOf(await page.text('/compare'));
    expect(text).toContain(
      '1 panel compared: what it held in the signed-off version, and in the newest version.',
    );
    expect(text).toMatch(
      /Green in the signed-off version, not in the newest version 1 .*COCH Hearing loss .*green 1\.4 , 10 Mar 2026 red 1\.6 12 Mar 2026 .*Green in the newest version, not in the signed-off version 1 .*OTOF Hearing loss .*amber 1\.4 , 10 Mar 2026 green 1\.6 2 Apr 2026/,
    );
    expect(text).not.toContain('GJB2');
    expect(text).toContain('1 panel without a signed-off version: Deafness.');
  });

  test('is as of the last event after the reading: what a row made green again is not listed as no longer green', async () => {
    const later = { ...hearing, version: '1.7' };
    await page.append(
      turnedGreen({ id: 'a2', panel: later, gene: 'COCH', time: '2026-05-02T10:00:00.000000Z' }),
      turnedGreen({ id: 'a3', panel: later, gene: 'MYO7A', time: '2026-05-02T11:00:00.000000Z' }),
    );
    const text = textOf(await page.text('/compare'));
    expect(text).not.toMatch(/Green in the signed-off version, not|COCH/);
    expect(text).toMatch(/MYO7A Hearing loss .* green 1\.7, by events up to 2 May 2026, 12:00/);
    expect(text).toContain(
      'version 1.7 has not been read yet. The lists show version 1.6, with what events state since.',
    );
    expect(await page.text('/compare.csv')).toContain('2026-05-02T11:00:00.000000Z');
  });

  test('is given as CSV, with versions that a spreadsheet takes for text', async () => {
    const csv = await page.text('/compare.csv');
    expect(csv).toMatch(
      /"green in the signed-off version, not in the newest version",COCH,gene,HGNC:\d+,.*,uk,3,Hearing loss,v1\.4,2026-03-10,.*,COCH,green,.*,v1\.6,.*,COCH,red,/,
    );
    expect(csv).toContain('1 panel without a signed-off version: Deafness.');
  });

  test('is never said to be nothing where a version is not kept, or no sign-off is known', async () => {
    await states.saveSignOffs([{ ...signOff(4, '0.9', '2026-03-10'), panelName: 'Deafness' }]);
    const text = textOf(await page.text('/compare'));
    expect(text).toContain('Deafness (4): unknown. The contents of its signed-off version 0.9 are not kept.');
    expect(text).toContain(
      '1 panel compared: what it held in the signed-off version, and in the newest version.',
    );
    const without = await openPage([turnedGreen({ id: 'a1', panel: hearing, gene: 'OTOF' })]);
    expect(textOf(await without.text('/compare'))).toContain('No sign-off of uk is known');
    await without.close();
    const bare = await openPage([]);
    await createSqliteDocuments(bare.file, 'uk').save('sign-offs', 0, '{}');
    expect(textOf(await bare.text('/compare'))).toMatch(/No sign-off of uk is known|No panel that was read/);
    await bare.close();
  });

  test('a panel that nothing is called gets no answer', async () => {
    expect((await page.get('/compare?panel=nonsense')).status).toBe(404);
    expect((await page.get('/compare.csv?panel=nonsense')).status).toBe(404);
    expect((await page.get('/compare?order=length')).status).toBe(400);
  });
});

test('a panel lists its signed-off versions', async () => {
  expect(textOf(await page.text('/panel/uk/3'))).toMatch(
    /Signed-off versions .*1\.4 10 Mar 2026 .*What waits for the next sign-off/,
  );
});
