import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programQuestions, questions } from '../../lambdas/questions/all.ts';
import { type Limit, type Question, utcTimes } from '../../lambdas/questions/question.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { capitalize } from '../../lambdas/run/text.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { pageText } from '../../lambdas/words/html-page.ts';
import { answerRequests } from '../../page/answer-requests.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { type Ran, runCommand } from '../bin/run-command.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';

const HOUR = 3_600_000;
const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });

let state: string;
let file: StateFile;
let request: (request: Request) => Promise<Response>;
/** What a person may give for an option, by its field, and by its name. */
let known: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  const sandbox = await startCatalogue({ clock, history: 150 });
  state = newFolder();
  const turn = async (): Promise<void> => {
    const at = ['--catalogue', sandbox.url, '--name', 'uk', '--state', state, '--from', '90d', '--pace', '0'];
    const ran = await runCommand(['poll', ...at], { clock });
    expect(ran.code, ran.stderr).toBe(0);
    clock.pass(HOUR);
  };
  await turn();
  for (const kind of [
    'sign off the present version',
    'sign off the present version',
    'sign off an older version',
  ] as const)
    sandbox.act({ kind });
  clock.pass(24 * HOUR);
  await turn();
  for (let acts = 0; acts < 150; acts += 1) {
    sandbox.act(acts % 3 === 0 ? {} : { kind: 'rate' });
    clock.pass(HOUR / 4);
  }
  await turn();
  // What is not read yet limits the answers.
  for (let acts = 0; acts < 8; acts += 1) sandbox.act({ kind: 'rate' });
  await sandbox.close();
  file = openStateFile(state);
  request = answerRequests({ file, clock, zone: 'UTC', signal: AbortSignal.abort() });
  const panels = (await createSqliteHistory(file).names()).panels();
  const names: string[] = [];
  const genes: string[] = [];
  const codes: string[] = [];
  for await (const { data } of createSqliteHistory(file).findWithoutRows({ limit: 400 })) {
    if (data.entity) genes.push(data.entity.name, data.entity.hgncId ?? data.entity.name.toLowerCase());
    codes.push(
      ...(data.panel?.relevantDisorders ?? []).flatMap((text) => /R\d+(\.\d+)?/.exec(text)?.[0] ?? []),
    );
  }
  for (const { id, name, formerly } of panels) names.push(String(id), name, name.toUpperCase(), ...formerly);
  known = {
    panel: names,
    gene: genes,
    'r-code': codes,
    'panel-type': ['gms-signed-off', 'cancer-germline-100k'],
    'entity-type': ['gene', 'str', 'region'],
  };
}, 60_000);
afterAll(() => file.close());

type Texts = Readonly<Record<string, readonly string[]>>;

/** What somebody may ask: any of its options, seldom with a name that nothing has. */
function anyTexts(question: Question, seed: number): Texts {
  const random = seededRandom(seed);
  const pick = (items: readonly string[]): string => items[Math.floor(random() * items.length)] ?? 'R0';
  const now = instantOf(clock.now());
  const day = (daysAgo: number): string => utcTimes.iso(utcTimes.startOf(utcTimes.iso(now), -daysAgo));
  const [from, to] = [Math.floor(random() * 60) + 2, Math.floor(random() * 2)];
  const anyValue = (name: string): string => {
    const { field, takes } = question.options[name] ?? {};
    if (name === 'since') return pick([day(from), `${from}d`, '90d']);
    if (name === 'until') return day(to);
    if (name === 'only-in') return pick(['signed-off', 'newest']);
    if (takes === undefined) return 'yes';
    if (field?.kind === 'choice') return pick(Object.keys(field.choices));
    return random() < 0.06 ? (nothings[name] ?? 'R999') : pick(known[name] ?? ['gene']);
  };
  // An address has no file.
  const asked = Object.entries(question.options).filter(([, { isFile }]) => !isFile && random() < 0.25);
  return Object.fromEntries(
    asked.map(([name, { isMultiple, isPositional }]) => [
      name,
      isPositional
        ? [pick(['signed-off', 'previous']), 'newest']
        : [...new Set(Array.from({ length: isMultiple && random() < 0.4 ? 2 : 1 }, () => anyValue(name)))],
    ]),
  );
}

