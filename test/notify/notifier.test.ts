import { describe, expect, test } from 'vitest';
import { WebhookError } from '../../lambdas/catalogue/http/post-json.ts';
import { ServiceError } from '../../lambdas/catalogue/http/service-error.ts';
import type { Outgoing } from '../../lambdas/channels/channel.ts';
import { createNameBook } from '../../lambdas/filters/names.ts';
import type { Subscription } from '../../lambdas/notify/subscription.ts';
import { type ItemStore, memoryItems } from '../../lambdas/store/items.ts';
import { mailText } from '../../lambdas/words/mail.ts';
import { breast, eventOf, rated, turnedGreen } from '../words/events.ts';
import {
  crashingAt,
  createNotifyHarness,
  type NotifyHarness,
  planOf,
  smtp as smtpChannel,
  subscriptionOf,
  take,
  webhook,
} from './notify-harness.ts';

const MINUTE = 60_000;
const green = (gene: string, time = '2026-11-20T11:55:00.000000Z') => turnedGreen({ gene, time });

const removed = (gene: string, time: string) =>
  eventOf('entity.removed', { rating: 'green' }, { gene, time });
const addedAgain = (gene: string, time: string) =>
  eventOf('entity.added', { rating: 'green', sources: [], tags: [], copiedFrom: null }, { gene, time });
/** Minutes after 11:00. */
const minute = (minutes: number): string =>
  new Date(Date.UTC(2026, 10, 20, 11, minutes)).toISOString().replace('Z', '000Z');

