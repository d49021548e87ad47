import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { at, madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { breast, turnedGreen } from '../words/events.ts';
import { NOW, type OpenedPage, openPage } from './open-page.ts';

const hearing = { ...breast, id: 3, name: 'Hearing loss', version: '1.5', relevantDisorders: ['R67'] };

let page: OpenedPage;
beforeEach(async () => {
  page = await openPage([
    turnedGreen({ id: 'a1', panel: hearing, gene: 'OTOF', time: '2026-04-02T10:00:00.000000Z' }),
  ]);
  const uk = createSqlitePanelStates({ file: page.file, catalogue: 'uk', now: () => Date.parse(NOW) });
  const [gjb2, otof, coch] = [
    madeUpGene('GJB2'),
    madeUpGene('OTOF', { rating: 'amber' }),
    madeUpGene('COCH', { rating: 'red' }),
  ];
  await uk.save(
    madeUpState({ entities: [gjb2, otof, coch], validTo: at('2026-04-02T10:00:00'), source: 'archive' }),
  );
  await uk.save(
    madeUpState({
      version: '1.5',
      validFrom: at('2026-04-02T10:00:00'),
      readAt: at('2026-04-02T10:05:00'),
      entities: [
        gjb2,
        { ...otof, rating: 'green' },
        madeUpGene('TMPRSS3', { rating: 'green', tags: ['new'] }),
      ],
      proof: { kind: 'explained', events: 2 },
    }),
  );
  await uk.saveSignOffs([
    {
      panelId: 3,
      panelName: 'Hearing loss',
      version: '1.4',
      date: '2026-03-10',
      listedAt: 0n,
      removedAt: null,
    },
  ]);
  await uk.save(madeUpState({ panelId: 4, panelName: 'Deafness', entities: [{ ...otof, name: 'DFNB9' }] }));
});
afterEach(() => page.close());

const textOf = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('a panel', () => {
  test('shows what it holds now, by rating', async () => {
    const text = textOf(await page.text('/panel/uk/3'));
    expect(text).toContain('Version 1.5 , since 2 Apr 2026');
    expect(text).toMatch(/green 3 .*GJB2 .*OTOF .*TMPRSS3/);
    expect(text).not.toContain('COCH');
    expect(text).toContain('2 changes of this version have no row in the log.');
  });

  test('shows what it held at another version, and finds a name and a rating in it', async () => {
    expect(textOf(await page.text('/panel/uk/3?version=1.4'))).toMatch(
      /green 1 .*GJB2.*amber 1 .*OTOF.*red 1 .*COCH/,
    );
    const found = await page.text('/panel/uk/3?version=1.4&rating=red&name=co');
    expect(textOf(found)).toContain('of which 1 matches');
    expect(found).not.toContain('name=GJB2');
    expect(await page.text('/panel/uk/3?version=9.9')).toContain('No state of version 9.9 is kept.');
    expect((await page.get('/panel/uk/3?rating=blue')).status).toBe(400);
  });

  test('whose states were read and whose changes were not is shown too', async () => {
    const text = textOf(await page.text('/panel/uk/4'));
    expect(text).toContain('The history has no change of this panel in the period that was read.');
    expect(text).toContain('DFNB9');
  });

  test('and its gene have the rating of a row after the reading', async () => {
    const deafness = { ...breast, id: 4, name: 'Deafness', version: '1.4', relevantDisorders: [] };
    const given = { id: 'b2', panel: deafness, gene: 'DFNB9', time: '2026-04-05T10:00:00.000000Z' };
    await page.append(turnedGreen(given));
    const text = textOf(await page.text('/panel/uk/4'));
    expect(text).toMatch(/with what events state up to 5 Apr 2026[^:]*:\d\d.*green 1 .*DFNB9/);
    expect(textOf(await page.text('/gene?name=DFNB9'))).toMatch(/green DFNB9 since 5 Apr 2026/);
  });

  test('without a state says that its contents are unknown', async () => {
    await page.append(turnedGreen({ id: 'b1' }));
    expect(await page.text('/panel/uk/635')).toContain('What this panel holds is unknown');
  });
});

describe('a version', () => {
  const asked = '/compare?catalogue=uk&panel=3&sides=previous,1.5';

  test('shows its difference to the one before, since when, and whether it is proven', async () => {
    expect(await page.text('/panel/uk/3')).toContain(asked.replaceAll('&', '&amp;').replace(',', '%2C'));
    const html = await page.text(asked);
    expect(textOf(html)).toMatch(
      /Green in 1\.5, not in the version before 2 .*OTOF Hearing loss R67 amber 1\.4 green 1\.5 2 Apr 2026 .*TMPRSS3 .*not on the panel 1\.4 green 1\.5 .*In the version before alone, not green 1 .*COCH .*red 1\.4 not on the panel/,
    );
    expect(textOf(html)).toContain('2 changes of this version have no row in the log.');
    expect(html).toContain('href="/?panel=3&amp;since=all"');
  });

  test('that is the first one read says that its changes are unknown', async () => {
    expect(await page.text('/compare?catalogue=uk&panel=3&sides=previous,1.4')).toContain(
      'No version before it was read, so what it changed is unknown',
    );
  });

  test('that the panel never had, or whose panel does not exist, is said not to exist', async () => {
    expect(await page.text('/compare?catalogue=uk&panel=3&sides=previous,7.7')).toContain(
      'Hearing loss (3) has no version 7.7 that is known. The newest known version is 1.5.',
    );
    expect((await page.get('/compare?catalogue=uk&panel=x&sides=previous,1.5')).status).toBe(404);
    expect((await page.get('/compare?sides=1.4,1.5')).status).toBe(400);
  });
});

describe('a gene', () => {
  test('shows every panel that holds it, under any symbol, with its rating and of how many panels that is', async () => {
    const store = createSqliteStore(page.file, 'uk');
    expect(await store.listing()).toBeNull();
    const text = textOf(await page.text('/gene?name=otof'));
    expect(text).toContain('2 panels of the 2 panels that were read hold it.');
    expect(text).toMatch(/Hearing loss .*green .*OTOF .*Deafness .*amber .*DFNB9/);
  });

  test('shows the panels of each catalogue that was read', async () => {
    const store = createSqlitePanelStates({
      file: page.file,
      catalogue: 'australia',
      now: () => Date.parse(NOW),
    });
    await createSqliteDocuments(page.file, 'australia').save('archive', 0, '{}');
    const red = madeUpGene('OTOF', { rating: 'red' });
    await store.save(madeUpState({ panelId: 209, panelName: 'Deafness_Isolated', entities: [red] }));
    const text = textOf(await page.text('/gene?name=OTOF'));
    expect(text).toMatch(/uk 2 panels of the 2 panels that were read hold it\..*Hearing loss .*green/);
    expect(text).toMatch(
      /australia 1 panel of the 1 panel that were read holds it\..*Deafness_Isolated .*red/,
    );
  });

  test('shows what two catalogues say of it on panels of one name side by side, with the signed-off rating and since when', async () => {
    const store = (catalogue: string) =>
      createSqlitePanelStates({ file: page.file, catalogue, now: () => Date.parse(NOW) });
    await createSqliteDocuments(page.file, 'australia').save('archive', 0, '{}');
    await store('australia').save(
      madeUpState({
        panelId: 209,
        panelName: 'hearing Loss',
        entities: [madeUpGene('OTOF', { rating: 'red' })],
      }),
    );
    const text = textOf(await page.text('/gene?name=OTOF'));
    expect(text).toMatch(
      /Panel uk australia Hearing loss R67 equal names green OTOF since 2 Apr 2026, version 1\.5 , signed off in 1\.4: amber red OTOF since at the latest 1 Mar 2026, version 1\.4/,
    );
  });

  test('that a catalogue’s panel does not hold is said to be absent, and of what was not read, unknown', async () => {
    const store = createSqlitePanelStates({
      file: page.file,
      catalogue: 'australia',
      now: () => Date.parse(NOW),
    });
    await createSqliteDocuments(page.file, 'australia').save('archive', 0, '{}');
    await store.save(
      madeUpState({
        panelId: 209,
        panelName: 'hearing Loss',
        entities: [madeUpGene('GJB2', { rating: 'green' })],
      }),
    );
    const text = textOf(await page.text('/gene?name=OTOF'));
    expect(text).toMatch(/Hearing loss R67 .*green OTOF .* not on hearing Loss version 1\.4/);
    expect(text).toMatch(/Deafness R67 amber DFNB9 .* unknown: no panel that belongs to it has been read/);
  });

  test('is also found by the symbol of another panel', async () => {
    expect(textOf(await page.text('/gene?name=DFNB9'))).toMatch(/Hearing loss .*OTOF/);
  });

  test('that no panel holds and no change names is unknown, with names like it', async () => {
    const response = await page.get('/gene?name=OTOFF');
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(html).toContain('No gene, STR or region is called “OTOFF” in what was read.');
    expect(html).toContain('href="/gene?name=OTOF"');
  });
});

describe('a file to save', () => {
  const linesOf = async (address: string): Promise<readonly string[]> =>
    (await page.text(address)).replace('\ufeff', '').trim().split('\r\n');

  test('of a panel has what is shown: of the chosen version, by name and rating', async () => {
    expect(await page.text('/panel/uk/3?version=1.4&rating=amber')).toContain(
      'href="/panel/uk/3/contents.csv?version=1.4&amp;name=&amp;rating=amber"',
    );
    const [headings, ...lines] = await linesOf('/panel/uk/3/contents.csv?version=1.4&rating=amber');
    expect(headings).toMatch(/^what,name,catalogue,panelId,.*,version,.*,rating,hgncId,/);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^"Hearing loss \(3\), version 1\.4",OTOF,uk,3,.*,v1\.4,/);
  });

  test('of a gene has every panel that holds it, and of how many panels that is', async () => {
    expect(await page.text('/gene?name=OTOF')).toContain('href="/gene.csv?name=OTOF"');
    const lines = await linesOf('/gene.csv?name=OTOF');
    expect(lines[0]).toBe(
      'catalogue,panel id,panel,R codes,rating,name there,HGNC id,version,signed-off version,signed-off rating,since,since is exact',
    );
    expect(
      lines.some((line) =>
        /^uk,3,Hearing loss,.*,green,OTOF,HGNC:\d+,v1\.5,v1\.4,amber,2026-04-02T10:00:00\.000000Z,yes$/.test(
          line,
        ),
      ),
    ).toBe(true);
    expect(lines.some((line) => /^uk,,.*panels? .*that were read/.test(line))).toBe(true);
  });

  test('of a version has what it changed', async () => {
    expect(await page.text('/compare?catalogue=uk&panel=3&sides=previous,1.5')).toContain(
      'href="/compare.csv?',
    );
    const [heading, ...lines] = await linesOf('/compare.csv?catalogue=uk&panel=3&sides=previous,1.5');
    const columns = heading?.split(',') ?? [];
    const cells = (line: string): readonly string[] =>
      line.replace(/"[^"]*"/g, (text) => text.replaceAll(',', ';')).split(',');
    const shown = ['name', 'firstVersion', 'firstRating', 'secondVersion', 'secondRating'];
    expect(lines.map((line) => shown.map((column) => cells(line)[columns.indexOf(column)]))).toEqual([
      ['OTOF', 'v1.4', 'amber', 'v1.5', 'green'],
      ['TMPRSS3', 'v1.4', 'absent', 'v1.5', 'green'],
      ['COCH', 'v1.4', 'red', 'v1.5', 'absent'],
    ]);
  });
});

