import { expect, onTestFinished, test } from 'vitest';
import { createRelay } from '../../../lambdas/questions/relay/relay.ts';
import { type Instant, instantOf, minutes } from '../../../lambdas/run/instant.ts';
import { listen } from '../../../page/listen.ts';
import { startCatalogue } from '../../../sandbox/catalogue/start.ts';
import { openProvingHarness, type ProvingHarness } from '../../panels/proving-harness.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { HOUR } from './followed.ts';

const source = 'https://panels.example/api/v1/';

/** What a day of curation costs the catalogue and gives to each notifier: one reads it, the others read its relay. */
async function simulatedDay(behind: number) {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 0, 30) });
  let requests = 0;
  const catalogue = await startCatalogue({
    clock,
    history: 10,
    seed: 9,
    ties: 'fixed',
    onRequest: () => {
      requests += 1;
    },
  });
  onTestFinished(() => catalogue.close());
  const follow = (url: string, from: Instant): ProvingHarness => {
    const harness = openProvingHarness({ url, source, clock, from });
    onTestFinished(() => harness.close());
    return harness;
  };
  const first = follow(catalogue.url, 0n);
  const readFirst = async (): Promise<void> => {
    await first.poll();
    await first.sweep();
    await first.prove();
  };
  await readFirst();
  clock.pass(HOUR);
  await readFirst();
  const served = await listen(
    createRelay({
      sources: () => new Map([['uk', first.relaySource]]),
      now: clock.now,
      onUnreadable: ({ message }) => expect.unreachable(message),
    }),
    { port: 0 },
  );
  onTestFinished(() => served.close());
  const earlier = first.accepted.length;
  const since = instantOf(clock.now()) - minutes(1);
  const others = Array.from({ length: behind }, () => follow(`${served.url}uk/api/v1/`, since));
  const pollOthers = async (): Promise<void> => {
    for (const other of others) await other.poll();
  };
  await pollOthers();
  for (let hour = 0; hour < 24; hour += 3) {
    for (let act = 0; act < 3; act += 1) {
      catalogue.act();
      clock.pass(HOUR);
    }
    await readFirst();
    await pollOthers();
  }
  const published = ({ accepted }: ProvingHarness): readonly string[] =>
    accepted.map(({ body }) => `${JSON.parse(body).id} ${JSON.parse(body).data.change?.via ?? 'log'}`);
  return { requests, first: published(first).slice(earlier), others: others.map(published) };
}

/** Events of rows: what lists and states show beside them depends on when they are read. */
const ofRows = (events: readonly string[]): readonly string[] =>
  events.filter((event) => !/ (?:listing|snapshot)$/.test(event)).sort();

test('two hundred notifiers behind one relay cost the catalogue what one costs, and publish events of equal ids', async () => {
  const alone = await simulatedDay(0);
  const shared = await simulatedDay(200);
  expect(shared.requests).toBe(alone.requests);
  expect(alone.requests).toBeGreaterThan(100);
  expect(ofRows(shared.first).length).toBeGreaterThan(30);
  expect(shared.others).toHaveLength(200);
  for (const events of shared.others) expect(events.toSorted()).toEqual(ofRows(shared.first));
});