const nothings: Readonly<Record<string, string>> = {
  panel: 'Nonsens',
  gene: 'NOSUCH1',
  'panel-type': 'nonsens',
  'entity-type': 'gene',
};

interface Document {
  readonly isWhole: boolean;
  readonly lead: readonly string[];
  readonly limits: readonly Limit[];
  readonly rows: readonly { readonly what: string; readonly name?: string | null }[];
}

/** What somebody types to ask it. */
const argumentsOf = ({ options }: Question, texts: Texts): readonly string[] =>
  Object.entries(texts).flatMap(([name, values]) =>
    values.map((value) => {
      if (options[name]?.isPositional) return value;
      return options[name]?.takes === undefined ? `--${name}` : `--${name}=${value}`;
    }),
  );

/** Asks the same everywhere. */
async function askEverywhere(question: Question, texts: Texts) {
  const args = argumentsOf(question, texts);
  const run = (...more: readonly string[]): Promise<Ran> =>
    runCommand([question.name, ...args, ...more, '--state', state], { clock });
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(texts))
    for (const value of values) parameters.append(name, value);
  const get = async (path: string) => {
    const address = `http://127.0.0.1:7208${path}?${parameters}`;
    const response = await request(new Request(address, { headers: { host: '127.0.0.1:7208' } }));
    return { status: response.status, text: await response.text() };
  };
  return {
    json: await run('--format', 'json'),
    ndjson: await run('--format', 'ndjson'),
    csv: await run('--format', 'csv'),
    table: await run(),
    html: await run('--format', 'html'),
    page: await get(`/${question.name}`),
    pageCsv: await get(`/${question.name}.csv`),
    api: await get(`/api/${question.name}`),
    apiLines: await get(`/api/${question.name}.ndjson`),
  };
}

