import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pairsOf } from '../../bin/commands/watch.ts';
import { saveDisagreements } from '../../lambdas/panels/disagreement-record.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { StateEntity } from '../../lambdas/panels/version-state.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { answerRequests } from '../../page/answer-requests.ts';
import { runCommand } from '../bin/run-command.ts';
import { newFolder } from '../new-folder.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';
import { breast, eventOf, rated } from '../words/events.ts';

const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
const state = newFolder();
let file: StateFile;
let request: (request: Request) => Promise<Response>;

const amber = { rating: 'amber' } as const;
const biallelic = { modeOfInheritance: 'BIALLELIC, autosomal' };
const monoallelic = { modeOfInheritance: 'MONOALLELIC, autosomal' };
const notStated = { modeOfInheritance: 'Unknown' };
const common = ['GJB2', 'COCH', 'MYO7A', 'TECTA'].map((name) => madeUpGene(name));
const hearing = { ...breast, id: 3, name: 'Hearing loss', version: '1.4', relevantDisorders: ['R67'] };

async function keep(
  catalogue: string,
  panels: readonly (readonly [number, string, readonly StateEntity[]])[],
) {
  const source = `https://${catalogue}.example/api/v1/`;
  await createSqliteStore(file, catalogue).begin({ mark: 0n, start: 0n, count: 0, source }, []);
  const states = createSqlitePanelStates({ file, catalogue, now: clock.now });
  for (const [panelId, panelName, entities] of panels)
    await states.save(
      madeUpState({
        panelId,
        panelName,
        entities: [...entities],
        // Two codes have a semicolon in a CSV file.
        relevantDisorders: panelId === 3 ? ['R67'] : panelId === 4 ? ['R54', 'R55'] : [],
      }),
    );
  return states;
}

beforeAll(async () => {
  file = openStateFile(state);
  const uk = await keep('uk', [
    [
      3,
      'Hearing loss',
      [
        ...[...common, madeUpGene('OTOF'), madeUpGene('DFNB9', { hgncId: 'HGNC:9', ...amber })],
        madeUpGene('TMC1', { ...amber, ...biallelic }),
      ],
    ],
    [4, 'Ataxia', [...common, madeUpGene('FXN', biallelic), madeUpGene('ATX1', { ...amber, ...notStated })]],
    [5, 'Only in the UK', [madeUpGene('PALB2')]],
  ]);
  await keep('australia', [
    [
      103,
      'hearing LOSS',
      [
        ...[...common, madeUpGene('OTOF', amber), madeUpGene('STRC', { hgncId: 'HGNC:9' })],
        madeUpGene('TMC1', { rating: 'red', ...monoallelic }),
      ],
    ],
    [
      104,
      'Ataxia and dystonia',
      [...common, madeUpGene('FXN', notStated), madeUpGene('ATX1', { rating: 'red', ...monoallelic })],
    ],
  ]);
  await keep('own', [[1, 'Hearing loss', common.slice(1)]]);
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
  const at = { panel: hearing, gene: 'OTOF', time: '2026-02-02T10:00:00.000000Z' };
  const wrote = eventOf(
    'entity.commented',
    { action: 'added', comment: 'Three unrelated families.', previousComment: null } as never,
    { ...at, id: 'w1' },
  );
  const events = [rated('amber', 'green', 'upgraded', { ...at, id: 'r1' }), wrote];
  await createSqliteHistory(file).append(
    events.map((event) => toMessage(event)),
    { catalogue: 'uk', since: 0n, until: BigInt(clock.now()) * 1000n },
  );
  request = answerRequests({ file, clock, zone: 'UTC', signal: AbortSignal.abort() });
});
afterAll(() => file.close());

const compare = (...args: readonly string[]) => runCommand(['compare', ...args, '--state', state], { clock });
const linesOf = (stdout: string) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

