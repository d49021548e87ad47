import { ServiceError } from '../../lambdas/catalogue/http/service-error.ts';
import { comparePanel } from '../../lambdas/differences/compare.ts';
import type { Difference } from '../../lambdas/differences/difference.ts';
import {
  compareInOrder,
  compareVersions,
  inOrder,
  isBeforeVersion,
  timeOf,
  versionNumbers,
} from '../../lambdas/events/order.ts';
import { type PanelEvent, typeName } from '../../lambdas/events/schemas.ts';
import { withoutCorrected } from '../../lambdas/events/summary.ts';
import { type Archive, ArchivePaused } from '../../lambdas/panels/archive.ts';
import { byBeginning } from '../../lambdas/panels/panel-versions.ts';
import { shownState } from '../../lambdas/panels/state-facts.ts';
import type { VersionState, VersionSummary } from '../../lambdas/panels/version-state.ts';
import type { Answered } from '../../lambdas/reconcile/proof-options.ts';
import { begunAnewAfter } from '../../lambdas/reconcile/set-back.ts';
import { earlier, type Instant, instantOf, minutes, parseInstant } from '../../lambdas/run/instant.ts';
import type { PanelDetails } from '../../sandbox/catalogue/content.ts';
import type { PublishedAction } from '../../sandbox/catalogue/made-up.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { brokenChains } from '../oracle/broken-chains.ts';
import { createTestClock } from '../run/test-clock.ts';
import { holdAgainstDetails } from './hold-against-details.ts';
import { createLiar, type Liar, type LieKind, lieKinds, lies } from './lies.ts';
import { type ObservedLists, observeLists } from './observed-lists.ts';
import { type ObservedPanels, observePanels } from './observed-panels.ts';
import { archiveWith, openProvingHarness, type ProvingHarness } from './proving-harness.ts';

/**
 * Curators and administrators act, panels are promoted and signed off within minutes, hidden and shown, versions are set back,
 * rows arrive late, and runs are killed. The catalogue lies for minutes or hours: in its listings, its sign-offs and its states.
 * No person asks for a proof. At the end each version that was public is proven or named, each difference was published once, and what
 * is false was not published, or was corrected.
 */

/** What went wrong in a run; all lists are empty where nothing did. */
interface StatesRun {
  /** Public versions that are neither kept with a proof nor named as unproven. */
  readonly forgotten: readonly string[];
  /** Differences that were published more than once, or with two bodies. */
  readonly repeated: readonly string[];
  /** Published differences that the version they name does not show. */
  readonly untrue: readonly string[];
  /** What readers of all events know otherwise than the newest state shows. */
  readonly missed: readonly string[];
  /** Instants for which `at` returned something else than the panel held. */
  readonly wrongStates: readonly string[];
  /** Events that state another rating before than the event before them led to. */
  readonly contradicted: readonly string[];
  /** Values of events that the archive denies. */
  readonly denied: readonly string[];
  /** How many values were held against the archive. */
  readonly values: number;
  readonly crashes: number;
  /** Versions that are kept. */
  readonly versions: number;
  /** Public versions that began after the baseline. */
  readonly begun: number;
  readonly silent: number;
  readonly unproven: number;
  /** False events that no lie of hours excuses, or that no later event corrected. */
  readonly falseEvents: readonly string[];
  /** What `doctor` says more than what is kept. */
  readonly overstated: readonly string[];
  /** False events that were published and corrected. */
  readonly corrected: number;
  /** Requests for states after the baseline, and of the last quiet day. */
  readonly stateRequests: number;
  readonly quietRequests: number;
  /** How many answers were lies, by kind. */
  readonly lies: ReadonlyMap<LieKind, number>;
}

class Crash extends Error {}

const silentKinds = [
  'rate a gene as administrator',
  'rate a gene in the database',
  'delete a gene silently',
  'approve a gene',
  'approve a region',
  'replace the symbol of a gene silently',
  'rename a tag',
  'delete a tag',
  'edit the name silently',
  'promote a super panel silently',
];
const visibilityKinds = ['make internal silently', 'make public silently'];
const BEGINNING_MS = Date.UTC(2026, 10, 20, 9);
const LOG_FOLLOWED_SINCE: Instant = instantOf(BEGINNING_MS);
const MOST_PANELS = 60;
const MINUTE = 60_000;
const MOST_MINUTES_LATE = 10;
/** More than a proof of all panels takes; who asks for the same in each turn does not come to an end. */
const MOST_TURNS = 200;