describe('messages at once', () => {
  test('an event gives one message to each channel, once the settle time of its panel is over', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf()));
    await take(harness, green('BRCA1'));
    await harness.notifier().run();
    expect(harness.sent).toStrictEqual([]);
    await harness.runAfter(60 * MINUTE);
    expect(harness.headlines()).toStrictEqual([
      'BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)',
    ]);
  });

  test('an event that a filter does not match gives none', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ filter: { genes: ['TP53'] } })));
    await take(harness, green('BRCA1'));
    expect(await harness.runAfter(60 * MINUTE)).toMatchObject({ sent: 0, failed: 0, setAside: 0 });
  });

  test('230 genes of one panel are one message, and two panels are two', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf()));
    await take(harness, ...Array.from({ length: 230 }, (_, place) => green(`GENE${place}`)));
    await take(harness, turnedGreen({ panel: { ...breast, id: 7, name: 'Hearing loss' } }));
    await harness.runAfter(60 * MINUTE);
    expect([...harness.headlines()].sort()).toStrictEqual([
      '230 genes are now green on Inherited breast cancer and ovarian cancer (R208)',
      'BRCA1 is now green on Hearing loss (R208)',
    ]);
  });

  test('confirmed ratings and reviews are left out unless the filter asks for them', async () => {
    const confirmed = rated('green', 'green', 'unchanged');
    const review = eventOf('entity.reviewed', { rating: 'green', edited: false });
    const quiet = subscriptionOf({ name: 'quiet', filter: {} });
    const loud = subscriptionOf({ name: 'loud', filter: { direction: ['unchanged'] } });
    const reviews = subscriptionOf({ name: 'reviews', filter: { types: ['entity.reviewed'] } });
    const harness = createNotifyHarness(planOf(quiet, loud, reviews));
    await take(harness, confirmed, review);
    await harness.runAfter(60 * MINUTE);
    expect(harness.sent.map(({ subscription }) => subscription)).toStrictEqual(['loud', 'reviews']);
  });

  test.each([true, false])(
    'a rating that goes back within the time gives no message (history: %s)',
    async (withHistory) => {
      const harness = createNotifyHarness(planOf(subscriptionOf()), { withHistory });
      await take(harness, green('BRCA1', '2026-11-20T11:00:00.000000Z'));
      await take(
        harness,
        rated('green', 'amber', 'downgraded', { gene: 'BRCA1', time: '2026-11-20T11:20:00.000000Z' }),
      );
      await harness.runAfter(60 * MINUTE);
      await harness.runAfter(60 * MINUTE);
      expect(harness.headlines()).toStrictEqual([]);
    },
  );

  test.each([true, false])(
    'a gene that is removed within the time gives no message that it is green (history: %s)',
    async (withHistory) => {
      const harness = createNotifyHarness(planOf(subscriptionOf()), { withHistory });
      await take(harness, green('BRCA1', minute(0)), green('PALB2', minute(0)), removed('BRCA1', minute(10)));
      // Removed before it was rated again.
      await take(harness, green('TP53', minute(0)), removed('TP53', minute(10)), green('TP53', minute(20)));
      await harness.runAfter(60 * MINUTE);
      expect(harness.headlines()).toStrictEqual([expect.stringMatching(/^2 genes are now green/)]);
      const text = mailText(harness.sent[0]?.notice as never);
      expect(text).toContain('PALB2');
      expect(text).toContain('TP53');
      expect(text).not.toContain('BRCA1');
    },
  );

  test.each([true, false])(
    'a gene that is removed and added again gives its message that it is green (history: %s)',
    async (withHistory) => {
      const harness = createNotifyHarness(planOf(subscriptionOf()), { withHistory });
      await take(
        harness,
        green('BRCA1', minute(0)),
        removed('BRCA1', minute(10)),
        addedAgain('BRCA1', minute(11)),
      );
      await harness.runAfter(60 * MINUTE);
      expect(harness.headlines()).toStrictEqual([expect.stringMatching(/^BRCA1 is now green/)]);
    },
  );

  test('a gene that is downgraded and removed gives its message to those who ask for downgrades', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ filter: { direction: ['downgraded'] } })));
    const downgraded = rated('green', 'amber', 'downgraded', { gene: 'BRCA1', time: minute(0) });
    await take(harness, downgraded, removed('BRCA1', minute(10)));
    await harness.runAfter(60 * MINUTE);
    expect(harness.headlines()).toStrictEqual([expect.stringMatching(/^BRCA1 /)]);
  });

  const renamed = (from: string, to: string, time: string) =>
    eventOf('entity.renamed', { from, to }, { gene: to, time });
  const cleared = (gene: string, time: string) =>
    eventOf(
      'entity.annotated',
      { changes: [{ field: 'sources', aspect: 'all' }], rating: 'green' },
      { gene, time },
    );

  test.each([true, false])(
    'a gene that is renamed before its message is in it under both names (history: %s)',
    async (withHistory) => {
      const harness = createNotifyHarness(planOf(subscriptionOf()), { withHistory });
      await take(harness, green('SERBP1P3', minute(0)), renamed('SERBP1P3', 'GABPB2', minute(1)));
      await harness.runAfter(60 * MINUTE);
      expect(harness.headlines()).toStrictEqual([
        expect.stringMatching(/^GABPB2 \(formerly SERBP1P3\) is now green/),
      ]);
    },
  );

  test.each([true, false])(
    'a gene that is renamed and then rated red is not said to be green (history: %s)',
    async (withHistory) => {
      const harness = createNotifyHarness(planOf(subscriptionOf()), { withHistory });
      await take(harness, green('LNK', minute(0)), renamed('LNK', 'LNK2', minute(1)));
      await take(harness, rated('green', 'red', 'downgraded', { gene: 'LNK2', time: minute(2) }));
      await harness.runAfter(60 * MINUTE);
      expect(harness.sent).toStrictEqual([]);
    },
  );

  test.each([true, false])(
    'a gene that loses its sources before its message is not said to be green (history: %s)',
    async (withHistory) => {
      const harness = createNotifyHarness(planOf(subscriptionOf()), { withHistory });
      await take(harness, green('BRCA1', minute(0)), cleared('BRCA1', minute(1)), green('PALB2', minute(0)));
      await harness.runAfter(60 * MINUTE);
      expect(harness.headlines()).toStrictEqual([expect.stringMatching(/^PALB2 is now green/)]);
    },
  );

  test('without a rating filter no gene is both green and removed, and one that came and went is neither', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ filter: { panels: [635] } })));
    await take(harness, green('BRCA1', minute(0)), removed('BRCA1', minute(10)));
    await take(harness, addedAgain('TP53', minute(0)), removed('TP53', minute(10)));
    await harness.runAfter(60 * MINUTE);
    const text = mailText(harness.sent[0]?.notice as never);
    expect(text).toMatch(/removed/i);
    expect(text).not.toMatch(/now green/i);
    expect(text).not.toContain('TP53');
  });

  test('a subscription by a former name gets what happens under the present one', async () => {
    const harness = createNotifyHarness(
      planOf(subscriptionOf({ filter: { panels: ['Deafness'], to: ['green'] } })),
    );
    const names = createNameBook();
    const notifier = harness.notifier('run', { names: async () => names });
    const at = (name: string) => ({ panel: { ...breast, name }, time: minute(0) });
    const changes = [{ field: 'name' as const, from: 'Deafness', to: 'Hearing loss' }];
    await notifier.receive(eventOf('panel.changed', { changes }, at('Hearing loss')));
    await notifier.receive(turnedGreen({ gene: 'OTOF', ...at('Hearing loss') }));
    await harness.runAfter(60 * MINUTE);
    expect(harness.headlines()).toStrictEqual([expect.stringMatching(/^OTOF is now green/)]);
  });

  test.each([
    [3, 'As known on 20 November 2026, 13:00 (London): this message could not be sent before now.'],
    [0, null],
  ])(
    'a message that is sent %i hours after it was begun has the line "as known on …"',
    async (hours, line) => {
      const harness = createNotifyHarness(planOf(subscriptionOf()));
      await take(harness, green('BRCA1'));
      harness.clock.pass(60 * MINUTE);
      harness.onSend = () => {
        if (hours > 0) throw new Error('no network');
      };
      await harness.notifier().run();
      harness.onSend = () => {};
      // What is published meanwhile is not in it.
      harness.published.push(rated('green', 'red', 'downgraded', { time: minute(150) }));
      await harness.runAfter(hours * 60 * MINUTE);
      const [change, , ...rest] = mailText(harness.sent[0]?.notice as never).split('\n');
      expect(change).toBe('BRCA1: amber → green');
      expect(rest.find((each) => each.startsWith('As known')) ?? null).toBe(line);
    },
  );

  test('a removal that the filter asks for is in the message', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ filter: {} })));
    await take(harness, green('BRCA1', minute(0)), removed('BRCA1', minute(10)));
    await harness.runAfter(60 * MINUTE);
    expect(mailText(harness.sent[0]?.notice as never)).toContain('removed, was green');
  });

  test('several ratings of an entity within the settle time are one message with the net change', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ filter: { topics: ['classifications'] } })));
    await take(
      harness,
      rated('red', 'amber', 'upgraded', { time: '2026-11-20T11:00:00.000000Z' }),
      rated('amber', 'red', 'downgraded', { time: '2026-11-20T11:05:00.000000Z' }),
      rated('red', 'green', 'upgraded', { time: '2026-11-20T11:10:00.000000Z' }),
    );
    await harness.runAfter(60 * MINUTE);
    expect(harness.sent).toHaveLength(1);
    expect(mailText(harness.sent[0]?.notice as never)).toContain('BRCA1: red → green\n');
  });

  test('the rating before and the comment of the same action come from the history', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf()));
    harness.published.push(
      rated('red', 'amber', 'upgraded', {
        time: '2024-03-03T10:00:00.000000Z',
        panel: { ...breast, version: '3.7' },
      }),
      eventOf(
        'entity.commented',
        { comment: 'Three families', action: 'added' },
        { time: '2026-11-20T11:55:20.000000Z' },
      ),
      eventOf(
        'entity.commented',
        { comment: 'Other person', action: 'added' },
        { time: '2026-11-20T11:55:21.000000Z', actor: 'B' },
      ),
    );
    await take(harness, green('BRCA1'));
    await harness.runAfter(60 * MINUTE);
    const text = mailText(harness.sent[0]?.notice as never);
    expect(text).toContain('“Three families”');
    expect(text).toContain('Before: amber since 3 March 2024, version 3.7');
    expect(text).not.toContain('Other person');
  });

  test('a webhook gets each event by itself and without delay', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ channels: [webhook] })));
    await take(harness, green('BRCA1'), green('BRCA2'));
    await harness.notifier().run();
    expect(harness.sent.map(({ event }) => event?.data.entity?.name).sort()).toStrictEqual([
      'BRCA1',
      'BRCA2',
    ]);
  });

  test('a channel gets no more than its pace allows', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ channels: [webhook] })));
    await take(harness, green('A'), green('B'), green('C'));
    await harness.notifier().run();
    expect(harness.clock.sleeps).toStrictEqual([1_000, 1_000]);
  });

  test('a channel keeps its pace from run to run of one process', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ channels: [webhook] })));
    const notifier = harness.notifier();
    for (const gene of ['A', 'B']) {
      await take(harness, green(gene));
      await notifier.run();
    }
    expect(harness.clock.sleeps).toStrictEqual([1_000]);
  });
});

