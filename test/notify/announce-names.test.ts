import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Outgoing } from '../../lambdas/channels/channel.ts';
import type { Filter } from '../../lambdas/filters/filter.ts';
import type { Sender, Senders } from '../../lambdas/notify/deliver.ts';
import { announceNames } from '../../lambdas/notify/filter-names.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import type { History } from '../../lambdas/store/history/history.ts';
import { namedPlaceOf } from '../../lambdas/store/history/sqlite.ts';
import type { NamedPlace } from '../../lambdas/store/history/unknown-names.ts';
import { type ItemStore, memoryItems } from '../../lambdas/store/items.ts';
import type { Listing } from '../../lambdas/store/listing.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { mailText } from '../../lambdas/words/mail.ts';
import { phraseText } from '../../lambdas/words/phrase.ts';
import { createTestClock } from '../run/test-clock.ts';
import { breast, eventOf, turnedGreen } from '../words/events.ts';
import { everyChannel, planOf, subscriptionOf } from './notify-harness.ts';

const clock = createTestClock();
let sent: Outgoing[];
let isBroken: boolean;
let store: ItemStore;
let listed: readonly string[];
let place: NamedPlace;
let history: History;
const panel = { ...breast, id: 7, name: 'Hearing loss' };

beforeEach(async () => {
  [sent, isBroken, store, listed] = [[], false, memoryItems(clock.now), ['Hearing loss']];
  const file = openStateFile();
  onTestFinished(() => file.close());
  const kept = namedPlaceOf(file);
  history = kept.history;
  const period = { catalogue: 'uk', since: 0n, until: 1n };
  await kept.history.append([toMessage(turnedGreen({ panel }))], period);
  place = { ...kept, listings: async () => [{ catalogue: 'uk', listing: listingOf(listed) }] };
});

function listingOf(names: readonly string[]): Listing {
  const facts = {
    types: [],
    diseaseGroup: '',
    diseaseSubGroup: '',
    relevantDisorders: ['R67'],
    signedOff: false,
  };
  return {
    panels: new Map(names.map((name, index) => [7 + index, { name, facts, versions: [] }])),
    typeSlugs: new Map(),
    readAt: 0n,
    listedAt: 0,
    requests: { readings: [], absent: [], notBefore: null },
  };
}

/** BRCA1 is removed from the panel, or added to it again. */
const happen = (what: 'entity.added' | 'entity.removed', time: string) => {
  const parts = { id: time, panel, time };
  const event =
    what === 'entity.removed'
      ? eventOf(what, { rating: 'green' }, parts)
      : eventOf(what, { rating: 'green', sources: [], tags: [], copiedFrom: null }, parts);
  return history.append([toMessage(event)], { catalogue: 'uk', since: 0n, until: 1n });
};

/** The newest state of a panel holds a gene; whether that is all of what panels hold. */
function holds(gene: string, isWhole: boolean): void {
  place = { ...place, held: async () => ({ keys: new Set([gene.toLowerCase(), 'hgnc:1100']), isWhole }) };
}

const announce = (filter: Filter) => {
  const sender: Sender = {
    pauseMs: 0,
    send: async (message) => {
      if (isBroken) throw new Error('The relay refused it');
      sent.push(message);
      return 'HTTP 200';
    },
  };
  const senders = Object.fromEntries(everyChannel.map(({ kind }) => [kind, sender])) as Senders;
  const [channel] = everyChannel;
  const plan = planOf(subscriptionOf({ filter, channels: channel ? [channel] : [] }));
  return announceNames({ plan, place, senders, clock, store, newId: () => 'id', log: silentLog });
};
const texts = (): readonly string[] => sent.map(({ notice }) => mailText(notice));

describe('a name in the filter of a subscription', () => {
  test('that nothing has is said in its own channel, once', async () => {
    const filter = { panels: ['hearing', 7], rCodes: ['R999'] };
    for (const _time of [1, 2]) {
      const [found] = await announce(filter);
      expect(found?.names.map(({ value }) => value)).toStrictEqual(['hearing', 'R999']);
    }
    expect(sent.map(({ notice }) => phraseText(notice.headline))).toStrictEqual([
      'green-genes asks for names that were not found',
    ]);
    expect(texts()[0]).toContain('No panel is called “hearing”. Did you mean “Hearing loss”?');
    expect(texts()[0]).toContain('No panel has the code R999.');
  });

  test('is said again where the channel failed', async () => {
    isBroken = true;
    await announce({ panels: ['hearing'] });
    isBroken = false;
    await announce({ panels: ['hearing'] });
    expect(sent).toHaveLength(1);
  });

  test.each([['Hearing loss'], [7]])('that stops existing is said when it does: %j', async (panel) => {
    expect(await announce({ panels: [panel] })).toStrictEqual([]);
    listed = [];
    await announce({ panels: [panel] });
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).toContain(`The panel “${panel}” is no longer in the list of panels.`);
    listed = ['Hearing loss'];
    await announce({ panels: [panel] });
    listed = [];
    await announce({ panels: [panel] });
    expect(sent).toHaveLength(2);
  });

  test('of a gene that was removed from its last panel is said, and again after it came back', async () => {
    expect(await announce({ genes: ['BRCA1'] })).toStrictEqual([]);
    await happen('entity.removed', '2026-11-21T10:00:00.000000Z');
    await announce({ genes: ['BRCA1'] });
    await announce({ genes: ['BRCA1'] });
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).toContain(
      '“BRCA1” was removed from “Hearing loss” on 21 November 2026, and no later change of it was read. It may be on panels of which no change was read.',
    );
    await happen('entity.added', '2026-11-21T11:00:00.000000Z');
    expect(await announce({ genes: ['BRCA1'] })).toStrictEqual([]);
  });

  test('of a gene that is on another panel still is not said to be gone', async () => {
    await happen('entity.removed', '2026-11-21T10:00:00.000000Z');
    holds('BRCA1', false);
    expect(await announce({ genes: ['BRCA1', 'HGNC:1100'] })).toStrictEqual([]);
  });

  test('of a gene that no kept state of a listed panel holds is on no panel', async () => {
    await happen('entity.removed', '2026-11-21T10:00:00.000000Z');
    holds('OTOF', true);
    await announce({ genes: ['BRCA1'] });
    expect(texts()[0]).toContain(
      '“BRCA1” was removed from “Hearing loss” on 21 November 2026, and is on no panel now.',
    );
  });

  test('of a gene without a change that was read is known by the states of panels', async () => {
    holds('OTOF', true);
    expect(await announce({ genes: ['OTOF'] })).toStrictEqual([]);
    await announce({ genes: ['OTOX'] });
    expect(texts()[0]).toContain(
      'No gene, STR or region is called “OTOX” in what was read. Did you mean “OTOF”?',
    );
  });

  test('that a panel had before it was renamed is known', async () => {
    listed = ['Deafness'];
    expect(await announce({ panels: ['Hearing loss', 'Deafness'], rCodes: ['R67'] })).toStrictEqual([]);
    expect(sent).toStrictEqual([]);
  });
});

test('where nothing was read, no name is said to be unknown', async () => {
  const file = openStateFile();
  onTestFinished(() => file.close());
  place = namedPlaceOf(file);
  expect(await announce({ panels: ['hearing'] })).toStrictEqual([]);
  expect(sent).toStrictEqual([]);
});
