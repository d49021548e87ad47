import { describe, expect, test } from 'vitest';
import { documentOf } from '../../bin/report/document.ts';
import { htmlOf } from '../../bin/report/html.ts';
import { markdownOf } from '../../bin/report/markdown.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { netChangesOf } from '../../lambdas/filters/net-changes.ts';
import { breast, eventOf, rated, turnedGreen } from '../words/events.ts';

const panel = { ...breast, version: '8.10' };
const signOff = (change: object) =>
  eventOf('panel.signed-off', { via: 'activity', ...change } as never, { panel });
const green = turnedGreen({ panel });
const withId = {
  ...green,
  data: { ...green.data, entity: { type: 'gene', name: 'BRCA1', hgncId: 'HGNC:1100' } },
} as const satisfies PanelEvent;

const reportOf = (events: readonly PanelEvent[]) => {
  const document = documentOf({
    title: 'a week',
    changes: netChangesOf(events),
    read: [
      { catalogue: 'uk', since: 0n, until: 86_400_000_000n, readSeconds: 86_400, gaps: [], openSince: null },
    ],
    filter: '',
    warnings: [],
    isAnswer: true,
  });
  return { markdown: markdownOf(document).replaceAll('\\', ''), html: htmlOf(document) };
};

describe('a report', () => {
  test('names each panel with its R codes, its number and its version, and each gene with its id', () => {
    const { markdown, html } = reportOf([withId]);
    const heading = 'Inherited breast cancer and ovarian cancer (R208), panel 635, version 8.10';
    expect(markdown).toContain(`## ${heading}\n`);
    expect(markdown).toContain('- BRCA1, HGNC:1100: amber → green (');
    expect(html).toContain(`<h2>${heading}</h2>`);
    expect(html).toContain('<th scope="row">BRCA1, HGNC:1100</th>');
    expect(html).toMatch(/<a href="#s1">Inherited breast cancer and ovarian cancer \(R208\)<\/a>/);
  });

  test('counts apart what may have been green before, also where it is not green now', () => {
    const { markdown, html } = reportOf([
      rated(null, 'green', 'unknown', { gene: 'CHEK2', panel }),
      rated(null, 'amber', 'unknown', { gene: 'NBN', panel }),
      rated(null, 'red', 'unknown', { gene: 'ATM', panel }),
    ]);
    expect(markdown).toContain('0 now green, 0 no longer green, 0 other changes of rating');
    expect(markdown).toContain('1 more was rated green and may have been green before.');
    expect(markdown).toContain('2 more may no longer be green.');
    expect(markdown).toMatch(/### May no longer be green\n\n- ATM: .*\n- NBN: /);
    expect(html).toContain('May no longer be green <small>2</small>');
  });

  test('names green genes whose mode of inheritance changed under a heading of their own, with both values', () => {
    const changes = [
      { field: 'modeOfInheritance' as const, from: 'BIALLELIC, autosomal or pseudoautosomal', to: 'Unknown' },
    ];
    const { markdown, html } = reportOf([
      eventOf('entity.annotated', { changes, rating: 'green' }, { gene: 'GJB2', panel }),
      eventOf('entity.annotated', { changes, rating: 'red' }, { gene: 'OTOF', panel }),
    ]);
    expect(markdown).toContain('1 more is green, or may be, with another mode of inheritance than before.');
    expect(markdown).toMatch(
      /### Mode of inheritance changed\n\n- GJB2: BIALLELIC → not stated \(green, 2026-11-21, version 8.10, /,
    );
    expect(markdown).not.toContain('OTOF');
    expect(html).toContain('Mode of inheritance changed');
  });

  test('counts one other change of rating as one', () => {
    const { markdown } = reportOf([rated('red', 'amber', 'upgraded', { gene: 'CHEK2', panel })]);
    expect(markdown).toContain('0 now green, 0 no longer green, 1 other change of rating, 0 changed');
  });

  test('says what happened to a panel in the words of messages', () => {
    const { markdown } = reportOf([
      eventOf('panel.created', { name: panel.name } as never, { panel }),
      eventOf('panel.withdrawn', {} as never, { panel }),
    ]);
    expect(markdown).toContain('\n- New panel\n- No longer public\n');
  });

  // The panel is at 8.10: "signed off" alone would read as if 8.10 was.
  test.each([
    [
      { signedOff: true, signedOffVersion: '8.2', signedOffDate: '2026-11-20' },
      'Version 8.2 signed off from 20 November 2026',
    ],
    [{ signedOff: true, version: '8.2', date: '2026-11-20' }, 'Version 8.2 signed off from 20 November 2026'],
    [{ signedOff: true }, 'A version signed off'],
    [{ signedOff: false, previousSignedOffVersion: '8.2' }, 'Sign-off of version 8.2 withdrawn'],
    [{ signedOff: false }, 'Sign-off of a version withdrawn'],
  ])('says which version was signed off, or that it is a version: %j', (change, words) => {
    const { markdown, html } = reportOf([signOff(change)]);
    expect(markdown).toContain(`\n- ${words}\n`);
    expect(html).toContain(`<li>${words}</li>`);
    expect(markdown).toContain(`${change.signedOff ? 1 : 0} with a version signed off`);
  });
});