test.each([
  ['where the reader may get those of several', ['uk', 'aus'], {}, true],
  ['unless the filter asks for one', ['uk', 'aus'], { catalogues: ['uk'] }, false],
  ['unless there is only one', ['uk'], {}, false],
] as const)('a message names the catalogue %s', async (_title, catalogues, filter, named) => {
  const subscription = subscriptionOf({
    filter: filter as Subscription['filter'],
    when: { kind: 'at-once', settleMinutes: 0 },
  });
  const harness = createNotifyHarness({ ...planOf(subscription), catalogues });
  await take(harness, green('BRCA1'));
  await harness.notifier().run();
  expect(harness.sent.map(({ notice }) => mailText(notice).includes(', catalogue uk'))).toStrictEqual([
    named,
  ]);
});

test('a message about a made-up catalogue begins with that', async () => {
  const harness = createNotifyHarness(
    planOf(subscriptionOf({ when: { kind: 'at-once', settleMinutes: 0 } })),
    {
      madeUp: true,
    },
  );
  await take(harness, green('BRCA1'));
  await harness.notifier().run();
  expect(harness.headlines()).toStrictEqual([expect.stringMatching(/^Made up: BRCA1 is now green on /)]);
  expect(harness.sent.map(({ notice }) => mailText(notice))).toStrictEqual([
    expect.stringMatching(/^This comes from the sandbox, .* No gene and no panel changed\.\n/),
  ]);
});

