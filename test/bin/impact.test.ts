import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import promoted from '../../docs/examples/gene-panel.panel.promoted.v1.json' with { type: 'json' };
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { at, madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type Ran, runCommand, words } from './run-command.ts';

const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9), wokenByHand: true });
/** Stands in every cell that must not be shown outside of the answer. */
const SECRET = 'CANARY';
const root = newFolder();
const state = join(root, 'state');

beforeAll(async () => {
  const file = openStateFile(state);
  const source = 'https://panelapp.example/api/v1/';
  await createSqliteStore(file, 'uk').begin({ mark: 0n, start: 0n, count: 0, source }, []);
  const store = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
  const gene = (name: string, rating: 'green' | 'amber') => madeUpGene(name, { rating });
  const breast = { panelId: 635, panelName: 'Breast cancer', hashId: '5fb', relevantDisorders: ['R208'] };
  const versions = [
    ['4.0', '2026-01-01T00:00:00', '2026-03-05T09:00:00', [gene('BRCA1', 'green'), gene('PALB2', 'amber')]],
    ['4.1', '2026-03-05T09:00:00', '2026-06-01T00:00:00', [gene('BRCA1', 'green'), gene('PALB2', 'green')]],
    ['4.2', '2026-06-01T00:00:00', null, [gene('PALB2', 'green'), gene('BRCA1', 'amber')]],
  ] as const;
  for (const [version, from, to, entities] of versions) {
    await store.save(
      madeUpState({
        ...breast,
        version,
        entities,
        validFrom: at(from),
        validTo: to && at(to),
        source: to ? 'archive' : 'present',
        readAt: at('2026-11-20T08:59:00'),
      }),
    );
  }
  const signedOff = { panelId: 635, panelName: 'Breast cancer', listedAt: 0n, removedAt: null };
  await store.saveSignOffs([{ ...signedOff, version: '4.0', date: '2026-02-01' }]);
  file.close();
});

let files = 0;
async function impact(text: string, args: readonly string[] = [], ending = 'csv'): Promise<Ran> {
  files += 1;
  const cases = join(root, `${files}.${ending}`);
  await writeFile(cases, text);
  return runCommand(['impact', '--state', state, '--cases', cases, ...args], { clock });
}

const rowsOf = ({ stdout }: Ran): readonly Readonly<Record<string, unknown>>[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

test('changes are counted by the cases that they concern', async () => {
  const ran = await impact('case,panel,version\na,R208,4.0\nb,635,4.0\nc,5fb,4.1\nd,Breast cancer,4.2\n');
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toBe(`4 cases compared with the newest version of their panels, 2026-11-20 09:00Z.
3 cases with a change, 1 case without one, 0 cases with something unknown.
To list the cases: --by case --format csv --output FILE

NOW GREEN (1)
panel                       gene, str or region  before and now  analysed with  cases
Breast cancer, version 4.2  PALB2                amber → green   4.0            2 cases

NO LONGER GREEN (1)
panel                       gene, str or region  before and now  analysed with  cases
Breast cancer, version 4.2  BRCA1                green → amber   4.0, 4.1       3 cases
`);
});

test('a panel that was renamed has its present name, and the one of that day beside it', async () => {
  const renamed = join(root, 'renamed');
  await cp(state, renamed, { recursive: true });
  const file = openStateFile(renamed);
  await createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now }).save(
    madeUpState({
      panelId: 635,
      panelName: 'Familial breast cancer',
      version: '4.3',
      validFrom: at('2026-07-01T00:00:00'),
      entities: [madeUpGene('PALB2'), madeUpGene('BRCA1', { rating: 'amber' })],
      readAt: at('2026-11-20T08:59:30'),
    }),
  );
  file.close();
  const text = 'case,panel,version\na,635,4.0\nb,635,4.1\n';
  const { stdout } = await impact(text, ['--state', renamed]);
  const panel = 'Familial breast cancer (formerly Breast cancer)';
  expect(stdout).toContain(`${panel}, version 4.3  PALB2                amber → green`);
  expect(stdout).toContain(`${panel}, version 4.3  BRCA1                green → amber`);
  const signedOff = ['--counts', 'signed-off', '--format', 'ndjson', '--state', renamed];
  expect(rowsOf(await impact(text, signedOff))).toMatchObject([
    { name: 'PALB2', panelName: 'Familial breast cancer', panelFormerly: ['Breast cancer'], version: '4.0' },
  ]);
});

