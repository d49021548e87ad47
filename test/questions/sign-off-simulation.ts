import { hash } from 'node:crypto';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { openProvingHarness } from '../panels/proving-harness.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type Occasions, openDiary } from './sign-off-diary.ts';
import { type WrongMessages, wrongMessages } from './sign-off-messages.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const signOffKinds = [
  'sign off the present version',
  'sign off an older version',
  'sign off for a later day',
  'sign off silently',
  'remove the sign-off',
] as const;
const otherKinds = ['rate', 'rate', 'edit a panel', 'promote a panel', 'delete an entity'] as const;

/** What a year of sign-offs was published as, beside what the catalogue did. */
interface SignOffYear extends WrongMessages {
  /** What was stated more often than it was done. */
  readonly repeated: readonly string[];
  /** Versions or days that events name, and that the catalogue never listed. */
  readonly wrong: readonly string[];
  /** What the catalogue lists at the end, and that neither an event nor the first reading states. */
  readonly missing: readonly string[];
  /** Sentences that name another version as signed off. */
  readonly sentences: readonly string[];
  /** Signed-off versions whose kept state is not what the catalogue serves, and net changes that differ. */
  readonly states: readonly string[];
  /** Sign-offs that name the panel by a name that it did not have then. */
  readonly names: readonly string[];
  /** Panels of which the list alone says that a sign-off was withdrawn: each withdrawal here writes a row. */
  readonly withdrawn: readonly number[];
  /** Lists that lied. */
  readonly lies: number;
  readonly done: number;
  readonly stated: number;
  readonly occasions: Occasions;
}

