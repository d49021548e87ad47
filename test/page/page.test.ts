import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { breast, correctionOf, eventOf, rated, turnedGreen } from '../words/events.ts';
import { listed, type OpenedPage, openPage } from './open-page.ts';

const hearing = {
  ...breast,
  id: 126,
  name: 'Hearing loss',
  version: '2.0',
  relevantDisorders: ['R67'],
  types: [],
  signedOff: false,
};

const events = [
  turnedGreen({ id: 'a1', time: '2026-11-21T09:14:02.120000Z' }),
  eventOf(
    'entity.commented',
    { comment: 'Three families', action: 'added' },
    { id: 'a2', time: '2026-11-21T09:15:00.000000Z', actor: 'Zoë Ångström-Müller' },
  ),
  rated('green', 'amber', 'downgraded', {
    id: 'b1',
    panel: hearing,
    gene: 'OTOF',
    time: '2026-11-20T23:30:00.000000Z',
  }),
  eventOf(
    'panel.promoted',
    { version: '2.0', previousVersion: '1.5', via: 'activity' },
    { id: 'b2', panel: hearing, time: '2026-11-18T10:00:00.000000Z' },
  ),
  eventOf(
    'entity.tags-changed',
    { added: ['watchlist'], removed: [] },
    { id: 'b3', panel: hearing, gene: 'MYO7A', time: '2026-11-02T10:00:00.000000Z', late: true },
  ),
  rated(null, 'red', 'unknown', { id: 'c1', time: '2025-03-01T10:00:00.000000Z', gene: 'PALB2' }),
];

let page: OpenedPage;
beforeEach(async () => {
  page = await openPage(events);
});
afterEach(() => page.close());

