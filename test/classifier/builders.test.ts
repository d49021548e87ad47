import { describe, expect, test } from 'vitest';
import { classifierOf } from '../../lambdas/classifier/classify.ts';
import {
  composite,
  either,
  type Form,
  line,
  open,
  type Part,
  type Read,
  required,
  rest,
  type Slot,
} from '../../lambdas/classifier/form.ts';
import { activityOf, BRCA1, panel, type RowFrame } from './corpus/row.ts';

/** What the grammar's builders promise to wordings that are still to come: each grammar here has one form. */

const nothing = (): null => null;

describe('the builders refuse a pattern', () => {
  test.each([/^Deleted/, /Deleted$/, /Deleted/, /Not ^Deleted$/, /^Deleted$ not/, /^Deleted for 1\$/])(
    '%s, which is not anchored',
    (pattern) => {
      expect(() => line(pattern, nothing).templates).toThrow(
        `pattern ${pattern} is not anchored at both ends`,
      );
    },
  );

  test.each([/^Deleted$/, /^Set (?<a>yes|no)$/, /^Set (?<a>\S+)$/, /^Set (?<a>.*) (?<b>\d)$/s])(
    '%s over several lines, as its last group is not free text',
    (pattern) => {
      const message = `pattern ${pattern} goes over several lines, and its last group is not free text`;
      expect(() => open(pattern, nothing).templates).toThrow(message);
      expect(() => rest(pattern, nothing).templates).toThrow(message);
    },
  );

  test.each([
    [/^Set ⟨label$/, '⟨label'],
    [/^Set ⟨lable⟩ to (?<a>.*)$/s, '⟨lable⟩ to (?<a>.*)'],
    [/^Set label⟩$/, '⟩'],
  ])('%s, which has an unknown placeholder', (pattern, at) => {
    const message = `pattern ${pattern} has an unknown placeholder at "${at}"`;
    expect(() => line(pattern, nothing).templates).toThrow(message);
  });

  test('that has a placeholder between two groups', () => {
    const pattern = /^Moved (?<a>.*) from ⟨panel⟩ to (?<b>.*)$/s;
    expect(() => line(pattern, nothing).templates).toThrow(
      `pattern ${pattern} has a placeholder between two groups`,
    );
  });
});

/** Says what it is given. */
const said =
  (name: string): Read =>
  (words) => ({ 'panel.changed': { changes: [{ field: 'name', from: name, to: words }] } });

interface Own extends Partial<Pick<Form, 'level' | 'within' | 'separator'>> {
  readonly on?: RowFrame;
}

/** What the parts of a form were given from a text, by their names; null where it is not read. */
function given(text: string, parts: readonly (Part | Slot)[], { on = BRCA1, ...own }: Own = {}): unknown {
  const classifier = classifierOf([composite({ name: 'own', level: 'entity', ...own, parts })]);
  const reading = classifier(activityOf({ on, text }));
  if (!reading) return null;
  return reading.draft['panel.changed']?.changes?.map(({ from, to }) => [from, to]);
}

const alone = (pattern: RegExp, build: typeof open = line): readonly Slot[] => [
  required(build(pattern, said('it'))),
];