const plain = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
/** What a reader can do about what is not kept depends on where it is read. */
const withoutRemedy = (json: string): string =>
  json.replaceAll(/(?:Give --catalogue URL to ask the|This page asks no) catalogue[^"]*/g, '');

/** How many rows the heading of a list states. */
const countIn = (html: string, what: string): string | undefined => {
  const [, after = ''] = html.split(`<h2>${pageText(capitalize(what))} <`);
  return /^(?:span class="facts"|small)>(\d+)</.exec(after)?.[1];
};
/** The lines of a CSV without the sentences below them, in which days are written as their reader does. */
const rowsOf = (csv: string, { rows }: Document): readonly string[] => {
  const whats = new Set(['what', ...rows.map(({ what }) => what)]);
  return csv
    .replace('\ufeff', '')
    .split('\r\n')
    .filter((line) => whats.has(/^"?([^"]*?)(?:"|,(?! ))/.exec(line)?.[1] ?? ''));
};

describe.each(Object.keys(questions))('%s', (name) => {
  test.each(Array.from({ length: 12 }, (_, seed) => seed + 1))(
    'gives one answer everywhere, asked at random %i',
    async (seed) => {
      const { question } = (await questions[name]?.()) ?? {};
      if (!question) throw new Error(`no question ${name}`);
      const texts = anyTexts(question, seed);
      const all = await askEverywhere(question, texts);
      const asked = JSON.stringify(texts);
      if (all.json.code === 2) {
        // A period that ends before it begins is refused by all.
        for (const { status } of [all.page, all.pageCsv, all.api]) expect(status, asked).toBe(400);
        return;
      }
      const document = JSON.parse(all.json.stdout) as Document;
      expect(withoutRemedy(all.api.text), asked).toBe(withoutRemedy(all.json.stdout));

      const codes = [all.json, all.ndjson, all.csv, all.table, all.html].map(({ code }) => code);
      const kinds = new Set(document.limits.map(({ kind }) => kind));
      const code = kinds.has('name') || kinds.has('unread') ? 3 : kinds.has('unknown') ? 4 : 0;
      expect(codes, asked).toStrictEqual(codes.map(() => code));
      expect(document.isWhole).toBe(code === 0);
      expect(all.api.status).toBe(all.page.status);
      expect(all.pageCsv.status).toBe(all.page.status);
      if (all.page.status === 404) {
        expect(kinds).toContain('name');
        expect(document.rows).toStrictEqual([]);
        return;
      }
      expect(all.page.status, asked).toBe(200);

      const lines = all.ndjson.stdout.split('\n').filter(Boolean);
      expect(lines.map((line) => JSON.parse(line))).toStrictEqual(document.rows);
      const apiLines = all.apiLines.text.split('\n').filter(Boolean);
      expect(apiLines.slice(0, document.rows.length)).toStrictEqual(lines);
      expect(apiLines.length - lines.length, asked).toBe(document.limits.length);
      expect(rowsOf(all.csv.stdout, document), asked).toHaveLength(document.rows.length + 1);
      expect(rowsOf(all.pageCsv.text, document)).toStrictEqual(rowsOf(all.csv.stdout, document));
      for (const [what, rows] of Map.groupBy(document.rows, (row) => row.what)) {
        expect(all.table.stdout).toContain(`${what.toUpperCase()} (${rows.length})`);
        for (const html of [all.page.text, all.html.stdout])
          expect(countIn(html, what), what).toBe(String(rows.length));
      }
      for (const surface of [all.table.stdout, plain(all.page.text), plain(all.html.stdout)])
        for (const row of document.rows) if (row.name) expect(surface).toContain(row.name);
      for (const sentence of document.lead)
        for (const surface of [all.table.stdout, plain(all.page.text), plain(all.html.stdout)])
          expect(surface).toContain(sentence);
      expect(all.json.stderr.split('\n').filter(Boolean)).toHaveLength(document.limits.length);
    },
  );
});

describe.each(Object.keys(programQuestions).filter((name) => !(name in questions)))('%s', (name) => {
  test.each(Array.from({ length: 10 }, (_, seed) => seed + 1))(
    'gives a command and a program one answer, asked at random %i',
    async (seed) => {
      const { question } = (await programQuestions[name]?.()) ?? {};
      if (!question) throw new Error(`no question ${name}`);
      const asked = Object.entries(anyTexts(question, seed)).filter(([option]) =>
        ['since', 'until', ...Object.keys(known)].includes(option),
      );
      const texts: Texts = {
        ...Object.fromEntries(asked),
        // A program gets fewer events of a long answer at once.
        ...('limit' in question.options && { limit: ['1000'] }),
        ...('status' in question.options && { status: ['all'] }),
      };
      const { json, ndjson, csv, html, table, api, apiLines } = await askEverywhere(question, texts);
      const words = JSON.stringify(texts);
      if (json.code === 2) return expect(api.status, words).toBe(400);
      expect(api.text, words).toBe(json.stdout);
      const { rows, limits } = JSON.parse(json.stdout) as Document;
      const lines = ndjson.stdout.split('\n').filter(Boolean);
      expect(lines.map((line) => JSON.parse(line))).toStrictEqual(rows);
      expect(apiLines.text.split('\n').filter(Boolean).slice(0, rows.length)).toStrictEqual(lines);
      const codes = [ndjson, csv, html, table].map(({ code }) => code);
      expect(codes, words).toStrictEqual(codes.map(() => json.code));
      expect(csv.stdout.split('\r\n').filter(Boolean).length, words).toBeGreaterThan(
        rows.length + limits.length,
      );
    },
  );
});

test('some answers have rows, some are limited, and some are withheld', async () => {
  const codes = new Set<number>();
  let rows = 0;
  for (const [name, load] of Object.entries(questions)) {
    const { question } = await load();
    for (let seed = 1; seed <= 12; seed += 1) {
      const args = argumentsOf(question, anyTexts(question, seed));
      const ran = await runCommand([name, ...args, '--format', 'ndjson', '--state', state], { clock });
      codes.add(ran.code);
      rows += ran.stdout.split('\n').length - 1;
    }
  }
  expect([...codes]).toEqual(expect.arrayContaining([0, 3]));
  expect(rows).toBeGreaterThan(100);
});