describe('the stream', () => {
  test('shows the changes of the last 30 days, newest first, by day and panel', async () => {
    const html = await page.text('/');
    expect(listed(html)).toStrictEqual(['a2', 'a1', 'b1', 'b2', 'b3']);
    expect([...html.matchAll(/<h2 id="day-(\S+)">/g)].map(([, day]) => day)).toStrictEqual([
      '2026-11-21',
      '2026-11-20',
      '2026-11-18',
      '2026-11-02',
    ]);
    expect(html).toContain('Today <span class="date">Saturday 21 November 2026</span>');
    expect(html).toContain('<b>BRCA1</b>');
  });

  test('shows a rating as a word, and says an arrow to a screen reader', async () => {
    const html = await page.text('/');
    expect(html).toMatch(
      /<span class="rating amber">amber<\/span> <span class="arrow" aria-hidden="true">→<\/span><span class="unseen"> to <\/span> <span class="rating green">green<\/span>/,
    );
  });

  test.each([
    ['?since=all', ['a2', 'a1', 'b1', 'b2', 'b3', 'c1']],
    ['?since=2026-11-20', ['a2', 'a1', 'b1']],
    ['?until=2026-11-20', ['b2', 'b3']],
    ['?to=green', ['a1']],
    ['?from-rating=green', ['b1']],
    ['?to=green&to=amber', ['a1', 'b1']],
    ['?direction=downgraded', ['b1']],
    ['?topic=tags&topic=promotions', ['b2', 'b3']],
    ['?type=entity.commented', ['a2']],
    ['?gene=brca1', ['a2', 'a1']],
    ['?panel=126', ['b1', 'b2', 'b3']],
    ['?panel=hearing+loss', ['b1', 'b2', 'b3']],
    ['?r-code=R208', ['a2', 'a1']],
    ['?panel-type=gms-signed-off', ['a2', 'a1']],
    ['?tag=watchlist', ['b3']],
    ['?actor=Zo%C3%AB+%C3%85ngstr%C3%B6m-M%C3%BCller', ['a2']],
    ['?late=true', ['b3']],
    ['?entity-type=gene', ['a2', 'a1', 'b1', 'b3']],
    ['?q=hearing', ['b1', 'b2', 'b3']],
    ['?q=zoe', ['a2']],
    ['?panel=126&direction=downgraded', ['b1']],
  ])('%s finds %j', async (address, ids) => {
    expect(listed(await page.text(`/${address}`))).toStrictEqual(ids);
  });

  test('shows one action of a curator in one line, in which each event is a link', async () => {
    const at = (micros: number) => ({
      panel: hearing,
      gene: 'USH2A',
      time: `2026-11-19T09:00:00.${micros}Z`,
    });
    await page.append(
      eventOf(
        'entity.added',
        { rating: 'amber', sources: [], tags: ['watchlist'], copiedFrom: null },
        { id: 'e1', ...at(100000) },
      ),
      rated(null, 'amber', 'new', { id: 'e2', ...at(100000) }),
      eventOf('entity.tags-changed', { added: ['watchlist'], removed: [] }, { id: 'e3', ...at(100000) }),
      eventOf('entity.commented', { comment: 'One family', action: 'added' }, { id: 'e4', ...at(150000) }),
    );
    const html = await page.text('/?gene=USH2A&open=e2');
    const [line = ''] = /<li class="event[\s\S]*?<\/li>/.exec(html) ?? [];
    expect(listed(line)).toStrictEqual(['e1', 'e2', 'e3', 'e4']);
    expect(line.replace(/<time.*<\/time>|<[^>]*>/g, '').replace(/\s+/g, ' ')).toBe(
      ' USH2A added as amber with the tag “watchlist”; new comment One family Catherine Snowe ',
    );
    expect(line).toMatch(/^<li class="event amber is-open">/);
    expect(line).toMatch(/id="e-e2" href="[^"]*" aria-current="true"/);
  });

  test('has one address for a view, without empty fields of the form', async () => {
    const { status, headers } = await page.get('/?gene=BRCA1%2C+PALB2&to=&since=30d&q=');
    expect([status, headers.get('location')]).toStrictEqual([302, '/?gene=BRCA1&gene=PALB2']);
  });

  test('pages through the history without leaving out or repeating a change', async () => {
    const many = Array.from({ length: 250 }, (_, index) =>
      turnedGreen({
        id: `f${index.toString(16).padStart(4, '0')}`,
        time: '2026-11-19T10:00:00.000000Z',
        gene: `G${index}`,
      }),
    );
    await page.append(...many);
    const seen: string[] = [];
    let address: string | undefined = '/?to=green';
    while (address !== undefined) {
      const html: string = await page.text(address);
      seen.push(...listed(html));
      address = /rel="next" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toHaveLength(251);
    expect(new Set(seen).size).toBe(251);
  });
});

describe('a view that is printed without its link “Print”', () => {
  const heading = async (address: string): Promise<string> =>
    /<div class="paper-only">(.*?)<\/div>/s.exec(await page.text(address))?.[1] ?? '';

  test('says on paper what it is about, and when it was so', async () => {
    expect(await heading('/?since=all')).toContain('Changes of gene panels</p>');
    const filtered = await heading('/?r-code=R67&gene=OTOF&since=all');
    expect(filtered).toContain('Changes of gene panels: R67, OTOF</p>');
    expect(filtered).toContain('As known on 21 Nov 2026, 12:00.</p>');
  });

  test('says on paper that it is not all', async () => {
    const tags = { added: ['watchlist'], removed: [] };
    await page.append(
      ...Array.from({ length: 120 }, (_, index) =>
        eventOf('entity.tags-changed', tags, { id: `f${index}`, gene: `G${index}`, panel: hearing }),
      ),
    );
    expect(await heading('/')).toContain(
      'Only 100 of the changes are on this paper: the link “Print” of the page lists all.',
    );
  });
});

describe('what is not there', () => {
  test.each([
    ['/?to=blue', 400, '“to” is &quot;blue&quot;; expected green, amber, red, none, unknown.'],
    ['/?colour=blue', 400, 'unknown part'],
    ['/?gen=BRCA1', 400, 'Did you mean “gene”?'],
    ['/?r-code=208', 400, 'expected a code such as R59'],
    ['/?since=yesterday', 400, 'expected a day'],
    ['/?since=2026-13-01', 400, 'expected a day'],
    ['/?since=2026-11-20&until=2026-11-20', 400, 'not after'],
    ['/?before=1', 400, 'expected a place in the history'],
    ['/?late=yes', 400, 'expected true or false'],
    ['/?genes-file=/etc/passwd', 400, 'unknown part'],
    ['/report?since=2026-11-20&until=2026-11-01', 400, 'after its begin'],
    ['/report?colour=1', 400, 'unknown part'],
    ['/nowhere', 404, 'nothing at /nowhere'],
    ['/panel/uk/999', 404, 'no change of a panel 999'],
    ['/panel/uk/x', 404, 'no change of a panel x'],
    ['/event/abc/json', 404, 'nothing at'],
    ['/event/a1/pdf', 404, 'nothing at'],
  ])('%s answers %i and says why', async (address, status, sentence) => {
    const response = await page.get(address);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(sentence);
  });

  test('a filter that matches nothing shows a notice with links to go on', async () => {
    const html = await page.text('/?gene=PALB2');
    expect(html).toContain('Nothing of this period was read');
    expect(html).toContain('href="/?gene=PALB2&amp;since=all"');
  });

  test('an empty history shows a notice', async () => {
    const empty = await openPage();
    expect(await empty.text('/')).toContain('Nothing is kept yet');
    expect(await empty.text('/report')).toContain(
      'Nothing of this period was read, so nothing can be said about it.',
    );
    expect(await empty.text('/watcher')).toContain('Watcher');
    empty.close();
  });

  test('an event that the history does not have shows a notice beside the stream', async () => {
    const html = await page.text('/?open=0123');
    expect(html).toContain('No such event');
    expect(listed(html)).toHaveLength(5);
  });
});

describe('an open event', () => {
  test('shows what changed, who did it, when, since when the old value held, its rows, and a link to the catalogue', async () => {
    await page.append(rated('red', 'amber', 'upgraded', { id: 'a0', time: '2024-03-03T10:00:00.000000Z' }));
    const html = await page.text('/?open=a1');
    for (const text of [
      '<h2 id="event-title" tabindex="-1">BRCA1 <span class="rating amber">amber</span>',
      'Inherited breast cancer and ovarian cancer (R208), version 4.12</p>',
      'This panel has a signed-off version; this change may not be in it',
      'Rated by Catherine Snowe, 21 November 2026, 09:14 (London)',
      '<span class="rating amber">amber</span> since 3 March 2024',
      '<blockquote>a row</blockquote>',
      'href="https://panelapp.genomicsengland.co.uk/panels/635/gene/BRCA1/"',
      'aria-current="true"',
    ]) {
      expect(html).toContain(text);
    }
  });

  test.each([
    ['mail', '<span>Subject</span> BRCA1 is now green'],
    ['slack', 'class="chat slack"'],
    ['teams', 'class="chat teams"'],
    ['json', '&quot;specversion&quot;: &quot;1.0&quot;'],
  ])('is shown as %s', async (form, text) => {
    expect(await page.text(`/?open=a1&show=${form}`)).toContain(text);
  });

  test('is given as it was published, and as a mail whose one style sheet is allowed by its digest', async () => {
    expect(JSON.parse(await page.text('/event/a1/json'))).toStrictEqual(events[0]);
    const { headers } = await page.get('/event/a1/mail');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'sha256-[^']+'/);
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  });
});