/** What a simulated run is like. */
export interface SimulationOptions {
  readonly isLying?: boolean;
  /** Whether a person moves the mark back meanwhile, so that rows are published again. */
  readonly movesMark?: boolean;
  /** Whether a proof may ask for few states at a time, as between two polls of `watch`. */
  readonly inTurns?: boolean;
  /** Whether a curator works on one panel for minutes, as in life, so that most versions last no longer; else each acts on another one. */
  readonly inSessions?: boolean;
}

/** Runs a catalogue and a notifier with its proofs, and examines what was published and kept. */
export async function simulateStates(
  seed: number,
  crashRate = 0.01,
  { isLying = false, movesMark = false, inTurns = false, inSessions = false }: SimulationOptions = {},
): Promise<StatesRun> {
  const random = seededRandom(seed * 7 + 1);
  // Of their own, so that a seed has the same actions with and without faults.
  const [faults, signOffs] = [seededRandom(seed * 11 + 3), seededRandom(seed * 13 + 5)];
  const [liarChance, moves] = [seededRandom(seed * 17 + 7), seededRandom(seed * 19 + 11)];
  const [turns, sessions] = [seededRandom(seed * 23 + 13), seededRandom(seed * 29 + 17)];
  const clock = createTestClock({ now: BEGINNING_MS });
  const liar = createLiar(clock.now);
  const { distort } = liar;
  const catalogue = await startCatalogue({ clock, seed, history: 60, ties: 'fixed', distort });
  let calm = true;
  let crashes = 0;
  const harness = openProvingHarness({
    readsSignOffs: true,
    ...(isLying && { sameChangePercent: 20 }),
    url: catalogue.url,
    // Events of one time are ordered by their ids: a seed must give the same ones each time.
    source: 'https://catalogue.example/api/v1/',
    clock,
    step: (name) => {
      if (calm || random() >= crashRate) return;
      crashes += 1;
      throw new Crash(name);
    },
  });
  try {
    const { details } = catalogue;
    if (!details) throw new Error('the catalogue serves no states');
    const observed = observePanels(details, MOST_PANELS);
    const lists = observeLists(details, MOST_PANELS);
    const look = (): void => {
      observed.look(instantOf(clock.now()));
      lists.look(instantOf(clock.now()));
    };
    let stateRequests = 0;
    catalogue.onRequest(({ path }) => {
      if (/\/panels\/\d+\//.test(path)) stateRequests += 1;
    });
    /** When each message was accepted, in milliseconds since the epoch. */
    const acceptedAt: number[] = [];
    const noteAccepted = (): void => {
      while (acceptedAt.length < harness.accepted.length) acceptedAt.push(clock.now());
    };
    const pick = (kinds: readonly string[]): string => kinds[Math.floor(random() * kinds.length)] ?? '';
    const act = (): PublishedAction => {
      const what = random();
      // Who saves beside another curator of the panel waits for seconds: beyond minutes, only times order what happened.
      const mostLate = inSessions ? 2 : MOST_MINUTES_LATE;
      const lateMs = random() < 0.15 ? Math.floor(random() * mostLate * MINUTE) : 0;
      const kind =
        what < 0.3
          ? pick(silentKinds)
          : what < 0.38
            ? pick(visibilityKinds)
            : what < 0.4
              ? 'set the version back silently'
              : undefined;
      try {
        return catalogue.act({ lateMs, ...(kind !== undefined && { kind }) });
      } catch {
        return catalogue.act();
      } finally {
        look();
      }
    };
    const run = async (work: () => Promise<unknown>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        // A maintenance page in place of a list ends a run; the next one goes on.
        if (!(error instanceof Crash) && !(error instanceof ServiceError)) throw error;
      } finally {
        catalogue.clearFaults();
        noteAccepted();
      }
    };
    /** What a turn leaves to the next one, until the process dies. */
    let lastAnswers: { answers: readonly Answered[] } = { answers: [] };
    const prove = async (): Promise<void> => {
      if (!inTurns) return void (await harness.prove());
      const { archive } = harness;
      try {
        for (let times = 0; times < MOST_TURNS; times += 1) {
          let left = 1 + Math.floor(turns() * 3);
          const read: Archive['read'] = async (panelId, version) => {
            if (left === 0) throw new ArchivePaused('out-of-time', null);
            left -= 1;
            return await archive.read(panelId, version);
          };
          const { why } = await harness.prove({ archive: archiveWith(archive, { read }), lastAnswers });
          if (why !== 'out-of-time') return;
          clock.pass(Math.floor(turns() * MINUTE));
        }
      } catch (error) {
        lastAnswers = { answers: [] };
        throw error;
      }
    };
    /** A curator works on a panel that somebody acted on, as long as it is shown. */
    const workOn = (panel: number): void => {
      for (let acts = Math.floor(sessions() * 12); acts > 0; acts -= 1) {
        clock.pass(Math.floor(sessions() * 3 * MINUTE));
        try {
          catalogue.act({ panel });
        } catch {
          return;
        }
        look();
      }
    };
    /** Some panels are promoted and signed off within minutes. */
    const signOff = (): void => {
      if (signOffs() >= 0.3) return;
      const { panel } = catalogue.act({ kind: 'promote a panel' });
      look();
      clock.pass(Math.floor(signOffs() * 3 * MINUTE));
      try {
        catalogue.act({ kind: 'sign off the present version', panel: panel.id });
      } catch {
        // A panel that is hidden is not signed off.
      }
      look();
    };
    /** The next answers are maintenance pages, or 404 as where a panel is hidden. */
    const disturb = (): void => {
      const what = faults();
      const times = 1 + Math.floor(faults() * 8);
      if (what < 0.1) catalogue.fail({ kind: 'html' }, { times, path: 'v1/panels/' });
      else if (what < 0.2) catalogue.fail({ kind: 'status', status: 404 }, { times, path: 'v1/panels/1' });
    };

    /** The catalogue lies for some minutes, or for hours. */
    const lie = (): void => {
      if (!isLying || liarChance() >= 0.25) return;
      const kind = lieKinds[Math.floor(liarChance() * lieKinds.length)] ?? 'no panels';
      const lastsHours = liarChance() < 0.25;
      liar.begin(kind, Math.floor((lastsHours ? 70 + liarChance() * 150 : 5 + liarChance() * 50) * MINUTE));
    };

    look();
    await harness.poll();
    await harness.sweep();
    await harness.readSignOffs();
    await harness.prove();
    stateRequests = 0;
    calm = false;
    for (let round = 0; round < 14; round += 1) {
      clock.pass(Math.floor(random() * 80 * MINUTE));
      for (let acts = Math.floor(random() * 5); acts > 0; acts -= 1) {
        clock.pass(Math.floor(random() * 3 * MINUTE));
        const { panel } = act();
        if (inSessions) workOn(panel.id);
      }
      signOff();
      lie();
      if (movesMark && moves() < 0.25)
        await harness.moveMarkBack(BigInt(Math.floor(moves() * 6 * 60)) * minutes(1));
      if (random() < 0.8) await run(harness.poll);
      disturb();
      if (random() < 0.7) await run(harness.sweep);
      await run(harness.readSignOffs);
      disturb();
      if (random() < 0.7) await run(prove);
    }
    calm = true;
    catalogue.clearFaults();
    liar.begin('no panels', 0);
    let isRefused = false;
    const rest = async (hours: readonly number[]): Promise<void> => {
      for (const each of hours) {
        clock.pass(each * 60 * MINUTE);
        await harness.poll();
        isRefused = (await harness.sweep()).outcome === 'refused';
        await harness.readSignOffs();
        await prove();
        noteAccepted();
      }
    };
    // What waits for a second reading, or for a day, is read then.
    await rest([1, 2, 25, 2, 2]);
    const unread = await unreadOf(harness, observed);
    // A listing that lacks many panels stays refused until a person accepts it.
    if (isRefused) {
      await harness.sweep(true);
      await rest([2, 25]);
    }
    // What undoes a lie is read again after a day, too.
    if (isLying) await rest([25, 25]);
    const requests = stateRequests;
    await rest([6, 6, 6, 6]);
    const quietRequests = stateRequests - requests;
    const listingLied = liar.past.some(({ kind }) => lies[kind].of.some((part) => part === 'panels'));
    const examined = await examine(harness, { observed, details, random, isLying, listingLied });
    return {
      ...examined,
      forgotten: [...unread, ...examined.forgotten],
      ...(await examineLies({ harness, observed, lists, liar, acceptedAt })),
      lies: liar.answers,
      stateRequests: requests,
      quietRequests,
      crashes,
    };
  } finally {
    await harness.close();
    await catalogue.close();
  }
}