describe('nothing arrives twice', () => {
  const due = async (harness: NotifyHarness): Promise<void> => {
    await take(harness, green('BRCA1'), green('BRCA2'));
    harness.clock.pass(60 * MINUTE);
  };

  test('when events arrive again, before and after their message', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf()));
    const event = green('BRCA1');
    await take(harness, event, event);
    await harness.runAfter(60 * MINUTE);
    await take(harness, event);
    await harness.runAfter(600 * MINUTE);
    expect(harness.sent).toHaveLength(1);
  });

  test('when the function runs twice at once', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf()));
    await due(harness);
    await Promise.all([harness.notifier('one').run(), harness.notifier('two').run()]);
    expect(harness.sent).toHaveLength(1);
  });

  test('when noting fails after a message was sent, without saying that the channel failed', async () => {
    const inner = memoryItems(() => harness.clock.now());
    let fails = false;
    const store: ItemStore = {
      ...inner,
      create: async (item) => {
        if (fails) throw new Error('throttled');
        return inner.create(item);
      },
      put: async (...items) => {
        if (fails) throw new Error('throttled');
        return inner.put(...items);
      },
    };
    const harness: NotifyHarness = createNotifyHarness(planOf(subscriptionOf()), { store });
    await due(harness);
    harness.onSend = () => {
      fails = true;
    };
    await expect(harness.notifier().run()).rejects.toThrow('throttled');
    fails = false;
    harness.onSend = () => {};
    await harness.notifier().run();
    expect(harness.sent.map(({ notice }) => notice.footer.at(-1)?.startsWith('Sent again'))).toStrictEqual([
      false,
      true,
    ]);
  });

  test.each([
    ['an answer that refuses it', { condition: 'REQUEST_REFUSED', status: 400 }, false],
    ['no connection', { condition: 'CONNECTION_REFUSED' }, false],
    ['no answer', { condition: 'TIMED_OUT' }, true],
    ['an answer that was cut off', { condition: 'CONNECTION_LOST' }, true],
  ] as const)('after %s, the next copy says whether it may be one', async (_title, failure, may) => {
    const harness = createNotifyHarness(planOf(subscriptionOf()));
    await due(harness);
    harness.onSend = () => {
      throw new WebhookError({ action: 'Posting', seen: 'it', ...failure });
    };
    await harness.notifier().run();
    harness.onSend = () => {};
    await harness.runAfter(MINUTE);
    expect(harness.sent.map(({ notice }) => notice.footer.at(-1)?.startsWith('Sent again'))).toStrictEqual([
      may,
    ]);
  });
});

