import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { LARGEST_UPLOAD } from '../../page/impact.ts';
import { newFolder } from '../new-folder.ts';
import { at, madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { tokenIn } from './browser-session.ts';
import { openCases, sendCases } from './open-cases.ts';
import { ORIGIN } from './team-page.ts';

/** Stands in every cell and name that may be nowhere but in the answer. */
const PLANTED = 'CANARY';

describe('a file of cases on the page', () => {
  test('gives a reader the cases of each change, and says what is unknown and why', async () => {
    const { browser, token } = await openCases();
    const text = 'case,panel,version\na,R208,4.0\nb,Breast cancer,4.0\nc,635,4.12\nd,635,3.9\n';
    const answer = await (await sendCases(browser, { text, token })).text();
    expect(answer).toContain('4 cases compared with the newest version of their panels');
    expect(answer).toMatch(
      /Now green <span class="facts">1<[\s\S]*Breast cancer<\/a>, version 4.12[\s\S]*PALB2[\s\S]*amber[\s\S]*green[\s\S]*2 cases/,
    );
    expect(answer).toContain(
      'Breast cancer (635): The state of version 3.9 is not kept. This page asks no catalogue; the command does, with --catalogue URL. (line 5)',
    );
  });

  test('means by a day the version that was signed off on it, where that counts', async () => {
    const { browser, token } = await openCases();
    const text = 'case,panel,date\na,R208,2026-09-01\nb,R208,2026-01-10\n';
    const answer = await (await sendCases(browser, { text, counts: 'signed-off', token })).text();
    expect(answer).toContain('1 case with a change, 0 cases without one, 1 case with something unknown');
    expect(answer).toContain('the first known sign-off, of version 4.0, is dated 2026-01-20');
  });

  test('has green genes with another mode of inheritance, unless the box leaves them out', async () => {
    const { team, browser, token } = await openCases();
    const store = createSqlitePanelStates({ file: team.file, catalogue: 'uk', now: team.clock.now });
    for (const [version, modeOfInheritance] of [
      ['1.0', 'BIALLELIC, autosomal or pseudoautosomal'],
      ['1.1', 'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted'],
    ] as const)
      await store.save(
        madeUpState({
          ...{ panelId: 700, panelName: 'Hearing loss', relevantDisorders: ['R67'], version },
          entities: [madeUpGene('COCH', { modeOfInheritance })],
          validFrom: at(`2026-0${version === '1.0' ? 1 : 2}-01T00:00:00`),
          readAt: at('2026-11-21T10:00:00'),
          source: version === '1.0' ? 'archive' : 'present',
        }),
      );
    const text = 'case,panel,version\na,R67,1.0\n';
    const whole = await (await sendCases(browser, { text, token })).text();
    expect(whole).toContain('1 case with a change');
    expect(whole).toMatch(/Mode of inheritance changed <span class="facts">1<[\s\S]*COCH/);
    const fields = { token, counts: 'working', as: 'change', cases: new File([text], 'cases.csv') };
    const without = await browser.upload('/impact', { ...fields, 'without-inheritance': 'yes' });
    expect(await without.text()).toContain('0 cases with a change');
  });

  test('gives a reader the changes of each case', async () => {
    const { browser, token } = await openCases();
    const text =
      '{"case":"a <b>","panel":"R208","version":"4.0"}\n{"case":"z","panel":"R208","version":"4.12"}\n';
    const answer = await (await sendCases(browser, { text, name: 'x.ndjson', as: 'case', token })).text();
    expect(answer).toMatch(
      /<th scope="row">a &lt;b&gt;<\/th><td>now green<\/td><td><a href="[^"]+">Breast cancer<\/a>, version 4.12<\/td><td><a href="[^"]+">PALB2</,
    );
    expect(answer).not.toContain('<th scope="row">z');
    expect(answer).not.toContain('--by case');
  });

  test.each([
    [
      'change.csv',
      /^\ufeffcase,change,panelId,[\s\S]*now green,635,Breast cancer,,gene,PALB2,[\s\S]*,v4.0,2,/,
    ],
    ['case.csv', /^\ufeffcase,change,[\s\S]*\na,now green,635,[\s\S]*\nb,now green,635,/],
  ])('gives the file %s', async (as, expected) => {
    const { browser, token } = await openCases();
    const text = 'case;panel;date\na;R208;2026-01-15\nb;R208;2026-01-16\n';
    const response = await sendCases(browser, { text, as, token });
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="cases-2026-11-20.csv"');
    // A decoder would drop the mark at the begin that spreadsheets look for.
    const csv = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
    expect(csv.startsWith('\ufeff') ? csv : `\ufeff${csv}`).toMatch(expected);
  });

  test('gives each case the name that it came with, also one that looks like a version', async () => {
    const { browser, token } = await openCases();
    const text = 'case,panel,version\n26.01234,R208,4.0\n007,R208,4.0\n1e5,R208,4.0\n';
    const response = await sendCases(browser, { text, as: 'case.csv', token });
    const [, ...rows] = (await response.text()).trim().split('\r\n');
    expect(rows.map((row) => row.split(',')[0])).toStrictEqual(['26.01234', '007', '1e5']);
    expect(rows.every((row) => row.includes(',v4.12,'))).toBe(true);
  });

  test('takes other headings', async () => {
    const { browser, token } = await openCases();
    const response = await browser.upload('/impact', {
      ...{ token, counts: 'working', as: 'change', 'column-case': 'Referral', 'column-panel': 'Test' },
      cases: new File(['Referral,Test,version\na,R208,4.0\n'], 'cases.csv'),
    });
    expect(await response.text()).toContain('1 case with a change');
  });

  test.each([
    ['no file', { text: '' }, 'Choose a file that is not empty'],
    ['no case', { text: 'case,panel,version\n' }, 'The file holds no case.'],
    [
      'no headings',
      { text: `${PLANTED},R208,4.0\n` },
      'among the 3 headings of the first line, no column is taken',
    ],
    [
      'days that can be read in two ways',
      { text: `case,panel,date\n${PLANTED},R208,01/02/2026\n` },
      'every date fits dd/mm/yyyy and mm/dd/yyyy',
    ],
    [
      'an answer that is not offered',
      { text: 'case,panel,version\na,R208,4.0\n', as: 'x' },
      'one of the offered',
    ],
  ])('is refused with %s, and nothing of it is shown', async (_what, asked, sentence) => {
    const { browser, token } = await openCases();
    const response = await sendCases(browser, { ...asked, token });
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toContain(sentence);
    expect(text).not.toContain(PLANTED);
  });

  test('is refused without the token of the form, from another site, and beyond the size', async () => {
    const { browser, token } = await openCases();
    const text = 'case,panel,version\na,R208,4.0\n';
    expect((await sendCases(browser, { text, token: 'x' })).status).toBe(403);
    const fields = { token, counts: 'working', as: 'change', cases: new File([text], 'cases.csv') };
    for (const [headers, status] of [
      [{ origin: 'https://evil.example' }, 403],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ 'content-length': String(LARGEST_UPLOAD + 1) }, 413],
      [{ 'content-type': 'multipart/form-data; boundary=none' }, 403],
    ] as const) {
      expect((await browser.upload('/impact', fields, headers)).status).toBe(status);
    }
    const { team, token: ofAnother } = await openCases();
    const stranger = team.browser();
    await stranger.open('/impact');
    expect((await sendCases(stranger, { text, token: ofAnother })).status).toBe(401);
  });
});