/** The versions that public panels have and that are neither kept nor named. */
async function unreadOf({ states, unproven }: ProvingHarness, observed: ObservedPanels): Promise<string[]> {
  const named = await unproven();
  const unread: string[] = [];
  for (const id of observed.ids()) {
    const newest = observed.versionsOf(id).at(-1);
    if (!newest || !observed.isPublic(id)) continue;
    const isThis = ({ version }: Pick<VersionSummary, 'version'>): boolean => version === newest.version;
    const isNamed = named.some((one) => one.panelId === id && isThis(one));
    const isKept = (await states.versions(id)).some(
      (one) => isThis(one) && one.validFrom >= newest.validFrom,
    );
    if (!isNamed && !isKept) unread.push(`${id} ${newest.version}, which it has now`);
  }
  return unread;
}

async function examine(
  harness: ProvingHarness,
  {
    observed,
    details,
    random,
    isLying,
    listingLied,
  }: {
    readonly observed: ObservedPanels;
    readonly details: PanelDetails;
    readonly random: () => number;
    readonly isLying: boolean;
    readonly listingLied: boolean;
  },
): Promise<Omit<StatesRun, 'crashes' | keyof Lied>> {
  const { states } = harness;
  const forgotten: string[] = [];
  const missed: string[] = [];
  const wrongStates: string[] = [];
  const untrue: string[] = [];
  const named = new Set((await harness.unproven()).map(({ panelId, version }) => `${panelId} ${version}`));
  let [versions, begun] = [0, 0];
  const { accepted, repeated } = acceptedEvents(harness);
  for (const id of observed.ids()) {
    const kept = await states.versions(id);
    const [first] = kept;
    if (!first) {
      // It may have been public between two runs.
      if (observed.isPublic(id)) forgotten.push(`panel ${id}`);
      continue;
    }
    const proven = new Set(
      kept.filter(({ proof }) => proof.kind !== 'unproven').map(({ version }) => version),
    );
    versions += kept.length;
    begun += observed.versionsOf(id).filter(({ seenAt }) => seenAt > LOG_FOLLOWED_SINCE).length;
    for (const [index, { version, validFrom }] of observed.versionsOf(id).entries()) {
      // A version that was set back between two runs is nowhere to be seen.
      if (
        observed
          .versionsOf(id)
          .slice(index)
          .some((later) => isBeforeVersion(later.version, version))
      )
        continue;
      if (validFrom < first.validFrom || proven.has(version) || named.has(`${id} ${version}`)) continue;
      if (isNamedByBreak(kept, { version, validFrom })) continue;
      // Nothing lists a version to which a panel was set back while the listing lied.
      const before = observed.versionsOf(id)[index - 1];
      if (before && isBeforeVersion(version, before.version) && listingLied) continue;
      forgotten.push(`${id} ${version}`);
    }
    const own = accepted.filter(({ data }) => data.panel?.id === id);
    const isSuper = kept.some(({ childPanels }) => childPanels.length > 0);
    for (const event of own) {
      const fault = isSuper || isLying ? null : untruthOf(event, observed);
      if (fault) untrue.push(fault);
    }
    const newest = await states.newest(id);
    if (!isSuper && newest && newest.proof.kind !== 'unproven') {
      // What a lie showed is no state to begin with, nor what is older than what was observed.
      const isKnown = (one: VersionState): boolean =>
        observed.contentsOf(id, one.version).length > 0 && isTrue(one, observed);
      const readings = (harness.readings.get(id) ?? []).filter((one) => !isLying || isKnown(one));
      const beginnings = observed.versionsOf(id).map(({ validFrom }) => validFrom);
      // Who orders events by time takes a correction in place of what it corrects: it may stand elsewhere.
      missed.push(...missedOf({ readings, newest, versions: kept, beginnings }, withoutCorrected(own)));
    }
    const all = observed.versionsOf(id);
    const firstRead = harness.readings.get(id)?.[0]?.readAt ?? 0n;
    // The archive no longer has the numbers that a panel had before it was set back: nothing shows what it held before it was first read.
    const isUnknowable = all.some(({ version, seenAt }, index) => {
      const before = all[index - 1];
      return before !== undefined && seenAt <= firstRead && isBeforeVersion(version, before.version);
    });
    for (let times = 0; times < 6; times += 1) {
      const [from, to] = [all[0]?.seenAt ?? 0n, all.at(-1)?.seenAt ?? 0n];
      const instant = from + BigInt(Math.floor(random() * Number(to - from + 1n)));
      const state = await states.at(id, instant);
      if (isUnknowable && instant < firstRead) continue;
      // Nothing shows what a lie hid of a version before its panel was set back, nor that it had a lower number for a while.
      const later = state ? observed.versionsOf(id).filter((one) => one.validFrom > state.validFrom) : [];
      const isBack = state !== null && later.some((one) => !isBeforeVersion(state.version, one.version));
      if (isBack && (isLying || state.version !== observed.at(id, instant)?.version)) continue;
      if (isOverwritten(id, instant, { observed, stated: own })) continue;
      const fault = state && wrongState(state, instant, observed);
      if (fault) wrongStates.push(fault);
    }
  }
  const silent = accepted.filter(isSnapshot).length;
  const setBack = new Set(observed.ids().filter((id) => wasSetBack(observed, id)));
  // A super panel may have one entity from several of its panels.
  const supers = new Set(
    (await states.panels()).flatMap(({ panelId, childPanels }) => (childPanels.length > 0 ? [panelId] : [])),
  );
  const isKnowable = ({ panel }: PanelEvent['data']): boolean =>
    !setBack.has(panel?.id ?? 0) && !supers.has(panel?.id ?? 0);
  // What a lie led to is examined by itself: what undoes it leads away from what was so before.
  const contradicted = isLying
    ? []
    : brokenChains(harness.accepted.filter(({ body }) => isKnowable(JSON.parse(body).data)));
  const { denied: deniedBy, values } = holdAgainstDetails({
    events: accepted,
    details,
    panelIds: observed.ids().filter((id) => !setBack.has(id)),
    since: BEGINNING_MS,
  });
  const denied = isLying ? [] : deniedBy;
  const counts = { versions, begun, silent, values, unproven: named.size };
  return { forgotten, repeated, untrue, missed, wrongStates, contradicted, denied, ...counts };
}

