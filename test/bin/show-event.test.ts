import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { formatEvents } from '../../bin/output.ts';
import { type Terminal, terminalOf, truncated, widthOf } from '../../bin/terminal.ts';
import type { Changes, EventKindName } from '../../lambdas/events/changes.ts';
import { type EventData, type PanelEvent, schemaUri, typeName } from '../../lambdas/events/schemas.ts';
import { printable } from '../../lambdas/run/text.ts';

const summary = 'RHO was downgraded from amber to red on Cystic kidney disease in version 0.20.';

function event<Kind extends EventKindName>(
  kind: Kind,
  change: Changes[Kind],
  data: Partial<EventData> = {},
): PanelEvent {
  return {
    specversion: '1.0',
    id: '0123456789abcdef0123456789abcdef',
    source: 'https://catalogue.example/api/v1/',
    type: typeName(kind),
    time: '2023-11-17T15:54:09.123689Z',
    datacontenttype: 'application/json',
    dataschema: schemaUri(kind),
    data: {
      catalogue: 'uk',
      panel: { id: 10, name: 'Cystic kidney disease', version: '0.20' },
      entity: { type: 'gene', name: 'RHO' },
      actor: 'Eleanor Vance-Holt',
      summary,
      late: false,
      activities: [],
      ...data,
      change,
    },
  } as PanelEvent;
}

const downgraded = event('entity.classified', { from: 'amber', to: 'red', direction: 'downgraded' });
/** One event alone. */
const formatEvent = (shown: PanelEvent, terminal: Terminal): string =>
  formatEvents([shown], terminal).join('\n');
const file = { colours: false, width: undefined };

test('in a file: one plain line', () => {
  expect(formatEvent(downgraded, file)).toBe(
    '2023-11-17 15:54Z  RHO  amber → red              Cystic kidney disease 0.20, Eleanor Vance-Holt',
  );
});

test('on a terminal with room: the same line, coloured by rating', () => {
  expect(formatEvent(downgraded, { colours: true, width: 100 })).toBe(
    '\u001b[2m2023-11-17 15:54Z\u001b[22m  \u001b[1mRHO\u001b[22m  \u001b[33mamber\u001b[39m → ' +
      '\u001b[31mred\u001b[39m              Cystic kidney disease 0.20, Eleanor Vance-Holt',
  );
});

test('on a terminal without colours: the same, plain', () => {
  const plain = formatEvent(downgraded, { colours: false, width: 100 });
  expect(plain).toBe(stripVTControlCharacters(formatEvent(downgraded, { colours: true, width: 100 })));
  expect(plain).not.toContain('\u001b');
});

test('on 80 columns: a long line goes on in the next one, and nothing is cut or repeated', () => {
  expect(formatEvent(downgraded, { colours: false, width: 80 }).split('\n')).toStrictEqual([
    '2023-11-17 15:54Z  RHO  amber → red',
    '  Cystic kidney disease 0.20, Eleanor Vance-Holt',
  ]);
  const commented = event('entity.commented', { action: 'added', comment: `${'Evidence '.repeat(12)}ends.` });
  expect(formatEvent(commented, { colours: false, width: 80 }).split('\n')).toStrictEqual([
    '2023-11-17 15:54Z  RHO  new comment',
    '  Cystic kidney disease 0.20, Eleanor Vance-Holt  “Evidence Evidence Evidence',
    '  Evidence Evidence Evidence Evidence Evidence Evidence Evidence Evidence',
    '  Evidence ends.”',
  ]);
});

const none = { panel: null, entity: null } as const;
const panelOnly = { entity: null } as const;
const heads: readonly [PanelEvent, string][] = [
  [
    event('entity.classified', { from: 'green', to: 'none', direction: 'downgraded' }),
    'RHO  green → unrated',
  ],
  [
    event('entity.classified', { from: null, to: 'green', direction: 'unknown' }),
    'RHO  rated green (earlier rating unknown; it may have been green already)',
  ],
  [event('entity.classified', { from: null, to: 'green', direction: 'new' }), 'RHO  added as green'],
  [event('entity.classified', { from: 'red', to: 'red', direction: 'unchanged' }), 'RHO  confirmed as red'],
  [event('entity.tags-changed', { added: ['watchlist'], removed: [] }), 'RHO  tag “watchlist” added  '],
  [
    event('panel.promoted', { version: '3.0', previousVersion: '2.4', via: 'activity' }, panelOnly),
    'Cystic kidney disease  version 2.4 → 3.0  version 0.20, Eleanor Vance-Holt',
  ],
  [
    event('panel.signed-off', { signedOff: true, via: 'listing' }, { ...panelOnly, actor: null }),
    'Cystic kidney disease  signed off  version 0.20',
  ],
  [
    event('entity.reviews-copied', { fromPanel: 'x' }, { entity: { type: 'str', name: 'HTT_CAG' } }),
    'STR HTT_CAG  reviews copied from x',
  ],
  [
    event('entity.marked-ready', {}, { entity: { type: 'region', name: 'ISCA-1-Loss' } }),
    'Region ISCA-1-Loss  marked as ready',
  ],
  [
    event('activity.unclassified', { reason: 'invalid-row', row: 7 }, { ...none, actor: null }),
    'a panel  a row that could not be read',
  ],
];
test.each(heads)('$type', (shown, expected) => {
  expect(formatEvent(shown, file)).toContain(`2023-11-17 15:54Z  ${expected}`);
});

