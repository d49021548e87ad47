import { describe, expect, test } from 'vitest';
import type { Backlog } from '../../bin/local/alarm-conditions.ts';
import { createOwnAlarms, type OwnAlarms } from '../../bin/local/alarm-conditions.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { ProofReport } from '../../lambdas/reconcile/proof-options.ts';
import type { SweepReport } from '../../lambdas/reconcile/sweep-report.ts';
import { memoryItems } from '../../lambdas/store/items.ts';
import { mailSubject, mailText } from '../../lambdas/words/mail.ts';
import { type AlarmChange, noticeOfAlarm } from '../../lambdas/words/notice-of-alarm.ts';
import { deploymentSchema } from '../../lib/settings.ts';
import { quietProof, quietReport } from '../poll/quiet-report.ts';
import { createTestClock } from '../run/test-clock.ts';
import { london } from '../words/events.ts';

const { alarms: limits } = deploymentSchema.parse({
  prefix: 'panels',
  catalogues: { uk: { base: 'https://panels.example.org/api/v1/' } },
});
const HOUR = 3_600_000;

const published: PollReport = { ...quietReport, outcome: 'published', activities: 12, lagSeconds: 60 };
const unclassified = (count: number): PollReport => ({
  ...published,
  events: { 'gene-panel.activity.unclassified.v1': count },
});
const swept: SweepReport = {
  outcome: 'quiet',
  panels: 4,
  regions: 1,
  changedPanels: 0,
  awaitedPanels: 0,
  completeness: null,
  events: {},
  refusal: null,
  signOffs: null,
  massChanges: [],
  notBefore: null,
};

/** The runs of one process, as its alarms get them. */
function runsOf({ after }: OwnAlarms) {
  let isFirst = true;
  return {
    polled: async (report: PollReport, throttled = 0): Promise<void> => {
      await after({ kind: 'polled', report, throttled, isFirst });
      if (report.outcome !== 'postponed') isFirst = false;
    },
    pollFailed: (error: unknown) => after({ kind: 'poll failed', error, throttled: 0 }),
    swept: (report: SweepReport) => after({ kind: 'swept', report }),
    sweepFailed: (error: unknown) => after({ kind: 'sweep failed', error }),
    proved: (report: ProofReport) => after({ kind: 'proved', report }),
    proofFailed: (error: unknown) => after({ kind: 'proof failed', error }),
    unsent: (backlog: Backlog) => after({ kind: 'unsent', backlog }),
  };
}

function opened({ credentialExpires }: { readonly credentialExpires?: string } = {}) {
  const clock = createTestClock();
  const announced: AlarmChange[] = [];
  const store = memoryItems(clock.now);
  const run = { dies: false };
  const start = () =>
    runsOf(
      createOwnAlarms({
        store,
        catalogue: 'uk',
        limits,
        credentialExpires,
        clock,
        announce: async (change) => {
          if (run.dies) throw new Error('killed');
          announced.push(change);
        },
      }),
    );
  const said = (): readonly string[] => announced.splice(0).map(({ alarm, state }) => `${alarm} ${state}`);
  return { alarms: start(), start, clock, announced, said, run };
}