interface Lied {
  readonly falseEvents: readonly string[];
  readonly overstated: readonly string[];
  readonly corrected: number;
  readonly stateRequests: number;
  readonly quietRequests: number;
  readonly lies: ReadonlyMap<LieKind, number>;
}

interface Liars {
  readonly harness: ProvingHarness;
  readonly observed: ObservedPanels;
  readonly lists: ObservedLists;
  readonly liar: Liar;
  readonly acceptedAt: readonly number[];
}

const HOUR = 60 * MINUTE;

/** What was published of lies, and what `doctor` says of what is kept. */
async function examineLies({
  harness,
  observed,
  lists,
  liar,
  acceptedAt,
}: Liars): Promise<Pick<Lied, 'falseEvents' | 'overstated' | 'corrected'>> {
  const falseEvents: string[] = [];
  let corrected = 0;
  const times = new Map<string, number>();
  for (const [index, { id }] of harness.accepted.entries())
    if (!times.has(id)) times.set(id, acceptedAt[index] ?? 0);
  const { accepted } = acceptedEvents(harness);
  const superPanels = new Set(
    (await harness.states.panels()).flatMap(({ panelId, childPanels }) =>
      childPanels.length > 0 ? [panelId] : [],
    ),
  );
  for (const [index, event] of accepted.entries()) {
    const at = times.get(event.id) ?? 0;
    const isOfState = isSnapshot(event) && event.data.entity !== null;
    const isSuper = typeof event.data.panel?.id === 'number' && superPanels.has(event.data.panel.id);
    const untruth = isOfState ? (isSuper ? null : untruthOf(event, observed)) : lists.untruthOf(event);
    if (!untruth) continue;
    // A list is believed once a second reading an hour later shows the same; a state is corrected later.
    const lastedMs = (kind: LieKind): number => (isOfState || kind === 'the panels of before' ? 0 : HOUR);
    const isExcused = liar.past.some(
      ({ kind, from, until }) => from <= at && Math.min(at, until) - from >= lastedMs(kind),
    );
    const isCorrected =
      (!isOfState && lists.isSo(event)) ||
      accepted.some(
        (other, place) =>
          // Readers who order events by their place end where the last one leads; a gene may be removed and added under two names.
          (place > index || compareInOrder(event, other) < 0 || isAddedBeside(event, other)) &&
          other.data.panel?.id === event.data.panel?.id &&
          isSameEntity(other.data.entity, event.data.entity),
      );
    if (isExcused && isCorrected) corrected += 1;
    else falseEvents.push(`${isExcused ? 'never corrected' : 'too early'}: ${event.type} ${untruth}`);
  }
  falseEvents.push(...lists.leftFalse(accepted).map((one) => `left: ${one}`));
  for (const { panelId, readAt, sha256, proof, version, childPanels } of await harness.states.panels()) {
    const truth = observed.seenAt(panelId, readAt);
    if (childPanels.length > 0 || !observed.isPublic(panelId) || truth === undefined || truth === sha256)
      continue;
    if (proof.kind !== 'unproven' && proof.kind !== 'baseline')
      falseEvents.push(`kept: ${panelId} ${version} ${proof.kind}`);
  }
  const said = await harness.completeness();
  const [, proven = 'none'] = /(\d+) of \d+ panel versions/.exec(said) ?? [];
  let kept = 0;
  for (const { panelId } of await harness.states.panels()) {
    const versions = await harness.states.versions(panelId);
    kept += versions.filter(({ proof }) => proof.kind !== 'unproven').length;
  }
  const overstated = Number(proven) <= kept ? [] : [`${said} (${kept})`];
  return { falseEvents, overstated, corrected };
}