test('the signed-off version counts where it is asked for', async () => {
  const ran = await impact(
    'case,panel,version\na,R208,4.0\nb,R208,4.1\n',
    words`--counts signed-off --format ndjson`,
  );
  expect(ran.code).toBe(0);
  expect(rowsOf(ran)).toMatchObject([{ change: 'no longer green', name: 'PALB2', version: '4.0', cases: 1 }]);
});

describe('a green gene whose mode of inheritance changed', () => {
  const mono = 'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted';
  const imprinted = 'MONOALLELIC, autosomal or pseudoautosomal, imprinted status unknown';
  const bi = 'BIALLELIC, autosomal or pseudoautosomal';
  const held = async (then: object, now: object): Promise<string> => {
    files += 1;
    const place = join(root, `modes ${files}`);
    await cp(state, place, { recursive: true });
    const file = openStateFile(place);
    const store = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
    const kidney = { panelId: 283, panelName: 'Kidney', relevantDisorders: ['R193'] };
    for (const [version, from, to, gene] of [
      ['1.0', '2026-01-01T00:00:00', '2026-03-05T09:00:00', then],
      ['1.1', '2026-03-05T09:00:00', null, now],
    ] as const)
      await store.save(
        madeUpState({
          ...kidney,
          version,
          entities: [madeUpGene('PKD1', gene), madeUpGene('PKD2', { modeOfInheritance: mono })],
          validFrom: at(from),
          validTo: to && at(to),
          source: to ? 'archive' : 'present',
          readAt: at('2026-11-20T08:59:00'),
        }),
      );
    file.close();
    return place;
  };
  const text = 'case,panel,version\na,R193,1.0\nb,283,1.0\nc,R193,1.1\n';

  test('concerns its cases, with both values, under a heading of its own', async () => {
    const place = await held({ modeOfInheritance: bi }, { modeOfInheritance: mono });
    const { stdout } = await impact(text, ['--state', place]);
    expect(stdout).toContain('2 cases with a change, 1 case without one');
    expect(stdout).toMatch(
      /^MODE OF INHERITANCE CHANGED \(1\)\n.*\nKidney, version 1\.1 {2}PKD1 +BIALLELIC → MONOALLELIC {2}1\.0 +2 cases\n/m,
    );
    const rows = rowsOf(await impact(text, ['--state', place, '--by', 'case', '--format', 'ndjson']));
    expect(rows).toMatchObject([
      {
        case: 'a',
        name: 'PKD1',
        change: 'mode of inheritance changed',
        inheritanceThen: bi,
        inheritanceNow: mono,
      },
      { case: 'b', name: 'PKD1' },
    ]);
    const without = await impact(text, ['--state', place, '--without-inheritance']);
    expect(without.stdout).toContain('0 cases with a change, 3 cases without one');
  });

  test.each([
    ['within its group', { modeOfInheritance: mono }, { modeOfInheritance: imprinted }, []],
    [
      'of an amber gene',
      { modeOfInheritance: bi, rating: 'amber' },
      { modeOfInheritance: mono, rating: 'amber' },
      [],
    ],
    [
      'of a gene that turned green',
      { modeOfInheritance: bi, rating: 'amber' },
      { modeOfInheritance: mono },
      ['now green'],
    ],
    [
      'to one that is not stated',
      { modeOfInheritance: bi },
      { modeOfInheritance: 'Unknown' },
      ['mode of inheritance changed'],
    ],
  ])('counts by its group and its rating: %s', async (_title, then, now, expected) => {
    const place = await held(then, now);
    const rows = rowsOf(await impact(text, ['--state', place, '--format', 'ndjson']));
    expect(rows.map(({ change }) => change)).toEqual(expected);
  });
});