describe('a channel that fails', () => {
  const failing = (): never => {
    throw new Error('The webhook answered 500');
  };

  test('is tried again later and later, for a day, and its message then set aside', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ channels: [webhook] })));
    await take(harness, green('BRCA1'));
    const tries: number[] = [];
    const begun = harness.clock.now();
    harness.onSend = () => {
      tries.push(Math.round((harness.clock.now() - begun) / MINUTE));
      return failing();
    };
    for (let minute = 0; minute <= 26 * 60; minute += 1) {
      await harness.notifier().run();
      harness.clock.pass(MINUTE);
    }
    expect(tries.slice(0, 8)).toStrictEqual([0, 1, 3, 7, 15, 31, 63, 127]);
    expect(tries.at(-1)).toBeGreaterThanOrEqual(24 * 60);
    expect(harness.letters).toMatchObject([
      {
        deadLetter: {
          subscription: 'green-genes',
          channel: 'webhook:pipeline',
          reason: 'The webhook answered 500',
        },
      },
    ]);
  });

  test('gets what was set aside once its letter comes back', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ channels: [webhook] })));
    await take(harness, green('BRCA1'));
    harness.onSend = failing;
    await harness.notifier().run();
    await harness.runAfter(25 * 60 * MINUTE);
    harness.onSend = () => {};
    const [letter] = harness.letters;
    if (!letter) throw new Error('There is no letter');
    expect(await harness.notifier().kept.send(letter.deadLetter.delivery)).toBe(true);
    await harness.notifier().run();
    expect(await harness.notifier().kept.send(letter.deadLetter.delivery)).toBe(false);
    await harness.notifier().run();
    expect(harness.sent.map(({ event }) => event?.data.entity?.name)).toStrictEqual(['BRCA1']);
  });

  test('says that a message may be a copy where no attempt of a day had a response', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf()));
    await take(harness, green('BRCA1'));
    harness.clock.pass(60 * MINUTE);
    harness.onSend = () => {
      throw new WebhookError({ condition: 'TIMED_OUT', action: 'Posting', seen: 'no answer' });
    };
    for (const minutes of [0, 25 * 60]) {
      await harness.runAfter(minutes * MINUTE);
    }
    harness.onSend = () => {};
    expect(await harness.notifier().retryAll()).toBe(1);
    await harness.notifier().run();
    expect(harness.sent.map(({ notice }) => notice.footer.at(-1))).toStrictEqual([
      expect.stringMatching(/^Sent again/),
    ]);
  });

  test('does not keep other channels from their messages', async () => {
    const harness = createNotifyHarness(
      planOf(
        subscriptionOf({ name: 'one', channels: [webhook] }),
        subscriptionOf({ name: 'two', channels: [webhook] }),
      ),
    );
    await take(harness, green('BRCA1'));
    harness.onSend = ({ subscription }) => (subscription === 'one' ? failing() : undefined);
    expect(await harness.notifier().run()).toMatchObject({ sent: 1, failed: 1 });
  });

  test('that asks for a wait gets no message before its end', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ channels: [webhook] })));
    await take(harness, green('BRCA1'));
    const notBefore = harness.clock.now() + 30 * MINUTE;
    harness.onSend = () => {
      throw new WebhookError({
        condition: 'NOT_BEFORE',
        action: 'Posting',
        seen: '429',
        status: 429,
        notBefore,
      });
    };
    await harness.notifier().run();
    harness.onSend = () => {};
    expect(await harness.runAfter(29 * MINUTE)).toMatchObject({ sent: 0 });
    expect(await harness.runAfter(MINUTE)).toMatchObject({ sent: 1 });
    expect(WebhookError.prototype).toBeInstanceOf(ServiceError);
  });
});

describe('a digest', () => {
  const weekly = subscriptionOf({
    name: 'weekly',
    filter: {},
    when: { kind: 'digest', every: 'weekly', hour: 7, days: ['monday'], ifNothing: false },
  });
  // The clock of the tests begins on a Friday at noon.
  const toMonday = (harness: NotifyHarness): void => harness.clock.pass((2 * 24 + 19) * 60 * MINUTE);

  test('is sent at its time, once, with what the period changed', async () => {
    const harness = createNotifyHarness(planOf(weekly));
    await harness.notifier().run();
    await take(harness, green('BRCA1'));
    await harness.runAfter(24 * 60 * MINUTE);
    expect(harness.sent).toStrictEqual([]);
    toMonday(harness);
    await harness.notifier().run();
    await harness.notifier().run();
    expect(harness.headlines()).toStrictEqual(
      ['Panel changes 16–22 November 2026: 1 now green'].map(() => expect.stringMatching(/1 now green$/)),
    );
  });

  test('that is sent hours later has the line "as known on …"', async () => {
    const harness = createNotifyHarness(planOf(weekly));
    await harness.notifier().run();
    await take(harness, green('BRCA1'));
    toMonday(harness);
    harness.onSend = () => {
      throw new Error('no network');
    };
    await harness.notifier().run();
    harness.clock.pass(5 * 60 * MINUTE);
    harness.onSend = () => {};
    await harness.notifier().run();
    expect(mailText(harness.sent[0]?.notice as never)).toMatch(
      /^As known on 23 November 2026, 07:00 \(London\): this message could not be sent before now\./,
    );
  });

  test('of a run that failed is sent later, once, and says its period', async () => {
    const harness = createNotifyHarness(planOf(weekly));
    await harness.notifier().run();
    await take(harness, green('BRCA1'));
    toMonday(harness);
    harness.onSend = () => {
      throw new Error('no network');
    };
    await harness.notifier().run();
    harness.clock.pass(5 * 60 * MINUTE);
    harness.onSend = () => {};
    await harness.notifier().run();
    await harness.notifier().run();
    expect(harness.headlines()).toHaveLength(1);
    expect(harness.sent[0]?.notice.footer.at(-1)).toBe(
      'Period: from 16 November 2026, 07:00 (London) to 23 November 2026, 07:00 (London).',
    );
  });

  test('covers the whole time since the last one where the function did not run', async () => {
    const harness = createNotifyHarness(planOf(weekly));
    await harness.notifier().run();
    await take(harness, green('BRCA1'));
    toMonday(harness);
    await harness.runAfter(21 * 24 * 60 * MINUTE);
    expect(harness.sent).toHaveLength(1);
    expect(harness.sent[0]?.notice.footer.at(-1)).toContain(
      'from 16 November 2026, 07:00 (London) to 14 December 2026',
    );
  });

  test('of nothing is sent only where it is asked for', async () => {
    const asked = subscriptionOf({ name: 'asked', when: { ...weekly.when, ifNothing: true } as never });
    const harness = createNotifyHarness(planOf(weekly, asked));
    await harness.notifier().run();
    toMonday(harness);
    await harness.notifier().run();
    await harness.notifier().run();
    expect(harness.sent.map(({ subscription }) => subscription)).toStrictEqual(['asked']);
    expect(harness.headlines()[0]).toMatch(/nothing changed$/);
  });
});