/** Whether two events of a panel are about one entity: a gene may have got another symbol. */
const isSameEntity = (one: PanelEvent['data']['entity'], other: PanelEvent['data']['entity']): boolean =>
  one?.name === other?.name || (one?.hgncId !== undefined && one.hgncId === other?.hgncId);

const isAddedBeside = ({ time }: PanelEvent, other: PanelEvent): boolean =>
  other.time === time && other.type === 'gene-panel.entity.added.v1';

/** The archive keeps the last version of a number alone: what others followed is unknown. */
const wasSetBack = (observed: ObservedPanels, id: number): boolean =>
  observed
    .versionsOf(id)
    .some(({ version }, index, all) => isBeforeVersion(version, all[index - 1]?.version ?? null));

/** Where the numbers of a panel went back, the baseline names the version before: what came between is not proven, and no state of it is shown. */
const isNamedByBreak = (
  kept: readonly VersionSummary[],
  { version, validFrom }: Pick<VersionSummary, 'version' | 'validFrom'>,
): boolean =>
  kept.some((anew) => {
    const after = begunAnewAfter(anew);
    if (after === undefined || validFrom >= anew.validFrom) return false;
    const last = kept.findLast((one) => one.version === after && one.validFrom < anew.validFrom);
    const isKept = kept.some((one) => one.version === version && one.validFrom === validFrom);
    return isKept || (last !== undefined && byBeginning(last, { version, validFrom }) < 0);
  });