describe('a laboratory that tests by signed-off versions', () => {
  const hearing = { panelId: 126, panelName: 'Hearing loss', relevantDisorders: ['R67'] };
  let signedOff: string;
  beforeAll(async () => {
    signedOff = join(root, 'signed-off');
    await cp(state, signedOff, { recursive: true });
    const file = openStateFile(signedOff);
    const store = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
    for (const [version, from, to, rating] of [
      ['1.0', '2025-01-10T09:00:00', '2025-03-01T09:00:00', 'amber'],
      ['1.1', '2025-03-01T09:00:00', '2026-02-01T09:00:00', 'green'],
      ['2.0', '2026-02-01T09:00:00', null, 'green'],
    ] as const)
      await store.save(
        madeUpState({
          ...hearing,
          version,
          validFrom: at(from),
          validTo: to && at(to),
          source: to ? 'archive' : 'present',
          readAt: at('2026-11-20T08:59:00'),
          entities: [madeUpGene('STRC', { rating })],
        }),
      );
    const listed = { panelId: 126, panelName: 'Hearing loss', listedAt: 0n, removedAt: null };
    await store.saveSignOffs([
      { ...listed, version: '1.0', date: '2025-02-01' },
      { ...listed, version: '2.0', date: '2026-02-03' },
    ]);
    file.close();
  });
  const asked = (line: string, ...more: readonly string[]) =>
    impact(`case,panel,version,date\n${line}\n`, [
      ...['--state', signedOff, '--counts', 'signed-off', '--format', 'ndjson'],
      ...more,
    ]);

  test.each([
    ['a day long after the working version moved on', 'a,R67,,2025-09-01'],
    ['a time of day', 'a,R67,,2025-09-01T12:00:00Z'],
    ['the day of its first sign-off', 'a,R67,,2025-02-01'],
    ['the last day before the next sign-off', 'a,R67,,2026-02-02'],
    ['the version with a later day', 'a,R67,1.0,2025-09-01'],
  ])('has used the version that was signed off then: %s', async (_title, line) => {
    const ran = await asked(line);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(rowsOf(ran)).toMatchObject([
      { change: 'now green', name: 'STRC', ratingThen: 'amber', version: '2.0', analysedWith: '1.0' },
    ]);
  });

  test.each([
    [
      'a day before the first sign-off',
      'a,R67,,2025-01-20',
      'the first known sign-off, of version 1.0, is dated 2025-02-01',
    ],
    [
      'the day of the next sign-off',
      'a,R67,,2026-02-03',
      'another version was signed off on the day of the analysis (versions 1.0, 2.0): give the version',
    ],
    ['a version with a day before it began', 'a,R67,1.1,2025-02-20', 'began on 2025-03-01'],
  ])('does not know what was used: %s', async (_title, line, why) => {
    const ran = await asked(line);
    expect(ran.code).toBe(4);
    expect(rowsOf(ran)).toMatchObject([{ change: 'unknown', reason: expect.stringContaining(why) }]);
  });
});

test('a gene that a second analysis of the case held as green is not new to it', async () => {
  const ran = await impact('case,panel,version\na,R208,4.0\na,R208,4.1\n', ['--format', 'ndjson']);
  expect(rowsOf(ran).map(({ change, name }) => `${change} ${name}`)).toEqual(['no longer green BRCA1']);
});

describe('what is unknown is said, with its reason', () => {
  test.each([
    ['a version that is not kept', `${SECRET},R208,9.9,`, /state of version 9\.9 is not kept/],
    [
      'a day of which nothing is kept',
      `${SECRET},R208,,2020-01-01`,
      /held on the day of the analysis is unknown: the oldest version that has been read, [\d.]+, began on \d{4}-/,
    ],
    [
      'a panel that does not exist',
      `${SECRET},${SECRET}-panel,4.0,`,
      /no panel has this name, number or code, or several panels have it/,
    ],
    ['a version that ended before the day', `${SECRET},R208,4.0,2026-07-01`, /contradict each other/],
    [
      'a day on which the panel changed',
      `${SECRET},R208,,2026-03-05`,
      /changed on the day of the analysis \(versions 4\.0, 4\.1\)/,
    ],
  ])('%s', async (_title, line, reason) => {
    const ran = await impact(`case,panel,version,date\n${line}\n`);
    expect(ran.code).toBe(4);
    expect(ran.stdout).toMatch(reason);
    expect(ran.stdout).toContain('1 case with something unknown');
    expect(ran.stdout).not.toContain('1 case without one');
    expect(ran.stdout + ran.stderr).not.toContain(SECRET);
  });
});