test('every link and form of the views leads somewhere', async () => {
  const seen = new Set<string>();
  const left = ['/', '/?since=all', '/?open=a1&show=mail', '/report', '/watcher', '/panel/uk/126'];
  for (let address = left.pop(); address !== undefined && seen.size < 150; address = left.pop()) {
    if (seen.has(address)) continue;
    seen.add(address);
    const response = await page.get(address);
    expect([200, 302], `${address} answered ${response.status}`).toContain(response.status);
    const html = await response.text();
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
    for (const [, , found = ''] of html.matchAll(/ (href|src|action|data-first)="([^"]*)"/g)) {
      const next = found.replaceAll('&amp;', '&').replace(/#.*/, '');
      if (next.startsWith('/') && !next.startsWith('/live')) left.push(next);
    }
  }
  expect(seen.size).toBeGreaterThan(60);
});

describe('a panel', () => {
  test('has a picture of its timeline and a table that says the same', async () => {
    const html = await page.text('/panel/uk/126');
    expect(html).toContain('<div class="timeline" role="img"');
    expect(html).toMatch(
      /<span class="name">OTOF<\/span><svg[^>]*>.*<rect class="bar green".*<rect class="bar amber"/,
    );
    expect(html).toContain('Promotions, sign-offs and other steps');
    expect(html).toMatch(/OTOF<\/a><\/th><td><span class="rating amber">amber/);
  });

  test('shows a gene that lost the source of its rating as unknown from then on, as reports do', async () => {
    await page.append(
      eventOf(
        'entity.annotated',
        { changes: [{ field: 'sources', removed: ['Expert Review Amber'] }], rating: 'amber' },
        { id: 'b4', panel: hearing, gene: 'OTOF', time: '2026-11-21T08:00:00.000000Z' },
      ),
    );
    const html = await page.text('/panel/uk/126');
    expect(html).toMatch(/OTOF<\/a><\/th><td><span class="rating unknown">unknown/);
  });

  test.each([
    ['panel.deleted', { name: 'Hearing loss' }, 'deleted', 'was deleted on'],
    ['panel.withdrawn', { name: 'Hearing loss' }, 'no longer public', 'has not been public since'],
  ] as const)(
    'that is gone says so above what it held, and in its timeline: %s',
    async (kind, change, milestone, said) => {
      expect(await page.text('/panel/uk/126')).not.toContain(said);
      await page.append(
        eventOf(kind, change as never, { id: 'd1', panel: hearing, time: '2026-11-21T08:00:00.000000Z' }),
      );
      const html = await page.text('/panel/uk/126');
      expect(html).toContain(`This panel ${said} 21 Nov 2026. What follows is from before.`);
      expect(html).toMatch(new RegExp(`<a href="/\\?open=d1[^"]*">${milestone}</a>`));
      expect(html).toContain(`<title>${milestone}, version 2.0</title>`);
      expect(html, 'no empty box').not.toMatch(/<div class="warning[^>]*><\/div>/);
    },
  );
});

test('a panel with hundreds of changes shows those of green entities first, and says how many it leaves out', async () => {
  const at = (minute: number) =>
    `2026-11-1${minute % 9}T10:${String(minute % 60).padStart(2, '0')}:00.000000Z`;
  await page.append(
    ...Array.from({ length: 300 }, (_, index) =>
      rated('amber', 'red', 'downgraded', {
        id: `e${index.toString(16)}`,
        panel: hearing,
        gene: `G${index}`,
        time: at(index),
      }),
    ),
  );
  const html = await page.text('/panel/uk/126');
  const names = [...html.matchAll(/<span class="name">([^<]*)<\/span>/g)].map(([, name]) => name);
  expect(names.slice(0, 2)).toStrictEqual(['Versions', 'OTOF']);
  expect(names).toHaveLength(26);
  expect(html).toContain(
    'The picture shows 24 of them, first those that are or were green; the table shows 300 of 301',
  );
  expect(html.length).toBeLessThan(400_000);
});

describe('what turned green', () => {
  test('lists net changes between two days', async () => {
    const html = await page.text('/report?show=green&since=2026-11-19&until=2026-11-22');
    expect(html).toContain('1 now green and 1 no longer green');
    expect(await page.text('/report?since=2026-11-19&until=2026-11-21')).toContain('0 now green and 1');
    expect(await page.text('/report?r-code=R67')).toContain('0 now green');
  });

  test('lists what is not green and may have been green before, in the view and as CSV', async () => {
    const period = 'since=2025-02-20&until=2025-03-11';
    const html = await page.text(`/report?${period}`);
    expect(html).toContain('1 more may no longer be green.');
    expect(html).toMatch(/PALB2<\/a>.*perhaps green before/);
    expect(await page.text(`/report.csv?${period}`)).toMatch(
      /may no longer be green,PALB2,uk,.*,unknown,unknown; red,red,/,
    );
  });

  test('says which part of the period the history does not cover', async () => {
    expect(await page.text('/report')).toContain(
      'uk was not read from 22 Oct 2026, 00:00 to 21 Nov 2026, 11:59',
    );
  });

  test('is given as CSV in which no cell is a formula', async () => {
    await page.append(
      turnedGreen({ id: 'd1', gene: '=HYPERLINK("x")', time: '2026-11-21T10:00:00.000000Z' }),
    );
    const csv = await page.text('/report.csv?show=green');
    expect(csv.split('\r\n')).toHaveLength(7);
    expect(csv).toContain(
      'now green,BRCA1,uk,635,Inherited breast cancer and ovarian cancer,R208,v4.12,gene,,,,,amber,amber; green,green,2026-11-21T',
    );
    expect(csv).toContain('"uk was not read from 22 Oct 2026');
    expect(csv).toContain("'=HYPERLINK");
    expect(csv).not.toMatch(/,=|,"=/);
    expect(await page.text('/events.csv?to=green')).toContain("'=HYPERLINK");
  });
});

test('an event and its correction link to each other', async () => {
  const stated = turnedGreen({ id: 'd1', gene: 'HACD1' });
  await page.append(stated);
  expect(await page.text('/?open=d1')).not.toContain('This was wrong.');
  await page.append(correctionOf(stated, { from: 'red', to: 'green', direction: 'upgraded' }, 'd2'));
  const linkIn = (html: string, words: string): string | undefined =>
    new RegExp(`<a href="([^"]*)">${words}</a>`).exec(html)?.[1]?.replaceAll('&amp;', '&');
  const wrong = await page.text('/?open=d1');
  expect(wrong).toContain('This was wrong.');
  const right = linkIn(wrong, 'The correction') ?? 'no link';
  expect(right).toMatch(/open=d2\b.*#event$/);
  const before = linkIn(await page.text(right), 'What was reported before') ?? 'no link';
  expect(before).toMatch(/open=d1\b.*#event$/);
  expect(await page.text(before)).toContain('This was wrong.');
});