describe('the alarms of a run on one machine', () => {
  test('report polls that fail, once, and that they work again', async () => {
    const { alarms, clock, announced, said } = opened();
    const begun = clock.now();
    for (let poll = 0; poll < 5; poll++) {
      await alarms.pollFailed(new Error('The catalogue answered 503.'));
      clock.pass(60_000);
    }
    expect(announced).toMatchObject([
      {
        alarm: 'no-successful-poll',
        catalogue: 'uk',
        state: 'alarm',
        detail: 'The last 3 polls failed. The last error: The catalogue answered 503.',
        description:
          'What to do: run "gene-panel-notifier doctor", which names what is wrong and the next step; "no-successful-poll" in docs/runbook.md has the others',
        at: new Date(begun).toISOString(),
      },
    ]);
    said();
    await alarms.polled(published);
    expect(announced).toMatchObject([{ state: 'ok', detail: '12 changes were caught up.' }]);
    said();
    await alarms.polled(quietReport);
    expect(said()).toStrictEqual([]);
  });

  test('count failures across restarts, and repeat nothing after one', async () => {
    const { start, said } = opened();
    for (let process = 0; process < 4; process++) await start().pollFailed(new Error('no'));
    expect(said()).toStrictEqual(['no-successful-poll alarm']);
  });

  test('announce after a restart what a killed process had detected and not announced', async () => {
    const { start, said, run } = opened();
    for (let poll = 0; poll < 2; poll++) await start().pollFailed(new Error('no'));
    run.dies = true;
    await expect(start().pollFailed(new Error('no'))).rejects.toThrow('killed');
    run.dies = false;
    await start().pollFailed(new Error('no'));
    expect(said()).toStrictEqual(['no-successful-poll alarm']);
  });

  test('report a refused credential at the first failure', async () => {
    const { alarms, said } = opened();
    await alarms.pollFailed(Object.assign(new Error('401'), { code: 'CATALOGUE_UNAUTHORIZED' }));
    await alarms.polled(quietReport);
    expect(said()).toStrictEqual(['credential-refused alarm', 'credential-refused ok']);
  });

  test('report a catalogue without new changes for days, with the day of the last one', async () => {
    const { alarms, clock, announced, said } = opened();
    await alarms.polled(published);
    const last = new Date(clock.now()).toISOString();
    clock.pass(6 * 24 * HOUR);
    await alarms.polled(quietReport);
    expect(said()).toStrictEqual([]);
    clock.pass(24 * HOUR);
    await alarms.polled(quietReport);
    expect(announced).toMatchObject([
      { alarm: 'feed-quiet', at: last, detail: 'The last new change was read 7 days ago.' },
    ]);
    said();
    await alarms.polled(published);
    expect(said()).toStrictEqual(['feed-quiet ok']);
  });

  test('report a high share of texts that are not recognised, until six hours have a low one', async () => {
    const { alarms, clock, said } = opened();
    await alarms.polled(unclassified(2));
    expect(said()).toStrictEqual([]);
    await alarms.polled(unclassified(2));
    expect(said()).toStrictEqual(['unclassified-share alarm']);
    clock.pass(6 * HOUR);
    await alarms.polled(published);
    expect(said()).toStrictEqual([]);
    clock.pass(6 * HOUR);
    await alarms.polled(quietReport);
    expect(said()).toStrictEqual(['unclassified-share ok']);
  });

  test('report a credential that expires soon, and one that was renewed', async () => {
    const soon = opened({ credentialExpires: '2026-11-30' });
    await soon.alarms.polled(quietReport);
    expect(soon.announced).toMatchObject([
      { alarm: 'credential-expiring', detail: 'The credential expires on 2026-11-30, in 9 days.' },
    ]);
    const later = opened({ credentialExpires: '2027-11-30' });
    await later.alarms.polled(quietReport);
    expect(later.said()).toStrictEqual([]);
  });

  test('report changes that arrive late, except after a time without polls', async () => {
    const { alarms, said } = opened();
    const late = { ...published, lagSeconds: 2 * 3600 };
    await alarms.polled(late);
    await alarms.pollFailed(new Error('no'));
    await alarms.polled(late);
    await alarms.polled({ ...late, late: late.activities });
    expect(said()).toStrictEqual([]);
    await alarms.polled(late);
    await alarms.polled(published);
    expect(said()).toStrictEqual(['lag-growing alarm', 'lag-growing ok']);
  });

  test('report an empty, shortened or set back log, rows that cannot be read, and a wait', async () => {
    const { alarms, clock, said } = opened();
    await alarms.pollFailed(Object.assign(new Error('empty'), { code: 'LOG_EMPTY' }));
    await alarms.polled({ ...quietReport, anomalies: ['log-shrunken'], quarantined: 1 });
    expect(said()).toStrictEqual([
      'feed-empty alarm',
      'feed-empty ok',
      'feed-shrunken alarm',
      'rows-quarantined alarm',
    ]);
    clock.pass(HOUR);
    await alarms.polled(quietReport);
    expect(said()).toStrictEqual(['feed-shrunken ok', 'rows-quarantined ok']);
    const postponed: PollReport = { ...quietReport, outcome: 'postponed', notBefore: clock.now() };
    for (let poll = 0; poll < 3; poll++) await alarms.polled(postponed);
    await alarms.polled(quietReport);
    expect(said()).toStrictEqual(['no-successful-poll alarm', 'no-successful-poll ok']);
  });

  test('report refusals for too many requests, and not the polls that wait after one', async () => {
    const { alarms, clock, said } = opened();
    const postponed: PollReport = { ...quietReport, outcome: 'postponed', notBefore: clock.now() };
    await alarms.polled(postponed, 1);
    await alarms.polled(postponed);
    await alarms.polled(quietReport, 1);
    expect(said()).toStrictEqual([]);
    await alarms.polled(quietReport, 1);
    expect(said()).toStrictEqual(['catalogue-throttling alarm']);
    clock.pass(HOUR);
    await alarms.polled(quietReport);
    expect(said()).toStrictEqual(['catalogue-throttling ok']);
  });

  test('report more events in an hour than the settings allow, until an hour has fewer', async () => {
    const { alarms, clock, said } = opened();
    const many = { ...published, events: { 'gene-panel.entity.classified.v1': limits.eventsPerHour } };
    await alarms.polled(many);
    expect(said()).toStrictEqual([]);
    await alarms.polled(many);
    expect(said()).toStrictEqual(['volume-high alarm']);
    for (let hours = 0; hours < 2; hours++) {
      clock.pass(HOUR);
      await alarms.polled(quietReport);
    }
    expect(said()).toStrictEqual(['volume-high ok']);
  });

  test('report sweeps that fail or are refused', async () => {
    const { alarms, said } = opened();
    for (let sweep = 0; sweep < 3; sweep++) await alarms.sweepFailed(new Error('no'));
    await alarms.swept({ ...swept, outcome: 'refused' });
    await alarms.swept(swept);
    expect(said()).toStrictEqual([
      'sweeps-failing alarm',
      'sweeps-failing ok',
      'listing-refused alarm',
      'listing-refused ok',
    ]);
  });

  test('name each kind of change that many panels have, and what a person can do', async () => {
    const { alarms, announced } = opened();
    const massChanges = [
      { kind: 'panel.changed types', panels: 200 },
      { kind: 'panel.promoted', panels: 40 },
    ];
    await alarms.swept({ ...swept, outcome: 'refused', refusal: 'mass-change', massChanges });
    const [said] = announced.map((change) => noticeOfAlarm(change, london));
    if (!said) throw new Error('Nothing was said');
    const notice = `${mailSubject(said)}
${mailText(said)}`;
    expect(notice).toContain('The panel list of catalogue uk is not trusted');
    expect(notice).toContain('panel.changed types on 200 panels, panel.promoted on 40 panels');
    expect(notice).toContain('--only listings --accept');
  });

  test('report messages that were set aside, until none is left or fails', async () => {
    const { alarms, announced, said } = opened();
    await alarms.unsent({ setAside: 1, failing: 0, orphaned: [] });
    expect(announced).toMatchObject([{ alarm: 'unsent-messages', catalogue: null }]);
    said();
    await alarms.unsent({ setAside: 0, failing: 1, orphaned: [] });
    expect(said()).toStrictEqual([]);
    await alarms.unsent({ setAside: 0, failing: 0, orphaned: [] });
    expect(said()).toStrictEqual(['unsent-messages ok']);
  });

  test('name a channel that the settings no longer have while messages wait for it', async () => {
    const { alarms, announced, said } = opened();
    await alarms.unsent({ setAside: 0, failing: 0, orphaned: ['green-genes/slack:old'] });
    expect(announced).toMatchObject([
      { alarm: 'unsent-messages', detail: expect.stringMatching(/green-genes\/slack:old.*messages move/) },
    ]);
    said();
    await alarms.unsent({ setAside: 0, failing: 0, orphaned: [] });
    expect(said()).toStrictEqual(['unsent-messages ok']);
  });
});