describe('a change that is found late, of a gene that is green again', () => {
  const lateRating = (from: 'green' | 'amber', gene: string, time: string) =>
    eventOf(
      'entity.classified',
      { from, to: 'red', direction: 'downgraded', via: 'snapshot' },
      { gene, time, late: true },
    );
  const greenAgain = (gene: string, time: string) =>
    rated('red', 'green', 'upgraded', { gene, time, panel: { ...breast, version: '4.13' } });

  test.each([
    ['green', {}],
    ['green', { direction: ['downgraded'] }],
    ['green', { to: ['green'] }],
    ['amber', {}],
    ['amber', { to: ['green'] }],
  ] as const)('is said as past, to those who ask for it: it was %s, filter %j', async (from, filter) => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ filter } as never)));
    await take(harness, greenAgain('BRCA1', minute(30)));
    await harness.runAfter(61 * MINUTE);
    const already = 'direction' in filter ? [] : ['BRCA1 is now green on'];
    expect(harness.headlines()).toStrictEqual(already.map((words) => expect.stringContaining(words)));
    await take(harness, lateRating(from, 'BRCA1', minute(20)));
    await harness.runAfter(61 * MINUTE);
    const isAsked = !('to' in filter);
    const past =
      'BRCA1 was red on Inherited breast cancer and ovarian cancer (R208) from 4.12 to 4.13; green since';
    expect(harness.headlines().slice(already.length)).toStrictEqual(isAsked ? [past] : []);
    if (!isAsked) return;
    const text = mailText(harness.sent.at(-1)?.notice as Outgoing['notice']);
    expect(text).toMatch(/^BRCA1: was red from 4\.12 to 4\.13; green since\n/);
    expect(text).not.toMatch(/no longer green/i);
  });

  test('is said as past beside what is new on the panel', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ filter: {} })));
    await take(harness, greenAgain('BRCA1', minute(30)));
    await harness.runAfter(61 * MINUTE);
    await take(harness, lateRating('green', 'BRCA1', minute(20)), green('PALB2', minute(40)));
    await harness.runAfter(61 * MINUTE);
    const text = mailText(harness.sent[1]?.notice as Outgoing['notice']);
    expect(harness.headlines()[1]).toMatch(/: PALB2 now green$/);
    expect(text).toMatch(/FOUND LATE, AND SO NO LONGER\n +BRCA1 +was red from 4\.12 to 4\.13; green since/);
    expect(text).not.toMatch(/no longer green/i);
  });

  test('gives a message at once where the gene is not green again', async () => {
    const harness = createNotifyHarness(planOf(subscriptionOf({ filter: {} })));
    await take(harness, lateRating('green', 'BRCA1', minute(20)));
    await harness.runAfter(61 * MINUTE);
    expect(harness.headlines()).toStrictEqual([expect.stringContaining('BRCA1 is no longer green')]);
  });

  test('is in a digest as what changed and changed back, also where the digest before had the rest', async () => {
    const when = { kind: 'digest', every: 'daily', hour: 7, ifNothing: false } as const;
    const harness = createNotifyHarness(planOf(subscriptionOf({ filter: {}, when })));
    await harness.notifier().run();
    await take(harness, greenAgain('BRCA1', minute(30)));
    await harness.runAfter(24 * 60 * MINUTE);
    await take(harness, lateRating('green', 'BRCA1', minute(20)), green('PALB2', minute(40)));
    await harness.runAfter(24 * 60 * MINUTE);
    const text = mailText(harness.sent[1]?.notice as Outgoing['notice']);
    expect(harness.headlines()[1]).toMatch(/: 1 now green$/);
    expect(text).not.toContain('NO LONGER GREEN');
    expect(text).toMatch(/CHANGED AND CHANGED BACK\n.*\n +BRCA1 +green → red → green/);
  });
});