test('the events of one action are one line, which states once that an entity was added', () => {
  const added = (copiedFrom: string | null) => [
    event('entity.added', { rating: 'amber', sources: [], tags: ['watchlist'], copiedFrom }),
    event('entity.classified', { from: null, to: 'amber', direction: 'new' }),
    event('entity.tags-changed', { added: ['watchlist'], removed: [] }),
  ];
  const other = event('entity.marked-ready', {}, { entity: { type: 'gene', name: 'ABCA4' } });
  expect(formatEvents([...added(null), other], file)).toStrictEqual([
    '2023-11-17 15:54Z  RHO  added as amber with the tag “watchlist”  Cystic kidney disease 0.20, Eleanor Vance-Holt',
    '2023-11-17 15:54Z  ABCA4  marked as ready        Cystic kidney disease 0.20, Eleanor Vance-Holt',
  ]);
  expect(formatEvents(added('Hearing loss'), file)[0]).toContain(
    'RHO  copied from Hearing loss as amber with the tag “watchlist”  ',
  );
});

test('a late event says so, one without a time keeps its columns', () => {
  const late = event('entity.marked-ready', {}, { late: true });
  expect(formatEvent(late, file)).toContain('RHO  marked as ready  late');
  const { time: _, ...timeless } = downgraded;
  expect(formatEvent(timeless as PanelEvent, file)).toMatch(/^ {19}RHO {2}amber → red/);
  const panel = { id: 1, name: 'Old panel', version: null };
  expect(formatEvent(event('entity.marked-ready', {}, { panel }), file)).toContain('  Old panel, Eleanor');
});

describe('width', () => {
  test.each([1, 16, 20, 34, 40, 60, 61, 62, 63, 80, 81, 120])('no line passes %i columns', (width) => {
    const wide = { id: 1, name: '腎臓病 🧬 Ño\u0301'.repeat(9), version: '1.2' };
    for (const shown of [downgraded, event('entity.marked-ready', {}, { panel: wide })]) {
      const lines = formatEvent(shown, { colours: true, width }).split('\n');
      expect(lines.join()).not.toContain('……');
      const stretches = lines.flatMap((line) => line.split('\u001b[').slice(0, -1));
      expect(stretches).not.toContainEqual(expect.stringMatching(/^\d+m$/));
      for (const line of lines) expect(widthOf(stripVTControlCharacters(line))).toBeLessThanOrEqual(width);
    }
  });

  test.each([40, 60, 80, 120])('every word is shown on %i columns', (width) => {
    const shown = formatEvent(downgraded, { colours: false, width });
    expect(shown.split(/\s+/)).toStrictEqual(formatEvent(downgraded, file).split(/\s+/));
  });

  const widths: Record<string, number> = {
    '': 0,
    abc: 3,
    'amber → green': 13,
    é: 1,
    'e\u0301': 1,
    腎臓: 4,
    '🧬': 2,
    '👩‍🔬': 2,
    '\u0301': 0,
    Ａ: 2,
  };
  test.each(Object.entries(widths))('of "%s" is %i', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  test('a wide character is never cut in two', () => {
    expect([4, 5, 6].map((width) => truncated('腎臓病', width))).toEqual(['腎…', '腎臓…', '腎臓病']);
  });
});

describe('hostile text controls no terminal', () => {
  const texts: Record<string, [string, string]> = {
    'an escape sequence': ['\u001b[2J\u001b[31mred', '\ufffd[2J\ufffd[31mred'],
    'a sequence of one byte': ['\u009b2J', '\ufffd2J'],
    'a title and a link': [
      '\u001b]0;x\u0007 \u001b]8;;http://x\u001b\\y',
      '\ufffd]0;x\ufffd \ufffd]8;;http://x\ufffd\\y',
    ],
    'line breaks and tabs': ['a\r\nb\tc\u2028d', 'a b c d'],
    'backspaces and NUL': ['green\b\b\u0000', 'green\ufffd\ufffd\ufffd'],
    'marks that turn the direction': ['\u202egreen\u2066\u200f', '\ufffdgreen\ufffd\ufffd'],
    'half a character': ['a\ud83d', 'a\ufffd'],
    'joined emoji, which stay': ['👩‍🔬', '👩‍🔬'],
  };
  test.each(Object.entries(texts))('%s', (_, [text, expected]) => {
    expect(printable(text)).toBe(expected);
    const hostile = event(
      'entity.marked-ready',
      {},
      { summary: text, entity: { type: 'gene', name: text }, panel: { id: 1, name: text, version: text } },
    );
    const shown = formatEvent({ ...hostile, time: text }, { colours: false, width: 400 });
    expect(shown.replaceAll('\n', '')).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    expect(shown).toContain('marked as ready');
  });
});

describe('the terminal', () => {
  const tty = { isTTY: true, columns: 90 };
  test.each([
    ['a pipe', {}, {}, { colours: false, width: undefined }],
    ['a terminal', tty, { TERM: 'xterm' }, { colours: true, width: 90 }],
    ['NO_COLOR', tty, { NO_COLOR: '1' }, { colours: false, width: 90 }],
    ['an empty NO_COLOR', tty, { NO_COLOR: '' }, { colours: true, width: 90 }],
    ['a dumb terminal', tty, { TERM: 'dumb' }, { colours: false, width: 90 }],
    [
      'a terminal that does not know its width',
      { isTTY: true, columns: 0 },
      {},
      { colours: true, width: undefined },
    ],
  ])('%s', (_, stream, env, expected) => {
    expect(terminalOf(stream, env)).toEqual(expected);
  });
});