const isSnapshot = ({ data: { change } }: PanelEvent): boolean =>
  'via' in change && change.via === 'snapshot';

/** Events in the order in which they were accepted first, and those of one difference that were accepted twice. */
function acceptedEvents({ accepted }: ProvingHarness): {
  readonly accepted: readonly PanelEvent[];
  readonly repeated: readonly string[];
} {
  const bodies = new Map<string, string>();
  const repeated: string[] = [];
  for (const { id, body } of accepted) {
    const before = bodies.get(id);
    if (before !== undefined && before !== body) repeated.push(`two bodies: ${body}`);
    if (before === undefined) bodies.set(id, body);
  }
  const events = [...bodies.values()].map((body) => JSON.parse(body) as PanelEvent);
  const said = new Set<string>();
  for (const { type, time, data } of events.filter(isSnapshot)) {
    const difference = JSON.stringify([
      type,
      time,
      data.panel?.id,
      data.panel?.version,
      data.entity,
      data.change,
      // What corrects a correction may say again what came first.
      data.corrects,
    ]);
    if (said.has(difference)) repeated.push(difference);
    said.add(difference);
  }
  return { accepted: events, repeated };
}

/** An event that nothing shows of what the panel held at the version that it names. */
function untruthOf(event: PanelEvent, observed: ObservedPanels): string | null {
  const { panel, entity, change, summary } = event.data;
  if (!isSnapshot(event) || typeof panel?.id !== 'number' || !panel.version || !entity) return null;
  const found = observed.contentsOf(panel.id, panel.version);
  const isShown = found.some((state) => {
    const shown = state.entities.filter(
      ({ type, name, hgncId }) =>
        type === entity.type && (name === entity.name || (hgncId !== null && hgncId === entity.hgncId)),
    );
    switch (event.type) {
      case 'gene-panel.entity.classified.v1':
        return shown.some(({ rating }) => 'to' in change && rating === change.to);
      case 'gene-panel.entity.removed.v1':
        return shown.length === 0;
      default:
        return shown.length > 0;
    }
  });
  return isShown ? null : `${panel.id} ${panel.version}: ${summary}`;
}

