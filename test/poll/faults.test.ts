import { describe, expect, test } from 'vitest';
import { CatalogueError } from '../../lambdas/catalogue/http/access.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { PublishError } from '../../lambdas/publishing/faults.ts';
import type { Message, Rejection } from '../../lambdas/publishing/message.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { createHarness, textsOf } from './poll-harness.ts';
import { noon } from './simulated-log.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;

async function begun(options: Parameters<typeof createHarness>[0] = {}) {
  const harness = createHarness(options);
  for (let index = 0; index < 20; index++)
    harness.catalogue.write(comment(`old ${index}`), { at: noon - minutes(index + 1) });
  await harness.poll();
  harness.catalogue.clock.pass(1000);
  return harness;
}

describe('a catalogue that asks to wait', () => {
  const busy = (notBefore: number) => async (): Promise<never> => {
    throw new CatalogueError({ condition: 'NOT_BEFORE', action: 'Asking', seen: 'HTTP 429', notBefore });
  };

  test('gets no request until then, and is then read on', async () => {
    const { catalogue, poll, newEvents, table } = await begun();
    const { activities } = catalogue;
    const until = catalogue.clock.now() + 3_600_000;
    catalogue.write(comment('new'));
    catalogue.activities = busy(until);
    expect((await poll()).outcome).toBe('postponed');
    expect(table.position?.notBefore).toBe(until);
    catalogue.activities = async () => {
      throw new Error('asked too early');
    };
    catalogue.clock.pass(3_599_999);
    expect((await poll()).outcome).toBe('postponed');
    catalogue.activities = activities;
    catalogue.clock.pass(1);
    expect((await poll()).outcome).toBe('published');
    expect(textsOf(newEvents())).toStrictEqual([comment('new')]);
    expect(table.position?.notBefore).toBeUndefined();
  });

  test('in the middle of a backlog keeps what was published', async () => {
    const { catalogue, poll, newEvents } = await begun();
    for (let index = 0; index < 200; index++) {
      catalogue.clock.pass(60_000);
      catalogue.write(comment(`new ${index}`));
    }
    const { activities } = catalogue;
    const until = catalogue.clock.now() + 60_000;
    catalogue.activities = async (page) => (catalogue.asked.length > 15 ? busy(until)() : activities(page));
    expect((await poll()).outcome).toBe('postponed');
    const before = textsOf(newEvents());
    expect(before.length).toBeGreaterThan(0);
    catalogue.activities = activities;
    catalogue.clock.pass(60_000);
    await poll();
    expect([...before, ...textsOf(newEvents())]).toStrictEqual(
      Array.from({ length: 200 }, (_, index) => comment(`new ${index}`)),
    );
  });

  test('before the first position was written makes the poll fail, since nothing can be kept', async () => {
    const { catalogue, poll } = createHarness();
    catalogue.activities = busy(catalogue.clock.now() + 1000);
    await expect(poll()).rejects.toMatchObject({ code: 'CATALOGUE_NOT_BEFORE' });
  });
});

describe('a failure on page 3 of 5', () => {
  test('lets the mark pass nothing that is newer than the page that failed', async () => {
    const { catalogue, poll, newEvents, table } = await begun();
    for (let index = 0; index < 45; index++) {
      catalogue.clock.pass(1000);
      catalogue.write(comment(`new ${index}`));
    }
    const { mark } = table.position ?? { mark: 0n };
    const { activities } = catalogue;
    catalogue.activities = async (page) => {
      if (page === 3)
        throw new CatalogueError({ condition: 'UNAVAILABLE', action: 'Asking', seen: 'HTTP 503' });
      return activities(page);
    };
    await expect(poll()).rejects.toMatchObject({ code: 'CATALOGUE_UNAVAILABLE' });
    const [newestPublished] = textsOf(newEvents()).slice(-1);
    const reached = catalogue.rows.find(({ row }) => row.text === newestPublished);
    expect(newestPublished).toBe(comment('new 14'));
    expect(table.position?.mark).toBe(reached?.at);
    expect(mark).toBeLessThan(reached?.at ?? 0n);
    catalogue.activities = activities;
    await poll();
    expect(textsOf(newEvents())).toHaveLength(30);
  });
});