interface SignedOffList {
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

const pageOf = (results: readonly unknown[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});

/** What a list of signed-off versions may say that is not so; a text is the whole answer. */
const listLies: readonly ((list: SignedOffList['results']) => readonly unknown[] | string)[] = [
  () => [],
  (list) => list.slice(0, list.length / 2),
  (list) => list.slice(1),
  (list) => list.map((one) => ({ ...one, version: '1.0' })),
  (list) => list.map((one) => ({ ...one, version: '99999999999.0' })),
  (list) => list.map((one) => ({ ...one, version: '98.7' })),
  (list) => list.map((one) => ({ ...one, signed_off: '2026-02-31' })),
  (list) => list.map((one) => ({ ...one, signed_off: '2019-01-01' })),
  () => '<!doctype html><title>Maintenance</title>',
];

/** A year in which a catalogue signs versions off in every manner, read with gaps. */
export async function simulateSignOffs(seed: number): Promise<SignOffYear> {
  const random = seededRandom(seed);
  const chance = (percent: number): boolean => random() * 100 < percent;
  const oneOf = <Each>(list: readonly Each[]): Each => list[Math.floor(random() * list.length)] as Each;
  const clock = createTestClock({ now: Date.UTC(2026, 0, 5, 9) });
  const signOffs = chance(50) ? 'every' : 'last';
  const sandbox = await startCatalogue({ clock, history: 20, seed, signOffs });
  const harness = openProvingHarness({ url: sandbox.url, clock, readsSignOffs: true });
  const client = createCatalogue({ baseUrl: sandbox.url, access: anonymous, clock, log: silentLog });
  const listed = async () =>
    (await client.signedOff()).items.map(({ id, version, signed_off: date }) => `${id} ${version} ${date}`);
  try {
    await harness.poll();
    await harness.sweep();
    await harness.readSignOffs();
    await harness.prove();
    // The second reading confirms the first one.
    clock.pass(2 * HOUR);
    await harness.readSignOffs();
    const atFirst = new Set(await listed());
    const ever = new Set(atFirst);
    /** How often each sign-off was made. */
    const made = new Map<string, number>();
    let done = 0;
    const diary = await openDiary(client, clock);
    let lies = 0;
    /** Lets the list lie once, or twice within the hour. */
    const readLies = async (): Promise<void> => {
      const { results } = (await (await fetch(`${sandbox.url}panels/signedoff/`)).json()) as SignedOffList;
      for (let times = chance(50) ? 1 : 2; times > 0; times -= 1) {
        const lie = oneOf(listLies)(results);
        const body = typeof lie === 'string' ? lie : JSON.stringify(pageOf(lie));
        sandbox.fail(
          { kind: 'body', body, contentType: 'application/json' },
          { times: 9, path: 'signedoff' },
        );
        if (chance(30)) await harness.poll();
        await harness.readSignOffs();
        sandbox.clearFaults();
        lies += 1;
        clock.pass(HOUR / 4);
      }
      // A second reading an hour later that lied alike would be believed.
      await harness.readSignOffs();
    };
    const act = async (kind: string, panel?: number): Promise<number | null> => {
      const before = new Set(await listed());
      let on: number;
      try {
        on = sandbox.act({ kind, ...(panel !== undefined && { panel }) }).panel.id;
      } catch {
        // Nothing in the catalogue allows it now.
        return null;
      }
      done += 1;
      await diary.write(kind, on);
      for (const one of await listed()) {
        ever.add(one);
        if (!before.has(one)) made.set(one, (made.get(one) ?? 0) + 1);
      }
      return on;
    };
    const readSomething = async (): Promise<void> => {
      if (chance(60)) await harness.poll();
      if (chance(60)) {
        await harness.sweep();
        await harness.readSignOffs();
      }
    };
    for (let step = 0; step < 24; step += 1) {
      clock.pass(Math.floor(random() * 20 * DAY) + HOUR);
      const kinds = chance(45) ? signOffKinds : otherKinds;
      const kind = oneOf(kinds);
      const on = await act(kind);
      if (chance(15)) {
        clock.pass(HOUR);
        await act(oneOf(signOffKinds));
      }
      // The same panel again: on the same day, or under another name.
      if (on !== null && kind.startsWith('sign off') && chance(40)) {
        if (chance(50)) await readSomething();
        clock.pass(HOUR);
        if (chance(50)) await act('edit the name silently', on);
        else if (chance(30)) await act('rate', on);
        if (chance(30)) clock.pass(Math.floor(random() * 20 * DAY));
        await act(oneOf(signOffKinds), on);
      }
      if (chance(20)) await readLies();
      await readSomething();
      if (chance(25)) await harness.prove();
    }
    // Two on one last day.
    const lastOn = await act('sign off the present version');
    if (lastOn !== null) {
      if (chance(50)) await readSomething();
      clock.pass(HOUR);
      await act('rate', lastOn);
      await act(
        oneOf(['sign off the present version', 'sign off an older version', 'sign off silently']),
        lastOn,
      );
    }
    for (let day = 0; day < 3; day += 1) {
      clock.pass(DAY);
      await harness.poll();
      await harness.sweep();
      await harness.readSignOffs();
      await harness.prove();
    }
    const published = await harness.events();
    const events = published.filter(
      (event): event is PanelEvent<'panel.signed-off'> => event.type === 'gene-panel.panel.signed-off.v1',
    );
    const last = new Set(await listed());
    const named = (event: (typeof events)[number], part: 'now' | 'before'): string | null => {
      const { change, panel } = event.data;
      const [version, date] =
        part === 'now'
          ? [change.signedOffVersion, change.signedOffDate]
          : [change.previousSignedOffVersion, change.previousSignedOffDate];
      return version === undefined ? null : `${panel.id} ${version} ${date}`;
    };
    const stated = events.filter(({ data }) => data.change.signedOff).map((event) => named(event, 'now'));
    const withdrawn = events.flatMap(({ data: { change, panel } }) =>
      change.signedOff || change.via === 'activity' ? [] : [panel.id ?? 0],
    );
    const times = Map.groupBy(
      stated.filter((one) => one !== null),
      (one) => one,
    );
    return {
      // A sign-off that is removed and made again may be stated twice, and one that was there at first, again after a removal.
      repeated: [...times]
        .filter(([one, all]) => all.length > (made.get(one) ?? 0) + (atFirst.has(one) ? 1 : 0))
        .map(([one]) => one),
      wrong: events
        .flatMap((event) => [named(event, 'now'), named(event, 'before')])
        .filter((one) => one !== null && !ever.has(one))
        .map(String),
      missing: [...last].filter((one) => !atFirst.has(one) && !times.has(one)),
      sentences: events.flatMap((event) => wrongSentence(event) ?? []),
      states: await wrongStates([...last], harness, client),
      names: events.flatMap(({ id, time, data: { panel } }) => {
        const name = diary.nameAt(panel.id ?? 0, time ?? '');
        return name === null || name === panel.name ? [] : `${id}: ${panel.name} was ${name} at ${time}`;
      }),
      withdrawn,
      lies,
      done,
      stated: times.size,
      occasions: diary.occasions(),
      ...(await wrongMessages({
        events: published,
        listed: (await client.signedOff()).items,
        ever,
        states: harness.states,
        client,
        now: clock.now(),
      })),
    };
  } finally {
    await client.close();
    await harness.close();
    await sandbox.close();
  }
}

/** A sentence that says of a version that it is signed off, and means another one. */
function wrongSentence({ data, time = '' }: PanelEvent<'panel.signed-off'>): string | null {
  const { summary, change } = data;
  const { signedOffDate: day, previousSignedOffDate: before } = change;
  const isToCome = day !== undefined && before !== undefined && before > day && before > time.slice(0, 10);
  if (isToCome) return `${day} does not follow ${before}: ${summary}`;
  const [, version] = /Version (\d+\.\d+) of /.exec(summary) ?? [];
  const right = change.signedOff ? change.signedOffVersion : change.previousSignedOffVersion;
  return version === undefined || version === right ? null : summary;
}

async function wrongStates(
  signedOff: readonly string[],
  { states }: Pick<ReturnType<typeof openProvingHarness>, 'states'>,
  client: ReturnType<typeof createCatalogue>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const byPanel = Map.groupBy(
    signedOff.map((one) => one.split(' ')),
    ([id = '']) => id,
  );
  for (const [id, all] of byPanel) {
    const lastDay = all
      .map(([, , day = '']) => day)
      .toSorted()
      .at(-1);
    const [[, version = ''] = [], ...others] = all.filter(([, , day]) => day === lastDay);
    // Of two on one day, the list does not say which replaced the other.
    if (others.length > 0) continue;
    const kept = await states.find(Number(id), version);
    const detail = await client.panelDetail(Number(id), version);
    if (!detail) continue;
    const greens = (names: readonly string[]): string => hash('sha256', names.toSorted().join());
    const served = [...detail.genes, ...(detail.strs ?? []), ...(detail.regions ?? [])]
      .filter(({ confidence_level: level }) => Number(level) >= 3)
      .map((entity) => `${entity.entity_type} ${entity.entity_name}`);
    const held = (kept?.entities ?? [])
      .filter(({ rating }) => rating === 'green')
      .map(({ type, name }) => `${type} ${name}`);
    if (kept === null) wrong.push(`${id} ${version}: not kept`);
    else if (greens(served) !== greens(held)) wrong.push(`${id} ${version}: other greens are kept`);
  }
  return wrong;
}