/** Whether a state shows what its panel held. */
function isTrue(
  { panelId, source, readAt, sha256, ...version }: VersionState,
  observed: ObservedPanels,
): boolean {
  const truth = source === 'present' ? observed.seenAt(panelId, readAt) : observed.endOf(panelId, version);
  return truth === undefined || truth === sha256;
}

interface Readings {
  /** Every state that was read, in the order of the readings. */
  readonly readings: readonly VersionState[];
  readonly newest: VersionState;
  readonly versions: readonly VersionSummary[];
  /** When the public versions of the panel truly began: one of them may never have been read. */
  readonly beginnings: readonly Instant[];
}

/** Ratings, names and entities of the newest state to which the events since the first reading do not lead. */
function missedOf(
  { readings, newest, versions, beginnings }: Readings,
  events: readonly PanelEvent[],
): readonly string[] {
  /** When a version ended. That may be unknown: at the latest when the next known version began. */
  const endOf = (version: string | null | undefined, at: Instant): Instant | undefined => {
    // What was found of an entity after its rows is a little later than the beginning of the version.
    const index = versions.findLastIndex((one) => one.version === version && one.validFrom <= at);
    const own = versions[index];
    if (!own) return undefined;
    const kept = own.validTo ?? versions[index + 1]?.validFrom;
    if (kept === undefined) return own.readAt;
    const next = beginnings.find((one) => one > own.validFrom) ?? kept;
    return earlier(kept, next) - 1n;
  };
  /** When an event became true at the latest: states show a version at its end. */
  const trueAt = (event: PanelEvent): bigint => {
    const at = parseInstant(event.time) ?? 0n;
    return isSnapshot(event) ? (endOf(event.data.panel?.version, at) ?? at) : at;
  };
  /** Of when a state is: the archive shows a version at its end, or as it was when it was read before that. */
  const shownAt = ({ source, version, validFrom, readAt }: VersionState): Instant =>
    source === 'archive' ? earlier(endOf(version, validFrom) ?? readAt, readAt) : readAt;
  // Nothing is published of before the log was followed.
  const first = readings.find((reading) => shownAt(reading) >= LOG_FOLLOWED_SINCE);
  if (!first) return [];
  const firstAt = shownAt(first);
  // A row is stamped up to this long before it becomes visible.
  const late = minutes(MOST_MINUTES_LATE);
  const since = events
    .map((event) => ({ event, at: trueAt(event) }))
    .filter(({ event, at }) =>
      // What was found of a version that ended before that of the first state is in that state.
      isSnapshot(event) ? at >= first.validFrom : at > firstAt - late && at <= newest.readAt,
    )
    .sort(
      (one, other) =>
        Number(one.at - other.at) ||
        Number(isSnapshot(one.event)) - Number(isSnapshot(other.event)) ||
        compareInOrder(one.event, other.event),
    );
  const differencesAfter = (among: readonly PanelEvent[]): readonly Difference[] =>
    comparePanel({
      before: shownState(first),
      events: among,
      after: shownState(newest),
      via: 'snapshot',
    }).differences;
  const isSeen = ({ event, at }: (typeof since)[number]): boolean =>
    isSnapshot(event) || (at > firstAt && at <= newest.readAt - late);
  const isEarly = ({ event, at }: (typeof since)[number]): boolean => !isSnapshot(event) && at <= firstAt;
  // Each reading may have been before the rows that were stamped shortly before it, or after them.
  const [differences = [], ...others] = [
    since.filter((one) => !isEarly(one)),
    since,
    since.filter(isSeen),
    since.filter((one) => isEarly(one) || isSeen(one)),
  ]
    .map((among) => among.map(({ event }) => event))
    .flatMap((among) => {
      // What a state showed became true at the end of its version at the latest, and at its beginning at the earliest.
      const byTime = inOrder(among);
      // A row may be stamped before those of the version before it.
      return [among, byTime, byTime.toSorted(byVersion)];
    })
    .map(differencesAfter);
  return differences
    .filter((one) =>
      others.every((moment) =>
        moment.some(({ kind, entity }) => kind === one.kind && entity?.name === one.entity?.name),
      ),
    )
    .filter(({ change }) => {
      // What a row adds without a rating is red, or unrated.
      const isUsual =
        'direction' in change && change.direction === 'new' && /^(?:red|none)$/.test(change.to ?? '');
      return !isUsual;
    })
    .filter((one) => !events.some((event) => isListedLater(event, one, newest)))
    .map(
      ({ kind, entity, change }) =>
        `${first.panelId} ${newest.version} ${kind} ${entity?.name} ${JSON.stringify(change)}`,
    );
}

