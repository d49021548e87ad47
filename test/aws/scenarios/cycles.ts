import assert from 'node:assert/strict';
import * as z from 'zod';
import { type Topic, topics } from '../../../lambdas/events/kinds.ts';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { seededRandom } from '../../../sandbox/software/values.ts';
import type { Deployment } from '../deployment.ts';
import { type Inbox, subscribeInbox } from '../inbox.ts';
import { type RunningFunction, startFunction } from '../running-function.ts';
import type { ScenarioContext } from './scenario-context.ts';

const CYCLES = Number(process.env.CYCLES ?? 12);
/** The last ones, in each of which one of the three is killed. */
const KILLED_CYCLES = Number(process.env.KILLED_CYCLES ?? CYCLES / 2);
const SEED = Number(process.env.FIRST_SEED ?? 7);
const jobs = ['poll', 'sweep', 'prove'] as const;
const HOUR_MS = 3_600_000;

const proofSchema = z.object({ outcome: z.string(), unproven: z.number() });

/** Polls, sweeps and proofs at the same time, each a process of its own, of which some are killed: nothing is lost or said twice. */
export async function checkCycles(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { checks, say } = context;
  const { archived } = context.catalogues;
  const random = seededRandom(SEED);
  const inboxes = await Promise.all(topics.map((topic) => inboxOf(context, deployment, topic)));
  const start = (job: (typeof jobs)[number]) =>
    startFunction(context, { deployment, name: `${job}-archived` });
  const running = new Map<string, RunningFunction>();
  for (const job of jobs) running.set(job, await start(job));
  const invoke = (job: string, aheadMs = 0) => {
    const { runtime } = running.get(job) ?? {};
    assert.ok(runtime);
    return runtime.invoke({}, { aheadMs });
  };
  const bodies = new Map<string, string>();
  const rows = new Set<string>();
  const wanted: string[] = [];
  const sums = { published: 0, withoutKills: 0, repeats: 0, repeatsWithoutKills: 0, kills: 0, failed: 0 };
  const twoBodied: string[] = [];
  const take = async (withKills: boolean): Promise<void> => {
    for (const { event } of (await Promise.all(inboxes.map((inbox) => inbox.empty()))).flat()) {
      const body = JSON.stringify(event);
      const before = bodies.get(event.id);
      if (before === undefined) {
        sums.published += 1;
        if (!withKills) sums.withoutKills += 1;
      } else {
        sums.repeats += 1;
        if (!withKills) sums.repeatsWithoutKills += 1;
      }
      if (before !== undefined && before !== body) twoBodied.push(event.id);
      bodies.set(event.id, body);
      for (const { created, text } of event.data.activities) rows.add(`${created} ${text}`);
    }
  };

  try {
    for (const job of jobs) assert.ok((await invoke(job)).ok);
    await take(false);
    sums.withoutKills = 0;
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const withKills = cycle >= CYCLES - KILLED_CYCLES;
      for (let acts = 3 + Math.floor(random() * 4); acts > 0; acts -= 1) {
        const kind = random() < 0.3 ? 'rate a gene as administrator' : random() < 0.5 ? 'rate' : undefined;
        const { rows: written } = archived.act(kind === undefined ? {} : { kind });
        for (const row of written) wanted.push(keyOf(row));
      }
      const victim = withKills ? jobs[Math.floor(random() * jobs.length)] : undefined;
      const runs = jobs.map((job) => invoke(job));
      if (victim) {
        await clock.sleep(random() * 2_500);
        running.get(victim)?.runtime.kill();
        sums.kills += 1;
      }
      const outcomes = await Promise.all(runs);
      sums.failed += outcomes.filter(({ ok }, at) => !ok && jobs[at] !== victim).length;
      if (victim) {
        await running.get(victim)?.stop();
        running.set(victim, await start(victim));
      }
      await take(withKills);
    }
    let unproven = Number.NaN;
    const hoursOfRuns = [
      1,
      3,
      6,
      26,
      ...Array.from({ length: Math.ceil(CYCLES / 12) }, (_, more) => 28 + more),
    ];
    for (const hours of hoursOfRuns) {
      for (const job of jobs) {
        const outcome = await invoke(job, hours * HOUR_MS);
        assert.ok(outcome.ok, JSON.stringify(outcome));
        if (job === 'prove') unproven = proofSchema.parse(outcome.result).unproven;
      }
    }
    await take(true);
    say(
      `    ${JSON.stringify({ seed: SEED, rows: wanted.length, ...sums, twoBodied: twoBodied.length, unproven })}`,
    );
    await checks.check(`of ${wanted.length} rows none is lost, through ${sums.kills} kills`, () => {
      assert.deepEqual(
        wanted.filter((row) => !rows.has(row)),
        [],
      );
    });
    await checks.check('no event has two bodies', () => assert.deepEqual(twoBodied, []));
    await checks.check('runs that overlap do not fail, and repeat at most one event in a thousand', () => {
      assert.equal(sums.failed, 0);
      assert.ok(sums.repeatsWithoutKills <= sums.withoutKills / 1_000);
    });
    await checks.check('every version is proven or explained', () => assert.equal(unproven, 0));
  } finally {
    for (const each of running.values()) await each.stop();
  }
}

const rowSchema = z.looseObject({ created: z.string(), text: z.string() });
const keyOf = (row: unknown): string => {
  const { created, text } = rowSchema.parse(row);
  return `${created} ${text}`;
};

function inboxOf({ clients }: ScenarioContext, { outputs }: Deployment, topic: Topic): Promise<Inbox> {
  const output = `Topic${topic.charAt(0).toUpperCase()}${topic.slice(1)}`;
  return subscribeInbox(clients, {
    name: `cycles-${topic}`,
    topicArn: outputs[output] ?? '',
    filter: { catalogue: ['archived'] },
  });
}