describe('a template matches what its pattern matches', () => {
  test.each([
    { pattern: /^Done\.?$/, texts: ['Done', 'Done.'], others: ['Done.?', 'Don'] },
    { pattern: /^Tags? set$/, texts: ['Tag set', 'Tags set'], others: ['Tag? set'] },
    { pattern: /^Set .$/s, texts: ['Set x', 'Set .'], others: ['Set xy'] },
    { pattern: /^Set (?<a>[^)]+)$/, texts: ['Set x', 'Set (x'], others: ['Set )'] },
    { pattern: /^Set (?<a>[x|y]z)$/, texts: ['Set xz', 'Set |z'], others: ['Set x', 'Set [x'] },
    { pattern: /^Set (?<a>[(])x [)]$/, texts: ['Set (x )'], others: ['Set x )', 'Set (x'] },
    { pattern: /^Set (?<a>(?:x|y)z)$/, texts: ['Set xz', 'Set yz'], others: ['Set x', 'Set (?:x'] },
    { pattern: /^Set (?<a>x\|y)$/, texts: ['Set x|y'], others: ['Set x\\', 'Set y'] },
    { pattern: /^Set (?<a>x\\)$/, texts: ['Set x\\'], others: ['Set x', 'Set x)'] },
    { pattern: /^Set (\(?<a>x)$/, texts: ['Set <a>x', 'Set (<a>x'], others: ['Set x'] },
    { pattern: /^Set (?<a>yes)$/, texts: ['Set yes'], others: ['Set y'] },
    { pattern: /^Set (?<a>x|y)+$/, texts: ['Set x', 'Set xy'], others: ['Set '] },
    { pattern: /^Set to (?<a>.+)$/s, texts: ['Set to x\ny'], others: ['Set to '], build: open },
    { pattern: /^(?<a>.+) was set\.$/s, texts: ['x was set.'], others: ['x was set', ' was set.'] },
    { pattern: /^(?<a>.+) replaced ⟨name⟩\.$/s, texts: ['x replaced BRCA1.'], others: ['x replaced BRCA1'] },
    {
      pattern: /^Panel ⟨panel⟩ merged$/,
      texts: ['Panel Hearing loss merged'],
      others: ['Panel  merged'],
      on: panel,
    },
  ])('$pattern', ({ pattern, texts, others, build = line, on = BRCA1 }) => {
    const level = on === panel ? 'panel' : 'entity';
    for (const text of texts) expect(given(text, alone(pattern, build), { level, on })).toHaveLength(1);
    for (const text of others) expect(given(text, alone(pattern, build), { level, on })).toBeNull();
  });

  test('of which there are two where it names the entity with or without its label', () => {
    expect(line(/^Deleted$/, nothing).templates).toHaveLength(1);
    expect(line(/^Deleted ⟨entity⟩$/, nothing).templates).toHaveLength(2);
  });
});

describe('a part is given', () => {
  test('nothing where its pattern has no group, or where the group is missing', () => {
    expect(given('Done', alone(/^Done$/))).toStrictEqual([['it', '']]);
    expect(given('Set ', alone(/^Set (?<a>yes|no)?$/))).toStrictEqual([['it', '']]);
    expect(given('Set no', alone(/^Set (?<a>yes|no)?$/))).toStrictEqual([['it', 'no']]);
  });

  test('free text up to where the words after it stand, and the parts after them may come', () => {
    const list = open(/^List (?<list>.*) end$/s, said('list'));
    const last = line(/^Last$/, said('last'));
    expect(given('List a\nLast\nb end\nLast', [required(list), last])).toStrictEqual([
      ['list', 'a\nLast\nb'],
      ['last', ''],
    ]);
    expect(given('List a end\nLast', [list, required(line(/^First$/, said('first'))), last])).toBeNull();
  });

  test('free text with the lines that it needs for its second side', () => {
    const sides = open(/^From (?<sides>.*)$/s, said('sides'));
    const upTo = line(/^Up to (?<x>.*)$/s, said('up to'));
    const wasNew = line(/^(?<x>.+) was new$/s, said('was new'));
    expect(given('From a\nUp to b', [sides, upTo])).toStrictEqual([['sides', 'a\nUp to b']]);
    expect(given('From a\n to was new', [sides, wasNew])).toStrictEqual([['sides', 'a\n to was new']]);
    expect(given('From a to b\nx was new', [sides, wasNew])).toStrictEqual([
      ['sides', 'a to b'],
      ['was new', 'x'],
    ]);
  });
});

test('of two parts that fit one line, the first is taken', () => {
  const parts = [
    either(line(/^Set (?<a>.+)$/s, said('one')), line(/^Set (?<b>\S+)$/, said('other'))),
    line(/^Last$/, said('last')),
  ];
  expect(given('Set x\nLast', parts)).toStrictEqual([
    ['one', 'x'],
    ['last', ''],
  ]);
});

test('parts within words are read only where the words stand', () => {
  const parts = [open(/^(?<a>.*)$/s, said('it')), line(/^Last$/, said('last'))];
  const within = open(/^⟨name⟩: (?<fields>.*)$/s, () => ({ 'panel.changed': { changes: [] } }));
  const read = (text: string): unknown => given(text, parts, { within, separator: '; ' });
  expect(read('BRCA1: x')).toStrictEqual([['it', 'x']]);
  for (const text of [': x', 'BRCA1; x', 'BRCA2: x', 'x']) expect(read(text)).toBeNull();
});