test('where the catalogue was asked in vain, nothing advises to ask it', async () => {
  const catalogue = await startCatalogue({ clock, history: 400 });
  onTestFinished(() => catalogue.close());
  const place = ['--state', join(root, 'asked'), '--catalogue', catalogue.url];
  await runCommand(['poll', '--only', 'log', ...place], { clock });
  const { code, stdout } = await impact('case,panel,date\na,R67,2019-01-01\n', place);
  expect(code).toBe(4);
  expect(stdout).toMatch(
    /1 case {2}.+: the archive of the catalogue does not show it\. Give the version \(line 2\)\n/,
  );
});

/** A copy of the state in which an event names a version of the panel. */
async function publish(
  version: string,
  time: string,
  readUntil = '2026-11-20T09:00:00',
  id = 635,
): Promise<string> {
  const other = join(root, `${version} ${readUntil} ${id}`);
  await cp(state, other, { recursive: true });
  const file = openStateFile(other);
  const panel = { ...promoted.data.panel, id, name: id === 635 ? 'Breast cancer' : 'A new panel', version };
  const event = { ...promoted, time, data: { ...promoted.data, panel } };
  const record = { id: event.id, topic: 'panels', body: JSON.stringify(event) } as const;
  await createSqliteHistory(file).append([record], { catalogue: 'uk', since: 0n, until: at(readUntil) });
  file.close();
  return other;
}