describe('the alarms about proofs', () => {
  test('report versions that are unproven for a day, with the oldest by name, and that all are proven', async () => {
    const { alarms, announced, said } = opened();
    await alarms.proved({ ...quietProof, unproven: 2 });
    expect(said()).toEqual([]);
    const oldestUnproven = {
      panelId: 3,
      panelName: 'Hearing loss',
      version: '4.12',
      since: 0,
      why: 'the catalogue does not serve it',
      retryAt: 0,
    };
    await alarms.proved({ ...quietProof, unproven: 2, unprovenForADay: 2, oldestUnproven });
    expect(announced[0]?.detail).toBe('Hearing loss (3) 4.12 and 1 more: the catalogue does not serve it.');
    expect(said()).toEqual(['versions-unproven alarm']);
    await alarms.proved(quietProof);
    expect(said()).toEqual(['versions-unproven ok']);
  });

  test('report events that were corrected, for an hour', async () => {
    const { alarms, clock, announced, said } = opened();
    await alarms.proved({ ...quietProof, corrected: 2 });
    expect(announced[0]?.detail).toBe('2 events were corrected.');
    await alarms.proved(quietProof);
    expect(said()).toEqual(['events-corrected alarm']);
    clock.pass(61 * 60_000);
    await alarms.proved(quietProof);
    expect(said()).toEqual(['events-corrected ok']);
  });

  test('report runs that fail for an hour, and that they work again', async () => {
    const { alarms, clock, said } = opened();
    for (let minute = 0; minute < 59; minute += 1) {
      await alarms.proofFailed(new Error('The catalogue answered 503.'));
      clock.pass(60_000);
    }
    expect(said()).toEqual([]);
    clock.pass(60_000);
    await alarms.proofFailed(new Error('The catalogue answered 503.'));
    expect(said()).toEqual(['proofs-failing alarm']);
    await alarms.proved(quietProof);
    expect(said()).toEqual(['proofs-failing ok']);
  });

  test('report that a catalogue serves no states any more, and none where it never did', async () => {
    const { alarms, said } = opened();
    await alarms.proved({ ...quietProof, outcome: 'paused', why: 'off', percent: null });
    expect(said()).toEqual([]);
    const off: ProofReport = { ...quietProof, statesOff: true };
    await alarms.proved(off);
    await alarms.proved(off);
    expect(said()).toEqual(['versions-unproven alarm']);
    await alarms.proved(quietProof);
    expect(said()).toEqual(['versions-unproven ok']);
  });
});