describe('a digest and the history', () => {
  const weekly = subscriptionOf({
    name: 'weekly',
    when: { kind: 'digest', every: 'weekly', hour: 7, days: ['monday'], ifNothing: false },
  });
  const toMonday = (harness: NotifyHarness): void => harness.clock.pass((2 * 24 + 19) * 60 * MINUTE);
  const textOf = ({ notice }: Outgoing): string => mailText(notice);
  const at = (day: number, hour: number): string =>
    new Date(Date.UTC(2026, 10, day, hour)).toISOString().replace('Z', '000Z');

  test('a gene that turned green and amber after that is not green, also for those who ask for green alone', async () => {
    const harness = createNotifyHarness(planOf(weekly));
    await harness.notifier().run();
    await take(
      harness,
      green('BRCA1', at(20, 11)),
      green('PALB2', at(20, 11)),
      rated('green', 'amber', 'downgraded', { gene: 'BRCA1', time: at(21, 9) }),
      // Of another gene, and after the period: neither is this digest's.
      rated('green', 'red', 'downgraded', { gene: 'TP53', time: at(21, 9) }),
      rated('green', 'red', 'downgraded', { gene: 'PALB2', time: at(23, 8) }),
    );
    toMonday(harness);
    await harness.notifier().run();
    expect(harness.headlines()).toStrictEqual([expect.stringMatching(/: 1 now green$/)]);
    const [text = ''] = harness.sent.map(textOf);
    expect(text).toMatch(/NOW GREEN\n.*\n.*\n +PALB2 +amber → green/);
    expect(text).toMatch(/CHANGED AND CHANGED BACK\n.*\n +BRCA1 +amber → green → amber/);
    expect(text).not.toContain('TP53');
  });

  test('a gene that turned green and was removed after that is not green', async () => {
    const harness = createNotifyHarness(planOf(weekly));
    await harness.notifier().run();
    await take(harness, green('BRCA1', at(20, 11)), green('PALB2', at(20, 11)), removed('BRCA1', at(21, 9)));
    toMonday(harness);
    await harness.notifier().run();
    expect(harness.headlines()).toStrictEqual([expect.stringMatching(/: 1 now green/)]);
    const [text = ''] = harness.sent.map(textOf);
    expect(text).toMatch(/NOW GREEN\n.*\n.*\n +PALB2 +amber → green/);
    expect(text).toMatch(/REMOVED\n.*\n +BRCA1 +removed, was amber.*green in between/);
  });

  test('a gene that was removed and added again is green', async () => {
    const harness = createNotifyHarness(planOf(weekly));
    await harness.notifier().run();
    await take(
      harness,
      green('BRCA1', at(20, 11)),
      removed('BRCA1', at(21, 9)),
      addedAgain('BRCA1', at(21, 10)),
    );
    toMonday(harness);
    await harness.notifier().run();
    expect(harness.headlines()).toStrictEqual([expect.stringMatching(/: 1 now green/)]);
    expect(harness.sent.map(textOf)[0]).toMatch(/BRCA1 +amber → green .*not on the panel in between/);
  });

  test('a change that was made before the last digest and seen after it is in the next one', async () => {
    const harness = createNotifyHarness(planOf(weekly));
    await harness.notifier().run();
    await take(harness, green('BRCA1'));
    toMonday(harness);
    await harness.notifier().run();
    harness.clock.pass(60 * MINUTE);
    await take(harness, green('PALB2', at(19, 9)));
    await harness.runAfter(7 * 24 * 60 * MINUTE);
    const texts = harness.sent.map(textOf);
    expect(texts.map((text) => text.match(/(?<!\/)(?:BRCA1|PALB2)/g))).toStrictEqual([['BRCA1'], ['PALB2']]);
  });

  test('a digest that waits for its channel keeps its events from the next one', async () => {
    const daily = subscriptionOf({
      name: 'daily',
      when: { kind: 'digest', every: 'daily', hour: 7, ifNothing: false },
    });
    const harness = createNotifyHarness(planOf(daily));
    await harness.notifier().run();
    await take(harness, green('BRCA1'));
    harness.onSend = () => {
      throw new Error('no network');
    };
    await harness.runAfter(20 * 60 * MINUTE);
    await take(harness, green('PALB2', at(21, 9)));
    await harness.runAfter(23 * 60 * MINUTE + 59 * MINUTE);
    harness.onSend = () => {};
    await harness.runAfter(200 * MINUTE);
    const texts = harness.sent.map(textOf);
    expect(texts.map((text) => text.match(/(?<!\/)(?:BRCA1|PALB2)/g)).sort()).toStrictEqual([
      ['BRCA1'],
      ['PALB2'],
    ]);
  });

  test('the number of its events has no limit of one item', async () => {
    const inner = memoryItems(() => harness.clock.now());
    const largest = { bytes: 0 };
    const weigh = (item: object): void => {
      largest.bytes = Math.max(largest.bytes, Buffer.byteLength(JSON.stringify(item)));
    };
    const store: ItemStore = {
      ...inner,
      create: (item) => {
        weigh(item);
        return inner.create(item);
      },
      replace: (item) => {
        weigh(item);
        return inner.replace(item);
      },
    };
    const harness: NotifyHarness = createNotifyHarness(planOf(weekly), { store });
    await harness.notifier().run();
    await take(harness, ...Array.from({ length: 300 }, (_, place) => green(`GENE${place}`)));
    toMonday(harness);
    await harness.notifier().run();
    expect(harness.headlines()).toStrictEqual([expect.stringMatching(/: 300 now green$/)]);
    expect(largest.bytes).toBeLessThan(3_000);
  });

  test('a process that dies at any call of the store loses no event and sends each digest once', async () => {
    const events = [green('BRCA1'), green('PALB2')];
    const counts: number[] = [];
    for (let place = 0, died = true; died; place++) {
      const inner = memoryItems(() => second.clock.now());
      const second: NotifyHarness = createNotifyHarness(planOf({ ...weekly, channels: [smtpChannel] }), {
        store: inner,
      });
      let calls = 0;
      const first = createNotifyHarness(planOf({ ...weekly, channels: [smtpChannel] }), {
        store: crashingAt(inner, () => calls++ >= place),
      });
      await second.notifier('local').run();
      await take(second, ...events);
      first.published.push(...events);
      toMonday(first);
      toMonday(second);
      died = await first
        .notifier('local')
        .run()
        .then(
          () => false,
          () => true,
        );
      await second.notifier('local').run();
      await second.notifier('local').run();
      const sent = [...first.sent, ...second.sent];
      counts.push(sent.length);
      expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
      for (const message of sent) expect(textOf(message).match(/(?<!\/)(?:BRCA1|PALB2)/g)).toHaveLength(2);
    }
    expect(counts.length).toBeGreaterThan(15);
    // Only the gap between sending and noting gives a copy, with the same Message-ID.
    expect(counts.filter((count) => count > 1)).toStrictEqual([2]);
  });
});