describe('the comparison of two catalogues', () => {
  test('has both ratings and signed-off ratings of what one alone has as green, since when, and who said what', async () => {
    const ran = await compare('uk', 'australia', '--format', 'ndjson');
    expect(ran.code).toBe(0);
    expect(linesOf(ran.stdout)).toMatchObject([
      {
        ...{
          what: 'green in uk, not in australia',
          name: 'OTOF',
          belongTogether: 'certain',
          because: ['equal names', '4 of 6 green entities in both'],
        },
        ...{ firstCatalogue: 'uk', firstPanelId: 3, firstRating: 'green', firstSignedOffVersion: '1.4' },
        ...{
          firstSignedOffRating: 'green',
          firstSince: '2026-02-02T10:00:00.000000Z',
          firstSinceIsExact: true,
        },
        ...{ firstRatedBy: 'Catherine Snowe', firstWrote: 'Three unrelated families.' },
        ...{
          secondPanelId: 103,
          secondRating: 'amber',
          secondSignedOffVersion: null,
          secondSinceIsExact: false,
        },
      },
      { what: 'green in australia, not in uk', name: 'STRC', firstName: 'DFNB9', hgncId: 'HGNC:9' },
      { what: 'green in neither, mode of inheritance differs', name: 'TMC1', secondRating: 'red' },
    ]);
    // Ataxia: another name, and all of its green genes.
    expect((await compare('uk', 'australia', '--by', 'panel')).stdout).toMatch(
      /hearing LOSS.* 1 +1 +1 +4\n.*Ataxia.* 0 +0 +0 +5$/m,
    );
    expect(ran.stderr).toContain('1 panel of uk without one of australia: Only in the UK.');
  });

  test('is of one side, of a gene under any symbol, of a code and of a panel where these are asked for', async () => {
    const names = async (...args: readonly string[]) =>
      linesOf((await compare('uk', 'australia', ...args, '--format', 'ndjson')).stdout).map(
        ({ name }) => name,
      );
    expect(await names('--only-in', 'australia')).toEqual(['STRC']);
    expect(await names('--gene', 'HGNC:9')).toEqual(['STRC']);
    expect(await names('--gene', 'dfnb9')).toEqual(['STRC']);
    expect(await names('--r-code', 'R67')).toHaveLength(3);
    expect(await names('--panel', 'Ataxia and dystonia')).toEqual([]);
  });

  test('counts modes of inheritance that one does not state, and lists them when asked', async () => {
    const ran = await compare('uk', 'australia');
    expect(ran.stderr).toContain(
      'Not listed: 2 modes of inheritance that uk or australia does not state: ATX1, FXN.',
    );
    const { stdout, stderr } = await compare('uk', 'australia', '--not-stated', '--panel', 'Ataxia');
    expect(stderr).toBe('');
    const lists = stdout.split('\n\n').slice(1);
    expect(lists).toEqual([
      expect.stringMatching(
        /^GREEN IN BOTH, ONE STATES NO MODE OF INHERITANCE \(1\)\n.*\nFXN .* BIALLELIC.* not stated/,
      ),
      expect.stringMatching(
        /^GREEN IN NEITHER, ONE STATES .*\n.*\nATX1 .* amber, not stated .* red, MONOALLELIC/,
      ),
    ]);
  });

  test('is of the panels that a file pairs, and of no others; the first such file is proposed', async () => {
    const proposed = await compare('uk', 'australia', '--propose-pairs', '--format', 'csv');
    expect(proposed.stdout).toMatch(/^certain pairs,.*equal names/m);
    expect(proposed.stdout).toMatch(/^likely pairs,.*Ataxia,.*5 of 5 green entities in both/m);
    const pairs = join(state, 'pairs.csv');
    await writeFile(pairs, proposed.stdout.replace(/^certain pairs.*\r\n/m, ''));
    const ran = await compare('australia', 'uk', '--pairs', pairs, '--by', 'panel', '--format', 'ndjson');
    expect(linesOf(ran.stdout)).toMatchObject([
      {
        firstCatalogue: 'australia',
        firstPanelId: 104,
        secondPanelId: 4,
        because: ['the file of pairs says so'],
      },
    ]);
    expect(ran.stderr).toContain('1 panel of uk left out by the file of pairs: Hearing loss.');
    expect(ran.stderr).toContain('1 panel of uk without one of australia: Only in the UK.');
    await writeFile(
      pairs,
      'firstCatalogue,firstPanelId,secondCatalogue,secondPanelId\nuk,999,australia,104\n',
    );
    const unread = await compare('uk', 'australia', '--pairs', pairs);
    expect([unread.code, unread.stderr]).toEqual([
      4,
      expect.stringContaining('has the panel 999 of uk, which was not read.'),
    ]);
    await writeFile(pairs, 'uk,australia\n3,103\n');
    expect(await compare('uk', 'australia', '--pairs', pairs)).toMatchObject({ code: 2 });
  });

  test('is of the same pairs on the page, where these are given', async () => {
    const pairs = 'firstCatalogue,firstPanelId,secondCatalogue,secondPanelId\nuk,4,australia,104\n';
    const answer = answerRequests({
      file,
      clock,
      zone: 'UTC',
      signal: AbortSignal.abort(),
      pairs: () => pairs,
    });
    const headers = { host: '127.0.0.1:7208' };
    const address = 'http://127.0.0.1:7208/compare.csv?sides=uk,australia&by=panel';
    const csv = await (await answer(new Request(address, { headers }))).text();
    expect(csv).toContain('the file of pairs says so');
    expect(csv).not.toMatch(/^panels,.*hearing loss/im);
    const ofGene = await answer(new Request('http://127.0.0.1:7208/gene?name=GJB2', { headers }));
    const lines = (await ofGene.text()).split('<tr>').map((line) => line.replace(/<[^>]*>/g, ' '));
    const greens = (name: string) =>
      lines.filter((line) => line.trim().startsWith(name)).map((line) => line.match(/green/g)?.length);
    // Equal names are no pair where a file says what is; of another catalogue, the file says nothing.
    expect([greens('Ataxia'), greens('hearing LOSS')]).toEqual([[2], [1]]);
    const wrong = join(state, 'wrong.csv');
    await writeFile(wrong, 'uk,australia\n3,103\n');
    expect(await runCommand(['page', '--pairs', wrong, '--state', state], { clock })).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('expected a CSV file with the columns') },
    });
    const ofWatch = pairsOf({ named: { name: 'uk' } as never, comparedWith: { australia: pairs } });
    const asked = [ofWatch('uk', 'australia'), ofWatch('australia', 'uk'), ofWatch('australia', 'own')];
    expect(asked).toEqual([pairs, pairs, null]);
  });

  test('is of the panels that are side by side on the page of a gene, once they were compared', async () => {
    const textOfGene = async () => {
      const address = new Request('http://127.0.0.1:7208/gene?name=GJB2', {
        headers: { host: '127.0.0.1:7208' },
      });
      return (await request(address)).text();
    };
    const greensOfAtaxia = async () => {
      const lines = (await textOfGene()).split('<tr>');
      return lines.find((line) => line.includes('>Ataxia<'))?.match(/>green</g)?.length;
    };
    const byName = 'Panels of uk and australia are side by side here where their names are equal.';
    expect(await textOfGene()).toContain(byName);
    expect(await greensOfAtaxia()).toBe(1);
    const panels: [{ id: number; name: string }, { id: number; name: string }] = [
      { id: 4, name: 'Ataxia' },
      { id: 104, name: 'Ataxia and dystonia' },
    ];
    await saveDisagreements(createSqliteDocuments(file, 'uk'), 'australia', {
      ...{ version: 0, wholeAt: 0, signature: '', pending: null, unread: [], notRead: [] },
      pairs: [{ panels, reasons: ['5 of 5 green entities in both'], sure: 'likely', stamp: '', why: null }],
    });
    expect(await greensOfAtaxia()).toBe(2);
    const text = (await textOfGene()).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(text).toMatch(
      / Ataxia R54, R55 likely: 5 of 5 green entities in both green .* Ataxia and dystonia : green /,
    );
    expect(text).not.toContain(byName);
    expect(text).toContain(byName.replace('uk and australia', 'uk and own'));
  });

  test('works with three catalogues too, and refuses one that is not followed', async () => {
    const ran = await compare('uk', 'australia', 'own', '--format', 'ndjson');
    const two = linesOf(ran.stdout).map(
      (line) => `${line.firstCatalogue} ${line.secondCatalogue} ${line.name}`,
    );
    expect(two).toEqual(expect.arrayContaining(['uk australia OTOF', 'uk own GJB2', 'australia own GJB2']));
    // Each list names the two that it is of: uk is not the first of every line.
    const whatOf = (catalogues: string) =>
      new Set(
        linesOf(ran.stdout)
          .filter((line) => `${line.firstCatalogue} ${line.secondCatalogue} ${line.name}` === catalogues)
          .map(({ what }) => what),
      );
    expect([...whatOf('australia own GJB2')]).toEqual(['australia and own: green in australia, not in own']);
    const forPeople = (await compare('uk', 'australia', 'own')).stdout;
    expect(forPeople).toMatch(
      /AUSTRALIA AND OWN: GREEN IN AUSTRALIA, NOT IN OWN .*\n.* in the first .* in the second /,
    );
    expect(await compare('uk', 'nowhere')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected two catalogues of australia, own, uk'),
    });
  });

  test('is the same on the page', async () => {
    const get = async (path: string) => {
      const address = new Request(`http://127.0.0.1:7208${path}`, { headers: { host: '127.0.0.1:7208' } });
      return (await request(address)).text();
    };
    const text = (await get('/compare?sides=uk,australia')).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(text).toMatch(
      /Green in uk, not in australia 1 .*OTOF .*green 1\.4 , since 2 Feb 2026, signed off in 1\.4: green .*amber 1\.4 , not green since at the latest 1 Mar 2026/,
    );
    expect(text).toContain('rated by Catherine Snowe: “Three unrelated families.”');
    expect(await get('/compare.csv?sides=uk,australia&only-in=australia')).toMatch(/STRC/);
    const current = async (path: string) => /aria-current="page">([^<]*)/.exec(await get(path))?.[1];
    expect(await get('/')).toContain(
      '<a href="/compare?sides=uk&amp;sides=australia&amp;sides=own">Disagreements</a>',
    );
    expect(await current('/compare?sides=uk,australia')).toBe('Disagreements');
    expect(await current('/compare?sides=2026-03-01,newest')).toBe('Not signed off');
    expect(await current('/compare')).toBe('Not signed off');
  });
});
