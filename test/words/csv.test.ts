import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventColumns, eventLine } from '../../lambdas/words/change-csv.ts';
import { csvLine } from '../../lambdas/words/clean-text.ts';
import { anyEvent } from '../events/any-event.ts';
import { breast, eventOf, rated } from './events.ts';

describe('a cell that a spreadsheet would take for a formula is text', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+44 20', "'+44 20"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    [' =1', "' =1"],
    ['\u0000=cmd', "'=cmd"],
    ['＝1+1', "'＝1+1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['−1+1', "'−1+1"],
    ['﹦1', "'﹦1"],
    ['\u200b=1', "'=1"],
    ['\ufeff\u2060-1', "'-1"],
    ['\u200d=1', "'\u200d=1"],
    ['a=1', 'a=1'],
    ['BRCA1', 'BRCA1'],
  ])('%j', (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`);
  });
});

test('a cell holds nothing that steers a terminal or hides', () => {
  const cell = 'BRCA1\u001b[2J\u009d52;c;eA==\u0007\u202e\u2066 amber\u007f\u{e0041}';
  expect(csvLine([cell])).toBe('BRCA1[2J52;c;eA== amber\r\n');
});

test('quotes, commas and line breaks are quoted, numbers and missing values are not', () => {
  expect(csvLine(['a,b', 'say "x"', 'two\nlines', 3, true, null, undefined])).toBe(
    '"a,b","say ""x""","two\nlines",3,true,,\r\n',
  );
});

/** The cells of the lines of a CSV (RFC 4180). */
function parse(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

test('any event is one line with a cell for each column, and none begins a formula', () => {
  fc.assert(
    fc.property(anyEvent, fc.string(), (event, name) => {
      const named = { ...event, data: { ...event.data, actor: `=${name}` } } as typeof event;
      const [cells, ...more] = parse(eventLine(named));
      expect(more).toStrictEqual([]);
      expect(cells).toHaveLength(eventColumns.length);
      expect(cells?.filter((cell) => /^\s*[=+@-]/.test(cell))).toStrictEqual([]);
      expect(cells?.[eventColumns.indexOf('by')]).toBe(`'=${name}`);
    }),
  );
});

describe('an event is a line', () => {
  const lineOf = (event: Parameters<typeof eventLine>[0]): Record<string, string> => {
    const [cells = []] = parse(eventLine(event));
    return Object.fromEntries(eventColumns.map((column, index) => [column, cells[index] ?? '']));
  };

  test('in the words of the page, with R codes, ids and a version that a spreadsheet keeps as text', () => {
    const panel = { ...breast, version: '8.10', signedOffVersion: '4.0' };
    expect(lineOf(rated(null, 'none', 'unknown', { panel }))).toMatchObject({
      'what happened': 'rated',
      'R codes': 'R208',
      version: 'v8.10',
      'signed-off version': 'v4.0',
      before: 'unknown',
      now: 'unrated',
      'how the rating changed': 'earlier rating unknown',
    });
  });

  test.each([
    [true, 'panel signed off'],
    [false, 'sign-off withdrawn'],
  ])('that says whether a version was signed off or a sign-off withdrawn: %s', (signedOff, words) => {
    const event = eventOf('panel.signed-off', { signedOff, version: null, date: null } as never);
    expect(lineOf(event)['what happened']).toBe(words);
  });
});