describe('messages about the notifier itself', () => {
  test('go to the channels of operations, once and again when it is over', async () => {
    const harness = createNotifyHarness(planOf());
    const alarm = {
      alarm: 'no-successful-poll',
      catalogue: 'uk',
      description: '',
      at: '2026-11-20T11:55:00.000Z',
    } as const;
    for (const state of ['alarm', 'alarm', 'ok'] as const) {
      await harness.notifier().receiveAlarm({ ...alarm, state });
      await harness.notifier().run();
    }
    expect(harness.headlines()).toStrictEqual([
      'No changes from catalogue uk since 11:55: the notifier cannot read it',
      'Catalogue uk is being read again',
    ]);
  });

  test('say nothing of an end without a beginning, and nothing of a beginning that is over', async () => {
    const harness = createNotifyHarness(planOf());
    const alarm = { alarm: 'no-successful-poll', catalogue: 'uk', description: '' } as const;
    for (const [state, at] of [
      ['ok', '2026-11-20T11:00:00.000Z'],
      ['alarm', '2026-11-20T10:59:00.000Z'],
    ] as const) {
      await harness.notifier().receiveAlarm({ ...alarm, state, at });
      await harness.notifier().run();
    }
    expect(harness.headlines()).toStrictEqual([]);
  });
});