describe('topics that do not accept events', () => {
  test.each(['throttled', 'denied', 'topic-missing', 'unavailable'] as const)(
    '(%s) keep the mark, and the next poll sends the same bytes',
    async (code) => {
      const { catalogue, poll, table, accepted } = await begun();
      const { mark } = table.position ?? { mark: 0n };
      catalogue.write(comment('new'));
      const refused: Message[] = [];
      const publisher = {
        publish: async (messages: readonly Message[]): Promise<never> => {
          refused.push(...messages);
          throw new PublishError(code, 'reviews', 'not today');
        },
      };
      await expect(poll({ publisher })).rejects.toMatchObject({ code });
      expect(table.position?.mark).toBe(mark);
      await poll();
      expect(accepted).toStrictEqual(refused);
      expect((await poll()).outcome).toBe('quiet');
    },
  );

  test('refuse one event for its content: it is published as unclassified, and the others go on', async () => {
    const { catalogue, poll, newEvents } = await begun();
    catalogue.write(comment('good'));
    catalogue.write(comment('poison'), { at: catalogue.now + 1n });
    catalogue.clock.pass(1000);
    const sent: Message[] = [];
    const publisher = {
      publish: async (messages: readonly Message[]): Promise<Rejection[]> => {
        sent.push(...messages);
        return messages
          .filter(({ body, topic }) => topic !== 'unclassified' && body.includes('poison'))
          .map((message) => ({ message, code: 'InvalidParameter', reason: 'no' }));
      },
    };
    const report = await poll({ publisher });
    expect(report).toMatchObject({ outcome: 'published', quarantined: 1, activities: 2 });
    const replaced = JSON.parse(sent.at(-1)?.body ?? '') as PanelEvent;
    expect(replaced).toMatchObject({
      type: 'gene-panel.activity.unclassified.v1',
      data: { change: { reason: 'invalid-row', detail: expect.stringContaining('InvalidParameter') } },
    });
    expect((await poll({ publisher })).outcome).toBe('quiet');
    expect(newEvents()).toStrictEqual([]);
  });
});

describe('two pollers at once', () => {
  test('lose nothing and contradict nothing, wherever the second one begins', async () => {
    let interleavings = 0;
    for (let at = 1; ; at++) {
      let steps = 0;
      let second: Promise<unknown> | undefined;
      let armed = false;
      const harness = await begun({
        step: async () => {
          if (!armed || second) return;
          steps += 1;
          if (steps !== at) return;
          second = harness.poll().catch((error: { code?: string }) => error.code);
          await second;
        },
      });
      const texts = Array.from({ length: 12 }, (_, index) => comment(`new ${index}`));
      for (const text of texts) {
        harness.catalogue.clock.pass(1000);
        harness.catalogue.write(text);
      }
      harness.newEvents();
      armed = true;
      const first = await harness.poll().catch((error: { code?: string }) => error.code);
      if (!second) break;
      interleavings += 1;
      armed = false;
      for (const outcome of [first, await second]) {
        if (typeof outcome === 'string') expect(outcome).toBe('STATE_CONFLICT');
      }
      await harness.poll();
      const bodies = new Map<string, string>();
      for (const { id, body } of harness.accepted) {
        expect(bodies.get(id) ?? body, `interleaving ${at}`).toBe(body);
        bodies.set(id, body);
      }
      expect(new Set(textsOf(harness.newEvents())), `interleaving ${at}`).toStrictEqual(new Set(texts));
      expect(harness.accepted.length - bodies.size).toBeLessThanOrEqual(texts.length);
    }
    expect(interleavings).toBeGreaterThan(10);
  });
});

test('a redeploy with other rules between recording and advancing sends what was recorded', async () => {
  let dies = true;
  const { catalogue, poll, accepted, table } = await begun({
    step: async (name) => {
      if (name === 'publish after' && dies) throw new Error('died');
    },
  });
  catalogue.write(comment('new'));
  await expect(poll()).rejects.toThrow('died');
  const recorded = table.pending?.messages;
  dies = false;
  // A newer classifier may read the row in another way: the listing of panels has changed as well.
  catalogue.panels = async () => [{ id: 12 } as never];
  expect(await poll()).toMatchObject({ outcome: 'published', activities: 1 });
  const [first, second] = [accepted.slice(0, 1), accepted.slice(1)];
  expect(second).toStrictEqual(first);
  expect(second).toStrictEqual(recorded);
});
