import { describe, expect, test } from 'vitest';
import { WebhookError } from '../../lambdas/http/post-json.ts';
import { ServiceError } from '../../lambdas/http/service-error.ts';
import { mailText } from '../../lambdas/messages/mail-text.ts';
import { memoryOutbox, type OutboxStore } from '../../lambdas/notify/outbox-store.ts';
import { breast, eventOf, rated, turnedGreen } from '../messages/events.ts';
import { planOf, type Stage, stageOf, subscriptionOf, webhook } from './stage.ts';

const MINUTE = 60_000;
const green = (gene: string, time = '2026-11-20T11:55:00.000000Z') => turnedGreen({ gene, time });

async function take(
  stage: Stage,
  ...events: Parameters<ReturnType<Stage['notifier']>['receive']>[0][]
): Promise<void> {
  for (const event of events) {
    stage.published.push(event);
    await stage.notifier().receive(event);
  }
}

describe('messages at once', () => {
  test('an event gives one message to each channel, once its panel had time to settle', async () => {
    const stage = stageOf(planOf(subscriptionOf()));
    await take(stage, green('BRCA1'));
    await stage.notifier().run();
    expect(stage.sent).toStrictEqual([]);
    stage.clock.pass(60 * MINUTE);
    await stage.notifier().run();
    expect(stage.headlines()).toStrictEqual([
      'BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)',
    ]);
  });

  test('an event that a filter does not match gives none', async () => {
    const stage = stageOf(planOf(subscriptionOf({ filter: { genes: ['TP53'] } })));
    await take(stage, green('BRCA1'));
    stage.clock.pass(60 * MINUTE);
    expect(await stage.notifier().run()).toStrictEqual({ sent: 0, failed: 0, setAside: 0 });
  });

  test('230 genes of one panel are one message, and two panels are two', async () => {
    const stage = stageOf(planOf(subscriptionOf()));
    await take(stage, ...Array.from({ length: 230 }, (_, place) => green(`GENE${place}`)));
    await take(stage, turnedGreen({ panel: { ...breast, id: 7, name: 'Hearing loss' } }));
    stage.clock.pass(60 * MINUTE);
    await stage.notifier().run();
    expect([...stage.headlines()].sort()).toStrictEqual([
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
    const stage = stageOf(planOf(quiet, loud, reviews));
    await take(stage, confirmed, review);
    stage.clock.pass(60 * MINUTE);
    await stage.notifier().run();
    expect(stage.sent.map(({ subscription }) => subscription)).toStrictEqual(['loud', 'reviews']);
  });

  test.each([true, false])(
    'a rating that goes back within the time gives no message (history: %s)',
    async (withHistory) => {
      const stage = stageOf(planOf(subscriptionOf()), { withHistory });
      await take(stage, green('BRCA1', '2026-11-20T11:00:00.000000Z'));
      await take(
        stage,
        rated('green', 'amber', 'downgraded', { gene: 'BRCA1', time: '2026-11-20T11:20:00.000000Z' }),
      );
      stage.clock.pass(60 * MINUTE);
      await stage.notifier().run();
      stage.clock.pass(60 * MINUTE);
      await stage.notifier().run();
      expect(stage.headlines()).toStrictEqual([]);
    },
  );

  test('several ratings within the time are one message with what remained', async () => {
    const stage = stageOf(planOf(subscriptionOf({ filter: { topics: ['classifications'] } })));
    await take(
      stage,
      rated('red', 'amber', 'upgraded', { time: '2026-11-20T11:00:00.000000Z' }),
      rated('amber', 'red', 'downgraded', { time: '2026-11-20T11:05:00.000000Z' }),
      rated('red', 'green', 'upgraded', { time: '2026-11-20T11:10:00.000000Z' }),
    );
    stage.clock.pass(60 * MINUTE);
    await stage.notifier().run();
    expect(stage.sent).toHaveLength(1);
    expect(mailText(stage.sent[0]?.notice as never)).toContain('BRCA1: red → green\n');
  });

  test('the rating before and the comment of the same action come from the history', async () => {
    const stage = stageOf(planOf(subscriptionOf()));
    stage.published.push(
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
    await take(stage, green('BRCA1'));
    stage.clock.pass(60 * MINUTE);
    await stage.notifier().run();
    const text = mailText(stage.sent[0]?.notice as never);
    expect(text).toContain('“Three families”');
    expect(text).toContain('Before: amber since 3 March 2024, version 3.7');
    expect(text).not.toContain('Other person');
  });

  test('a webhook gets each event by itself and without delay', async () => {
    const stage = stageOf(planOf(subscriptionOf({ channels: [webhook] })));
    await take(stage, green('BRCA1'), green('BRCA2'));
    await stage.notifier().run();
    expect(stage.sent.map(({ event }) => event?.data.entity?.name).sort()).toStrictEqual(['BRCA1', 'BRCA2']);
  });

  test('a channel gets no more than its pace allows', async () => {
    const stage = stageOf(planOf(subscriptionOf({ channels: [webhook] })));
    await take(stage, green('A'), green('B'), green('C'));
    await stage.notifier().run();
    expect(stage.clock.sleeps).toStrictEqual([1_000, 1_000]);
  });
});

describe('nothing arrives twice', () => {
  const due = async (stage: Stage): Promise<void> => {
    await take(stage, green('BRCA1'), green('BRCA2'));
    stage.clock.pass(60 * MINUTE);
  };

  test('when events arrive again, before and after their message', async () => {
    const stage = stageOf(planOf(subscriptionOf()));
    const event = green('BRCA1');
    await take(stage, event, event);
    stage.clock.pass(60 * MINUTE);
    await stage.notifier().run();
    await take(stage, event);
    stage.clock.pass(600 * MINUTE);
    await stage.notifier().run();
    expect(stage.sent).toHaveLength(1);
  });

  test('when the function runs twice at once', async () => {
    const stage = stageOf(planOf(subscriptionOf()));
    await due(stage);
    await Promise.all([stage.notifier('one').run(), stage.notifier('two').run()]);
    expect(stage.sent).toHaveLength(1);
  });

  test.each(Array.from({ length: 14 }, (_, place) => place))(
    'when a run dies at write %i and another goes on, unless it died between sending and noting',
    async (place) => {
      const inner = memoryOutbox(() => stage.clock.now());
      let writes = 0;
      const store = dyingAfter(inner, () => writes++ >= place);
      const stage: Stage = stageOf(planOf(subscriptionOf()), { store });
      const calm = stageOf(planOf(subscriptionOf()), { store: inner });
      await due(calm);
      stage.clock.pass(60 * MINUTE);
      await stage
        .notifier('dying')
        .run()
        .catch(() => {});
      const after = stageOf(planOf(subscriptionOf()), { store: inner });
      after.clock.pass(75 * MINUTE);
      await after.notifier('next').run();
      const all = [...stage.sent, ...after.sent];
      const ids = new Set(all.map(({ id }) => id));
      expect(ids.size).toBe(1);
      // A second copy has the same id and says that it may be one.
      for (const { notice } of all.slice(1)) expect(notice.footer.at(-1)).toContain('Sent again');
      expect(all.length).toBeLessThanOrEqual(2);
    },
  );
});

/** A store whose run is killed before a write. */
function dyingAfter(store: OutboxStore, dies: () => boolean): OutboxStore {
  const check = (): void => {
    if (dies()) throw new Error('killed');
  };
  return {
    ...store,
    create: async (item) => {
      check();
      return store.create(item);
    },
    replace: async (item) => {
      check();
      return store.replace(item);
    },
    remove: async (partition, id) => {
      check();
      return store.remove(partition, id);
    },
  };
}

describe('a channel that fails', () => {
  const failing = (): never => {
    throw new Error('The webhook answered 500');
  };

  test('is tried again later and later, for a day, and its message then set aside', async () => {
    const stage = stageOf(planOf(subscriptionOf({ channels: [webhook] })));
    await take(stage, green('BRCA1'));
    const tries: number[] = [];
    const begun = stage.clock.now();
    stage.onSend = () => {
      tries.push(Math.round((stage.clock.now() - begun) / MINUTE));
      return failing();
    };
    for (let minute = 0; minute <= 26 * 60; minute += 1) {
      await stage.notifier().run();
      stage.clock.pass(MINUTE);
    }
    expect(tries.slice(0, 8)).toStrictEqual([0, 1, 3, 7, 15, 31, 63, 127]);
    expect(tries.at(-1)).toBeGreaterThanOrEqual(24 * 60);
    expect(stage.letters).toMatchObject([
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
    const stage = stageOf(planOf(subscriptionOf({ channels: [webhook] })));
    await take(stage, green('BRCA1'));
    stage.onSend = failing;
    await stage.notifier().run();
    stage.clock.pass(25 * 60 * MINUTE);
    await stage.notifier().run();
    stage.onSend = () => {};
    const [letter] = stage.letters;
    if (!letter) throw new Error('There is no letter');
    expect(await stage.notifier().retry(letter)).toBe(true);
    await stage.notifier().run();
    expect(await stage.notifier().retry(letter)).toBe(false);
    await stage.notifier().run();
    expect(stage.sent.map(({ event }) => event?.data.entity?.name)).toStrictEqual(['BRCA1']);
  });

  test('does not keep others from theirs', async () => {
    const stage = stageOf(
      planOf(
        subscriptionOf({ name: 'one', channels: [webhook] }),
        subscriptionOf({ name: 'two', channels: [webhook] }),
      ),
    );
    await take(stage, green('BRCA1'));
    stage.onSend = ({ subscription }) => (subscription === 'one' ? failing() : undefined);
    expect(await stage.notifier().run()).toMatchObject({ sent: 1, failed: 1 });
  });

  test('that asks for a wait is left alone so long', async () => {
    const stage = stageOf(planOf(subscriptionOf({ channels: [webhook] })));
    await take(stage, green('BRCA1'));
    const notBefore = stage.clock.now() + 30 * MINUTE;
    stage.onSend = () => {
      throw new WebhookError({
        condition: 'NOT_BEFORE',
        action: 'Posting',
        seen: '429',
        status: 429,
        notBefore,
      });
    };
    await stage.notifier().run();
    stage.onSend = () => {};
    stage.clock.pass(29 * MINUTE);
    expect(await stage.notifier().run()).toMatchObject({ sent: 0 });
    stage.clock.pass(MINUTE);
    expect(await stage.notifier().run()).toMatchObject({ sent: 1 });
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
  const toMonday = (stage: Stage): void => stage.clock.pass((2 * 24 + 19) * 60 * MINUTE);

  test('is sent at its time, once, with what the period changed', async () => {
    const stage = stageOf(planOf(weekly));
    await stage.notifier().run();
    await take(stage, green('BRCA1'));
    stage.clock.pass(24 * 60 * MINUTE);
    await stage.notifier().run();
    expect(stage.sent).toStrictEqual([]);
    toMonday(stage);
    await stage.notifier().run();
    await stage.notifier().run();
    expect(stage.headlines()).toStrictEqual(
      ['Panel changes 16–22 November 2026: 1 now green'].map(() => expect.stringMatching(/1 now green$/)),
    );
  });

  test('of a run that failed is sent later, once, and says its period', async () => {
    const stage = stageOf(planOf(weekly));
    await stage.notifier().run();
    await take(stage, green('BRCA1'));
    toMonday(stage);
    stage.onSend = () => {
      throw new Error('no network');
    };
    await stage.notifier().run();
    stage.clock.pass(5 * 60 * MINUTE);
    stage.onSend = () => {};
    await stage.notifier().run();
    await stage.notifier().run();
    expect(stage.headlines()).toHaveLength(1);
    expect(stage.sent[0]?.notice.footer.at(-1)).toBe(
      'Period: from 16 November 2026, 07:00 (London) to 23 November 2026, 07:00 (London).',
    );
  });

  test('covers the whole time since the last one where the function did not run', async () => {
    const stage = stageOf(planOf(weekly));
    await stage.notifier().run();
    await take(stage, green('BRCA1'));
    toMonday(stage);
    stage.clock.pass(21 * 24 * 60 * MINUTE);
    await stage.notifier().run();
    expect(stage.sent).toHaveLength(1);
    expect(stage.sent[0]?.notice.footer.at(-1)).toContain(
      'from 16 November 2026, 07:00 (London) to 14 December 2026',
    );
  });

  test('of nothing is sent only where it is asked for', async () => {
    const asked = subscriptionOf({ name: 'asked', when: { ...weekly.when, ifNothing: true } as never });
    const stage = stageOf(planOf(weekly, asked));
    await stage.notifier().run();
    toMonday(stage);
    await stage.notifier().run();
    await stage.notifier().run();
    expect(stage.sent.map(({ subscription }) => subscription)).toStrictEqual(['asked']);
    expect(stage.headlines()[0]).toMatch(/nothing changed$/);
  });
});

describe('messages about the notifier itself', () => {
  test('go to the channels of operations, once and again when it is over', async () => {
    const stage = stageOf(planOf());
    const alarm = {
      alarm: 'runs-failing',
      catalogue: 'uk',
      description: '',
      at: '2026-11-20T11:55:00.000Z',
    } as const;
    for (const state of ['alarm', 'alarm', 'ok'] as const) {
      await stage.notifier().receiveAlarm({ ...alarm, state });
      await stage.notifier().run();
    }
    expect(stage.headlines()).toStrictEqual([
      'No changes from catalogue uk since 11:55: the notifier cannot read it',
      'Catalogue uk is being read again',
    ]);
  });
});