describe('a file that arrives slowly', () => {
  /** A form whose body has begun and does not end. */
  const slowly = (cookies: ReadonlyMap<string, string>): Request =>
    new Request(`${ORIGIN}/impact`, {
      method: 'POST',
      body: new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) }),
      headers: {
        host: new URL(ORIGIN).host,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        origin: ORIGIN,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '1000000',
      },
      duplex: 'half',
    } as RequestInit);

  test('holds up no other, and is refused with a sentence when it is too slow', async () => {
    const { team, browser, token } = await openCases();
    const slow = [team.answer(slowly(browser.cookies)), team.answer(slowly(browser.cookies))];
    const [first, second] = [await team.clock.nextSleep(), await team.clock.nextSleep()];
    const third = await team.answer(slowly(browser.cookies));
    expect([third.status, await third.text()]).toStrictEqual([
      503,
      'You are already sending other forms or files. Wait until they have arrived, then send this one again.\n',
    ]);
    const other = team.browser();
    await team.signIn(other, 'managerScotland');
    const form = tokenIn(await (await other.open('/impact')).text());
    const text = 'case,panel,version\na,R208,4.0\n';
    expect((await sendCases(other, { text, token: form })).status).toBe(200);
    for (const { milliseconds, wake } of [first, second]) {
      expect(milliseconds).toBe(40_000);
      wake();
    }
    for (const response of await Promise.all(slow)) {
      expect([response.status, await response.text()]).toStrictEqual([
        408,
        expect.stringContaining('did not arrive within 40 s. Nothing was done.'),
      ]);
    }
    expect((await sendCases(browser, { text, token })).status).toBe(200);
  });
});

test('nothing of a file of cases is kept, logged or noted, and only the answer by case names one', async () => {
  const temporary = newFolder();
  vi.stubEnv('TMPDIR', temporary);
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    onTestFinished(() => spy.mockRestore());
  }
  onTestFinished(() => void vi.unstubAllEnvs());
  const { team, browser, token } = await openCases();
  const lines = [
    `${PLANTED}-1,R208,4.0,${PLANTED}`,
    `${PLANTED}-2,${PLANTED},4.0,${PLANTED}`,
    `${PLANTED}-3,635,7.7,${PLANTED}`,
  ];
  const good = `case,panel,version,note\n${lines.join('\n')}\n`;
  for (const text of [good, `${good}${PLANTED},R208\n`, `${good}"${PLANTED}`, `{"case": "${PLANTED}`]) {
    for (const as of ['change', 'case', 'change.csv', 'case.csv']) {
      for (const name of [`${PLANTED}.csv`, `${PLANTED}.ndjson`]) {
        const response = await sendCases(browser, { text, name, as, token });
        const answer = await response.text();
        const mayName = response.status === 200 && as.startsWith('case');
        expect(answer.includes(PLANTED), `${name} ${as} ${answer}`).toBe(mayName);
        expect(JSON.stringify([...response.headers])).not.toContain(PLANTED);
      }
    }
  }
  expect(written.join('')).not.toContain(PLANTED);
  expect(team.audit().map(({ action }) => action)).toStrictEqual(['signed-in']);
  const copy = join(team.folder, 'copy.sqlite');
  team.file.database.exec(`VACUUM INTO '${copy}'`);
  const files = [team.folder, temporary].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name)),
  );
  expect(files.length).toBeGreaterThan(2);
  for (const path of files) expect(readFileSync(path).includes(PLANTED), path).toBe(false);
});