describe('a version that events name and that has not been read yet', () => {
  test.each([
    ['a later number', '4.3', '2026-11-20T08:58:00.000000Z'],
    ['an older number, after the panel was set back', '3.9', '2026-11-20T08:59:30.000000Z'],
  ])('makes what counts now unknown: %s', async (_title, version, time) => {
    const place = ['--state', await publish(version, time)];
    const ran = await impact('case,panel,version\na,R208,4.2\n', place);
    expect(ran.code).toBe(4);
    expect(ran.stdout).toContain('0 cases without one, 1 case with something unknown');
    expect(ran.stdout).toContain(
      `Breast cancer (635): Version ${version} has not been read yet: the newest state that is kept is of version 4.2. Give --catalogue URL`,
    );
    const listed = await runCommand(['state', '--panel', '635', ...place], { clock });
    expect(listed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Breast cancer: Version ${version} has not been read yet:`),
    });
    const signedOff = await impact('case,panel,version\na,R208,4.0\n', [...place, '--counts', 'signed-off']);
    expect(signedOff.code, 'the signed-off version is known').toBe(0);
  });

  test('is none where an event names an older version, from before the reading', async () => {
    const place = ['--state', await publish('4.1', '2026-11-20T08:58:00.000000Z')];
    expect((await impact('case,panel,version\na,R208,4.2\n', place)).code).toBe(0);
  });
});

test('panels that have not been read yet are counted where something is unknown', async () => {
  const place = ['--state', await publish('0.1', '2026-11-20T08:58:00.000000Z', undefined, 9)];
  const sentence = /^What panels held has been read for (\d+) of (\d+) panels so far; a notifier that runs/m;
  const ran = await impact('case,panel,version\na,A new panel,0.1\n', place);
  const [, read, known] = sentence.exec(ran.stderr) ?? [];
  expect(Number(known) - Number(read), ran.stdout).toBe(1);
  expect((await impact('case,panel,version\na,R208,4.2\n', place)).stderr).not.toMatch(sentence);
});

test('an answer from a log that was last read days ago says so', async () => {
  const other = await publish('4.1', '2026-03-05T09:00:00.000000Z', '2026-11-17T08:00:00');
  const sentence = 'Rows of uk after 2026-11-17 08:00Z have not been read yet, or there are none.';
  const text = 'case,panel,version\na,R208,4.2\n';
  expect((await impact(text, ['--state', other])).stderr).toContain(sentence);
  expect((await impact(text, ['--state', other, '--format', 'csv'])).stderr).toContain(sentence);
});

test('a time of day says which version it was', async () => {
  const ran = await impact('case,panel,date\na,R208,2026-03-05T08:00:00Z\n', ['--format', 'ndjson']);
  expect(ran.code).toBe(0);
  expect(rowsOf(ran)).toMatchObject([{ analysedWith: '4.0' }, { analysedWith: '4.0' }]);
});

describe('a file is read', () => {
  const expected = ['now green PALB2', 'no longer green BRCA1'];
  test.each([
    ['with semicolons and a byte order mark', '\ufeffCase;Panel;Version\r\na;R208;4.0\r\n', [], 'csv'],
    ['with tabs and quotes', 'case\tpanel\tversion\n"a"\t"Breast cancer"\t"4.0"\n', [], 'tsv'],
    [
      'with columns of its own',
      'Referral,Test,Version used\na,R208,v4.0\n',
      ['--columns', 'case=Referral,panel=Test,version=Version used'],
      'csv',
      /case is "Referral", panel is "Test", version is "Version used"/,
    ],
    ['as JSON, one object a line', '{"case":"a","panel":635,"version":"4.0"}\n', [], 'ndjson'],
    [
      'as JSON with a list of panels',
      '{"caseId":"a","panels":[{"panelName":"Breast cancer","panelVersion":"4.0"}]}\n',
      [],
      'ndjson',
    ],
  ] as const)('%s', async (_title, text, args, ending, found = /^$/) => {
    const ran = await impact(text, [...args, '--format', 'ndjson'], ending);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(found) });
    expect(rowsOf(ran).map(({ change, name }) => `${change} ${name}`)).toEqual(expected);
  });
});

describe('a file that cannot be read is refused, and nothing of its cases is shown', () => {
  test.each([
    [
      'no such column',
      `case,panel,version\n${SECRET},R208,4.0\n`,
      ['--columns', 'case=Sample'],
      /no heading is "Sample"/,
    ],
    ['no column of versions', `case,panel\n${SECRET},R208\n`, [], /no column is taken for version or date/],
    [
      'days that can be read in two ways',
      `case,panel,date\n${SECRET},R208,03/04/2026\n`,
      [],
      /every date fits dd\/mm\/yyyy and mm\/dd\/yyyy\. Give --date-format/,
    ],
    [
      'days in two forms',
      `case,panel,date\n${SECRET},R208,03.04.2026\n${SECRET},R208,2026-04-03\n`,
      [],
      /line 2 as dd\.mm\.yyyy, line 3 as yyyy-mm-dd/,
    ],
    [
      'a pattern of days that is none',
      'case,panel,date\na,R208,2026-04-03\n',
      ['--date-format', 'dd/yyyy'],
      /--date-format "dd\/yyyy": expected a pattern with day, month and year/,
    ],
    [
      'a zone that is none',
      'case,panel,date\na,R208,2026-04-03\n',
      ['--zone', 'Mars/Base'],
      /--zone "Mars\/Base": expected a time zone/,
    ],
    [
      'a line with too many cells',
      `case,panel,version\n${SECRET},R208,4.0,${SECRET}\n`,
      [],
      /more or fewer cells/,
    ],
    [
      'no line of headings, so that the first line is a case',
      `${SECRET},R208,4.0\n`,
      [],
      /among the 3 headings of the first line, no column is taken for case and panel/,
    ],
    [
      'a quoted cell that never ends',
      `case,panel,version\n"${SECRET},R208,4.0\n`,
      [],
      /line 2: a quoted cell does not end/,
    ],
    ['no line', 'case,panel,version\n', [], /expected at least one case/],
    ['nothing', '', [], /no line of headings/],
  ])('%s', async (_title, text, args, message) => {
    const ran = await impact(text, args);
    expect(ran.code).toBeGreaterThan(0);
    expect(ran.stderr).toMatch(message);
    expect(ran.stdout + ran.stderr).not.toContain(SECRET);
  });

  test('no line that is JSON', async () => {
    const ran = await impact(`{"case":"${SECRET}"\n`, [], 'ndjson');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('no line can be used. Line 1: the line is not a JSON object');
    expect(ran.stderr).not.toContain(SECRET);
  });
});