function byVersion(one: PanelEvent, other: PanelEvent): number {
  const numbersOf = ({ data: { panel } }: PanelEvent) =>
    versionNumbers(panel?.version ?? '') ?? ([0, 0] as const);
  return compareVersions(numbersOf(one), numbersOf(other));
}

/**
 * Whether a listing that was read after a state publishes a difference that the state shows: its time is when the listing was
 * read, and the change is older.
 */
function isListedLater(
  { type, time, data }: PanelEvent,
  { kind, entity, change }: Difference,
  newest: VersionState,
): boolean {
  const isListed = 'via' in data.change && data.change.via === 'listing';
  if (!isListed || (parseInstant(time) ?? 0n) <= newest.readAt || type !== typeName(kind)) return false;
  const ratingOf = (one: object): unknown => ('to' in one ? one.to : null);
  return data.entity?.name === entity?.name && ratingOf(data.change) === ratingOf(change);
}

/**
 * Whether a panel had a version whose number it got again later, after it was set back, and no event speaks of the first: the archive
 * serves only the second.
 */
function isOverwritten(
  id: number,
  instant: bigint,
  { observed, stated }: { readonly observed: ObservedPanels; readonly stated: readonly PanelEvent[] },
): boolean {
  const own = observed.at(id, instant);
  if (!own) return false;
  const later = observed.versionsOf(id).filter(({ validFrom }) => validFrom > own.validFrom);
  if (!later.some(({ version }) => version === own.version)) return false;
  const end = later[0]?.validFrom ?? instant;
  return !stated.some(
    (event) =>
      event.data.panel?.version === own.version && timeOf(event) >= own.validFrom && timeOf(event) < end,
  );
}

/** What a kept state says of an instant otherwise than it was. */
function wrongState(state: VersionState, instant: Instant, observed: ObservedPanels): string | null {
  const { panelId, version } = state;
  const there = observed.at(panelId, instant);
  if (!there) return null;
  // Within a minute of a new version, the look at the catalogue may have been before or after it.
  if (there.version !== version && state.validTo !== null && instant + 60_000_000n < state.validTo)
    return `${panelId} at ${instant}: ${version} in place of ${there.version}`;
  // A super panel is archived after the change of its panel that began the next version.
  if (state.childPanels.length > 0) return null;
  // A lie that is the first thing known of a panel is found out with its next version; what nothing proves is named so.
  const isOpen = state.proof.kind === 'baseline' || state.proof.kind === 'unproven';
  return isOpen || isTrue(state, observed) ? null : `${panelId} ${version}: another content`;
}
