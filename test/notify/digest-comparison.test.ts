import { expect, test } from 'vitest';
import { feedEntry } from '../../lambdas/channels/atom.ts';
import type { Filter } from '../../lambdas/filters/filter.ts';
import { type DisagreementRecord, saveDisagreements } from '../../lambdas/panels/disagreement-record.ts';
import { createDocuments } from '../../lambdas/store/documents.ts';
import { memoryItems } from '../../lambdas/store/items.ts';
import { mailSubject, mailText } from '../../lambdas/words/mail.ts';
import { madeUpState } from '../panels/made-up-states.ts';
import { noon } from '../run/test-clock.ts';
import { createNotifyHarness, planOf, subscriptionOf } from './notify-harness.ts';

const DAY = 24 * 60 * 60_000;
const { entities: _entities, ...summary } = madeUpState({ panelId: 3, relevantDisorders: ['R67'] });
const nothing = { wholeAt: noon + DAY, signature: '', pairs: [], unread: [], notRead: [], pending: null };
const pair = (here: number, name: string, why: string | null): DisagreementRecord['pairs'][number] => ({
  panels: [
    { id: here, name },
    { id: here + 100, name },
  ],
  ...{ reasons: [], sure: 'certain', stamp: '', why },
});
const why = (id: number, name: string): string =>
  `${name} (${id}) of australia: version 1.2 has not been read yet.`;
const unread = (catalogue: string, id: number, relevantDisorders: string[] = []) => ({
  ...{ catalogue, id, name: `Panel ${id}`, types: [], relevantDisorders },
});

/** The digest of a day without an event. */
async function digestOf(filter: Filter, record: Omit<DisagreementRecord, 'version'> | null) {
  const when = { kind: 'digest', every: 'daily', hour: 7, ifNothing: true } as const;
  const plan = { ...planOf(subscriptionOf({ filter, when })), comparedWith: { uk: ['australia'] } };
  const harness = createNotifyHarness(plan);
  const documents = createDocuments(memoryItems(harness.clock.now), { catalogue: 'uk' });
  if (record) await saveDisagreements(documents, 'australia', { version: 0, ...record });
  const notifier = harness.notifier('run', {
    documentsOf: () => documents,
    statesOf: () => ({ panels: async () => [summary] }) as never,
  });
  await notifier.run();
  harness.clock.pass(DAY);
  await notifier.run();
  const [message] = harness.sent;
  if (!message) throw new Error('no digest was sent');
  const text = mailText(message.notice).split('\n\n').slice(0, -1).join('\n');
  return { subject: mailSubject(message.notice), text, feed: feedEntry(message.notice, message).text };
}
const disagreements = { topics: ['disagreements'] } as const satisfies Filter;

test('a digest without a disagreement says nothing more where all was compared, or nobody asks for disagreements', async () => {
  const compared = { ...nothing, pairs: [pair(3, 'Hearing loss', null)] };
  const { subject, text } = await digestOf(disagreements, compared);
  expect(subject).toMatch(/nothing changed$/);
  expect(text).not.toContain('ompared');
  expect((await digestOf({ to: ['green'] }, null)).text).not.toContain('ompared');
});

test.each<[string, Omit<DisagreementRecord, 'version'> | null, string]>([
  [
    'nothing was compared yet',
    null,
    'uk and australia have not been compared yet: what they disagree about is unknown.',
  ],
  [
    'the comparison ended long ago',
    { ...nothing, wholeAt: noon - 2 * DAY },
    'Not every panel of uk and australia was compared since 18 November 2026, 12:00 (London).',
  ],
  [
    'a catalogue was not read',
    { ...nothing, notRead: ['What changed in australia since 2026-11-20 was not read.'] },
    'Not compared: What changed in australia since 2026-11-20 was not read.',
  ],
  [
    'a pair was not compared',
    { ...nothing, pairs: [pair(3, 'Hearing loss', why(103, 'Hearing loss'))] },
    'Not compared: Hearing loss (103) of australia: version 1.2 has not been read yet.',
  ],
  [
    'a panel was not read',
    { ...nothing, unread: [unread('australia', 109)] },
    'Not compared, because what it holds has not been read yet: Panel 109 of australia.',
  ],
])('a digest without a disagreement is no all-clear where %s', async (_, record, sentence) => {
  const { subject, text, feed } = await digestOf(disagreements, record);
  expect(subject).toMatch(/nothing found in what was read$/);
  expect(text).toContain(sentence);
  expect(feed).toContain(sentence);
});

test('names what is not compared of the panels that are asked for, the first of it by name', async () => {
  const record = {
    ...nothing,
    pairs: [pair(3, 'Hearing loss', why(103, 'Hearing loss')), pair(4, 'Ataxia', why(104, 'Ataxia'))],
    unread: [unread('uk', 8, ['R68']), unread('uk', 9, ['R67']), unread('australia', 109)],
  };
  const { text } = await digestOf({ ...disagreements, rCodes: ['R67'] }, record);
  expect(text).toContain('Panel 9 of uk, Panel 109 of australia.');
  expect(text).toContain('Hearing loss (103)');
  expect(text).not.toMatch(/Ataxia|Panel 8/);
  const all = Array.from({ length: 7 }, (_, place) =>
    pair(place + 10, `Panel ${place + 10}`, `Panel ${place + 10}.`),
  );
  const many = await digestOf(disagreements, { ...nothing, pairs: all });
  expect(many.text.match(/Not compared: Panel/g)).toHaveLength(5);
  expect(many.text).toContain('2 more pairs of panels of uk and australia were not compared.');
});