describe('a line that cannot be used', () => {
  const unusable = [
    ['without a case', ',R208,4.0,', 'the name of the case is missing'],
    ['without a panel', 'a,,4.0,', 'the panel is missing'],
    ['without a version and a day', 'a,R208,,', 'version and day are both missing'],
    ['with a version of another form', `a,R208,${SECRET},`, 'the version is not written like 4.12'],
    ['with a day of another form', 'a,R208,,3 Apr', 'the date is not a day written as yyyy-mm-dd'],
    ['with a day that no calendar has', 'a,R208,,2026-02-31', 'the date is not a day written as yyyy-mm-dd'],
    ['with a time of no zone', 'a,R208,,2026-02-21 09:30', 'the time has no zone. Give --zone'],
    ['with too many cells', `a,R208,4.0,,${SECRET}`, 'the line has more or fewer cells than the headings'],
  ] as const;

  test.each(unusable)('%s, is counted as unknown beside the others', async (_title, line, why) => {
    const ran = await impact(`case,panel,version,date\nb,R208,4.0,\n${line}\nc,R208,,2026-02-01\n`);
    expect(ran.code).toBe(4);
    expect(ran.stdout).toContain('3 cases compared');
    expect(ran.stdout).toContain('2 cases with a change, 0 cases without one, 1 case with something unknown');
    expect(ran.stdout).toContain(`1 case  ${why}`);
    expect(ran.stdout).toContain('(line 3)');
    expect(ran.stdout + ran.stderr).not.toContain(SECRET);
  });

  test.each(unusable)('%s, is refused where the file is to be whole', async (_title, line, why) => {
    const ran = await impact(`case,panel,version,date\nb,R208,4.0,\n${line}\n`, ['--strict']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(`line 3: ${why}`);
    expect(ran.stderr).not.toContain(SECRET);
  });

  test('without a case, is a case of its own', async () => {
    const ran = await impact('case,panel,version\n,R208,4.0\n,R208,4.0\n', words`--by case --format ndjson`);
    expect(rowsOf(ran).map(({ case: name }) => name)).toStrictEqual(['(line 2)', '(line 3)']);
  });
});

describe('the file of a laboratory’s own system', () => {
  const text = [
    'Lab No.;NHS;Test code;Patient;Date reported',
    ...[
      '26-1;x;R208.1;CANARY;13/02/2026 00:00',
      '26-2;x;R208;CANARY;05/03/2026 08:59',
      '26-3;x;R208.1;CANARY;06/03/2026 10:00',
    ],
  ].join('\r\n');

  test('is read with its usual headings and its own way of writing days, which are shown', async () => {
    const ran = await impact(text, ['--zone', 'Europe/London', '--by', 'case', '--format', 'ndjson']);
    expect(ran.stderr).toMatch(
      /^Reading .*: case is "Lab No\.", panel is "Test code", date is "Date reported" \(dd\/mm\/yyyy\)\.\n$/,
    );
    expect(ran.code).toBe(0);
    const palb2 = rowsOf(ran).filter(({ name }) => name === 'PALB2');
    expect(palb2.map(({ case: name }) => name)).toStrictEqual(['26-1', '26-2']);
    expect(ran.stdout + ran.stderr).not.toContain(SECRET);
  });

  test('is read from standard input by case', async () => {
    const ran = await runCommand(
      words`impact --state ${state} --cases - --zone Europe/London --by case --format ndjson`,
      { clock, stdin: text },
    );
    expect(ran.code).toBe(0);
    expect(rowsOf(ran).some(({ case: name }) => name === '26-1')).toBe(true);
  });

  test('counts an hour in another zone', async () => {
    const ran = await impact(text, ['--zone', 'America/New_York', '--by', 'case', '--format', 'ndjson']);
    const palb2 = rowsOf(ran).filter(({ name }) => name === 'PALB2');
    expect(palb2.map(({ case: name }) => name)).toStrictEqual(['26-1']);
  });
});

test('by case there is a row for each change, and none for a case without one', async () => {
  const text = 'case,panel,version\na,R208,4.0\nb,R208,4.2\nc,R208,9.9\n';
  const ran = await impact(text, ['--by', 'case', '--format', 'csv']);
  expect(ran.code).toBe(4);
  expect(ran.stdout.replace('\ufeff', '').split('\r\n')).toEqual([
    'case,change,panelId,panelName,panelFormerly,type,name,hgncId,ratingThen,ratingNow,inheritanceThen,inheritanceNow,version,analysedWith,cases,reason',
    expect.stringMatching(/^a,now green,635,Breast cancer,,gene,PALB2,HGNC:\d+,amber,green,,,v4\.2,,,$/),
    expect.stringMatching(
      /^a,no longer green,635,Breast cancer,,gene,BRCA1,HGNC:\d+,green,amber,,,v4\.2,,,$/,
    ),
    expect.stringMatching(/^c,unknown,.*The state of version 9\.9 is not kept/),
    'Something is unknown about 1 of 3 cases.',
    '',
  ]);
});

test.each(['table', 'csv', 'html', 'bed'])('a file of it as %s is for its owner alone', async (format) => {
  const output = join(root, `answer.${format}`);
  const by = format === 'csv' ? ['--by', 'case'] : [];
  const ran = await impact(
    'case,panel,version\na,R208,4.0\n',
    words`--format ${format} --output ${output} ${by}`,
  );
  expect(ran.stdout).toBe('');
  expect((await stat(output)).mode & 0o077).toBe(0);
});

test('a list of genes and a page can be made of it', async () => {
  const text = 'case,panel,version\na,R208,4.0\n';
  expect((await impact(text, ['--format', 'genes'])).stdout).toMatch(/^HGNC:\d+\n$/);
  const { stdout } = await impact(text, ['--format', 'html']);
  expect(stdout).toContain(
    '<td data-label="Gene, STR or region">PALB2</td><td data-label="Before and now"><span class="pill amber">amber</span> → <span class="pill green">green</span></td>',
  );
});

test('the places of what is green now are a BED, with the panel and version that say so', async () => {
  const text = 'case,panel,version\na,R208,4.0\n';
  const { code, stdout, stderr } = await impact(text, ['--format', 'bed', '--assembly', 'GRCh37']);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('# panel: Breast cancer (635), version 4.2, of uk');
  const places = stdout.split('\n').filter((line) => !line.startsWith('#'));
  expect(places.join('\n')).toMatch(/^chr\w+\t\d+\t\d+\tPALB2\n$/);
});

test('nothing of a case is in the answer by change, the state or an error', async () => {
  const cases = join(root, 'planted.csv');
  const lines = [
    `${SECRET}-1,R208,4.0,${SECRET}`,
    `${SECRET}-2,${SECRET},4.0,`,
    `${SECRET}-3,635,7.7,${SECRET}`,
  ];
  await writeFile(cases, `case,panel,version,note\n${lines.join('\n')}\n`);
  const before = await filesBeside(state);
  for (const format of ['table', 'csv', 'ndjson', 'html', 'genes', 'bed']) {
    const ran = await runCommand(['impact', '--state', state, '--cases', cases, '--format', format], {
      clock,
    });
    expect(ran.code).toBe(4);
    expect(ran.stdout + ran.stderr, format).not.toContain(SECRET);
  }
  const after = await filesBeside(state);
  expect([...after.keys()]).toEqual([...before.keys()]);
  for (const [name, content] of after) expect(content.includes(SECRET), name).toBe(false);
});

/** What is kept: the file of the state and those that SQLite has beside it. */
async function filesBeside(file: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = (await readdir(dirname(file), { recursive: true })).filter((name) =>
    name.startsWith('state'),
  );
  const read = await Promise.all(
    names.map(
      async (name) => [name, await readFile(join(dirname(file), name)).catch(() => Buffer.of())] as const,
    ),
  );
  return new Map(read);
}
