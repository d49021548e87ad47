import { describe, expect, test } from 'vitest';
import { netChangesOf } from '../../lambdas/filters/net-changes.ts';
import { csvOf } from '../../lambdas/questions/report-csv.ts';
import { breast, eventOf, rated } from '../words/events.ts';

const panel = { ...breast, version: '8.10' };
const events = [
  eventOf('entity.added', { rating: 'green' } as never, { id: 'a1', gene: 'PALB2', panel }),
  rated(null, 'green', 'new', { id: 'a2', gene: 'PALB2', panel }),
  rated(null, 'green', 'unknown', { id: 'b1', gene: 'CHEK2', panel }),
  rated(null, 'amber', 'unknown', { id: 'b2', gene: 'NBN', panel }),
  rated('red', 'none', 'downgraded', { id: 'c1', gene: 'ATM', panel }),
  eventOf('panel.promoted', { version: '8.26', previousVersion: '8.10' } as never, {
    id: 'd1',
    panel: { ...panel, version: '8.26' },
  }),
  eventOf(
    'panel.signed-off',
    { signedOff: true, signedOffVersion: '8.2', signedOffDate: '2026-11-20' } as never,
    {
      id: 'd2',
      panel: { ...panel, version: '8.26' },
    },
  ),
];
const lines = csvOf({
  title: 'a week',
  changes: netChangesOf(events),
  read: [],
  filter: 'R code R208',
  warnings: ['No panel is called “hearing”.'],
  isAnswer: false,
})
  .replace('\ufeff', '')
  .trimEnd()
  .split('\r\n');
const of = (gene: string) => lines.filter((line) => line.includes(gene));

test('a report as CSV has a line for a green gene whose mode of inheritance changed, with both values', () => {
  const changes = [
    { field: 'modeOfInheritance' as const, from: 'Other', to: 'BIALLELIC, autosomal or pseudoautosomal' },
  ];
  const event = eventOf('entity.annotated', { changes, rating: 'green' }, { gene: 'GJB2', panel });
  const csv = csvOf({
    title: '',
    changes: netChangesOf([event]),
    read: [],
    filter: '',
    warnings: [],
    isAnswer: true,
  });
  expect(csv).toMatch(/\r\nmode of inheritance changed,.*,gene,GJB2,.*,Other,BIALLELIC,.*,green\r\n/);
});

describe('a report as CSV', () => {
  test('has one row for a gene that was added and is green', () => {
    expect(of('PALB2')).toHaveLength(1);
    expect(of('PALB2')[0]).toMatch(/^now green,.*,not on the panel,green,not on the panel → green,/);
  });

  test('has the words of the page for a rating that is unknown, and for none', () => {
    expect(of('CHEK2')[0]).toMatch(/^"rated green, perhaps green before",.*,unknown,green,/);
    expect(of('NBN')[0]).toMatch(/^may no longer be green,.*,unknown,amber,/);
    expect(of('ATM')[0]).toMatch(/^other change of rating,.*,red,unrated,/);
    expect(lines.join()).not.toMatch(/nowGreen|absent|\bnone\b/);
  });

  test('has R codes, and both versions as text that a spreadsheet keeps', () => {
    expect(of('ATM')[0]).toContain(',R208,gene,ATM,');
    expect(of('ATM')[0]).toContain(',v8.10,v8.26,');
    expect(lines.find((line) => line.startsWith('promoted,'))).toContain(',v8.10,v8.26,');
  });

  test('says which version a sign-off is of', () => {
    expect(lines.find((line) => line.startsWith('sign-off,'))).toMatch(
      /,version 8\.2 signed off from 20 November 2026$/,
    );
  });

  test('carries its filter, and what limits the answer', () => {
    expect(lines.filter((line) => /^(?:only|not read|warning),/.test(line))).toStrictEqual([
      expect.stringContaining('R code R208'),
      expect.stringContaining('Nothing of this period was read.'),
      expect.stringContaining('No panel is called “hearing”.'),
    ]);
  });

  test('has a cell for each column in every line', () => {
    for (const line of lines) {
      const cells = line.replaceAll(/"(?:[^"]|"")*"/g, 'quoted').split(',');
      expect(cells, line).toHaveLength(
        (lines[0] ?? '').replace('"gene, STR or region"', 'quoted').split(',').length,
      );
    }
  });
});