describe('the files of a panel', () => {
  test('are those of the command, each with what it lacks', async () => {
    const panelView = await page.text('/panel/uk/3?version=1.4');
    expect(panelView).toContain('href="/state/files?panel=3&amp;version=1.4&amp;catalogue=uk"');
    const view = await page.text('/state/files?panel=3&version=1.4&catalogue=uk');
    expect(textOf(view)).toContain('Hearing loss (3), version 1.4 of uk');
    for (const format of ['bed', 'scout', 'scout-jsonl', 'seqr', 'panelapp'])
      expect(view).toContain(`href="/state/files/${format}?panel=3&amp;version=1.4&amp;catalogue=uk"`);
    const unplaced = madeUpGene('GJB2', { locations: { GRCh37: null, GRCh38: null } });
    const states = createSqlitePanelStates({ file: page.file, catalogue: 'uk', now: () => Date.parse(NOW) });
    await states.save(madeUpState({ panelId: 5, panelName: 'Ear', entities: [unplaced] }));
    expect(textOf(await page.text('/state/files?panel=5'))).toContain(
      'Green without a location in GRCh38, and so in the header only: GJB2.',
    );
    expect(textOf(view)).toContain('start watch with --relay-port');
    const file = await page.get('/state/files/seqr?panel=3&version=1.4');
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="panel-state-\S+\.txt"$/);
    expect((await file.text()).trim()).toBe('ENSG00000012048');
  });

  test('are none of what is unknown', async () => {
    const unread = await page.text('/state/files?panel=3&version=0.1');
    expect(unread).toContain('class="warning"');
    expect(unread).not.toContain('/state/files/');
    expect((await page.get('/state/files/seqr?panel=3&version=0.1')).status).toBe(404);
    expect((await page.get('/state/files/nosuch?panel=3')).status).toBe(404);
  });
});
