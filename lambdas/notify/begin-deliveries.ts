import { settingsOf } from '../channels/channel-settings.ts';
import { inOrder } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../run/clock.ts';
import { type AheadOfUtc, aheadOfUtc, instantsShowing } from '../run/instant.ts';
import type { DigestPeriod } from '../words/notice-of-digest.ts';
import { isSignOff, withoutCompleted } from '../words/sign-off-words.ts';
import type { StatesOf } from './background.ts';
import { isComparable } from './compare-sign-off.ts';
import type { Waiting } from './delivery.ts';
import type { Outbox, Recipient } from './outbox.ts';
import { type DigestTimes, type Subscription, weekdays } from './subscription.ts';

const LARGEST_MESSAGE = 1_000;

/** How long a sign-off waits for what its versions hold, in milliseconds: they are read at a slow pace. */
const LONGEST_AWAITED = 6 * 60 * MINUTE_MS;

/** How long a sign-off waits for the list that says which version, in milliseconds: each sweep reads it. */
const LONGEST_UNNAMED = 75 * MINUTE_MS;

interface BeginOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly statesOf?: StatesOf | undefined;
}

/** A recipient whose deliveries are begun, and the events that wait in its outbox. */
interface Beginning extends Required<BeginOptions> {
  readonly outbox: Outbox;
  readonly waiting: readonly Waiting[];
  readonly statesOf: StatesOf;
}

/** Begins the deliveries that are due: each takes its events from those that wait in the recipient's outbox. */
export async function beginDeliveries(
  { subscription, channel, outbox }: Recipient,
  { clock, statesOf = () => null }: BeginOptions,
): Promise<void> {
  const beginning = { outbox, clock, statesOf, waiting: await outbox.waiting() };
  const { when, zone } = subscription;
  if (when.kind === 'digest') {
    if (subscription.whenSignedOff) await beginUrgent(beginning);
    return beginDigest(beginning, when, zone);
  }
  // A webhook feeds a program, which wants every event as it comes.
  if (settingsOf(channel.kind).takes === 'events') {
    for (const one of beginning.waiting) {
      if (await awaitsStates([one], beginning)) continue;
      await outbox.begin({ kind: 'events', events: [one.event.id] }, clock.now());
    }
    return;
  }
  const due: (readonly Waiting[])[] = [];
  for (const ofPanel of settledPanels(beginning.waiting, when.settleMinutes, clock)) {
    if (!awaitsVersion(ofPanel, clock) && !(await awaitsStates(ofPanel, beginning))) due.push(ofPanel);
  }
  if (due.length === 0) return;
  if (when.settleMinutes < BUNDLE_MINUTES && (await isBundled(due, beginning))) return;
  if (await beginBurst(due, beginning)) return;
  for (const ofPanel of due) await beginOfPanel(ofPanel, beginning);
}

async function awaitsStates(
  waiting: readonly Waiting[],
  { clock, statesOf }: Pick<Beginning, 'clock' | 'statesOf'>,
): Promise<boolean> {
  for (const { at, event } of waiting) {
    if (!isSignOff(event) || clock.now() >= at + LONGEST_AWAITED) continue;
    const options = { statesOf, history: null, now: clock.now() };
    if (statesOf(event.data.catalogue) && !(await isComparable(event, options))) return true;
  }
  return false;
}

/** Whether a message would name a sign-off without its version, which the list of signed-off versions may still give. */
function awaitsVersion(waiting: readonly Waiting[], clock: Pick<Clock, 'now'>): boolean {
  const unnamed = new Set(
    withoutCompleted(inOrder(waiting.map(({ event }) => event))).filter(
      (event) => isSignOff(event) && event.data.change.signedOff && !versionOf(event),
    ),
  );
  return waiting.some(({ at, event }) => unnamed.has(event) && clock.now() < at + LONGEST_UNNAMED);
}

const versionOf = ({ data: { change } }: PanelEvent<'panel.signed-off'>): string | undefined =>
  change.signedOffVersion ?? change.version;

/** So many messages a minute go out at once, where a subscription asks for no time to settle. */
const FEW_MESSAGES = 5;
/** The minutes for which the changes beyond them are collected. */
export const BUNDLE_MINUTES = 5;

/** The waiting events of each panel whose time to settle is over. */
const settledPanels = (
  waiting: readonly Waiting[],
  minutes: number,
  clock: Pick<Clock, 'now'>,
): readonly (readonly Waiting[])[] =>
  [...Map.groupBy(waiting, ({ event }) => panelKey(event)).values()].filter(
    (ofPanel) => clock.now() >= Math.min(...ofPanel.map(({ at }) => at)) + minutes * MINUTE_MS,
  );

/** The minutes for which changes are collected that do not wait for their digest. */
const URGENT_MINUTES = 60;

/** What is signed off as green and is so no longer does not wait for a digest: patients are tested by it today. */
async function beginUrgent(beginning: Beginning): Promise<void> {
  const urgent = beginning.waiting.filter(({ event }) => !isSignOff(event));
  for (const ofPanel of settledPanels(urgent, URGENT_MINUTES, beginning.clock))
    await beginOfPanel(ofPanel, beginning);
}

async function beginOfPanel(ofPanel: readonly Waiting[], { outbox, clock }: Beginning): Promise<void> {
  for (let start = 0; start < ofPanel.length; start += LARGEST_MESSAGE) {
    const events = ofPanel.slice(start, start + LARGEST_MESSAGE).map(({ event }) => event);
    const ids = inOrder(events).map(({ id }) => id);
    await outbox.begin({ kind: 'events', events: ids }, clock.now());
  }
}

/**
 * Whether changes are so many that they wait for their bundle, or were begun as one: after a bulk upload, also readers who get
 * every message at once get a few, and then one about the rest.
 * @param due the events of each panel that is due
 */
async function isBundled(due: readonly (readonly Waiting[])[], beginning: Beginning): Promise<boolean> {
  const { outbox, clock } = beginning;
  const now = clock.now();
  const recent = (await outbox.recentlyBegun()).filter((at) => at > now - MINUTE_MS);
  const oldest = Math.min(...due.flat().map(({ at }) => at));
  const isCollected = now >= oldest + BUNDLE_MINUTES * MINUTE_MS;
  if (due.length + recent.length <= FEW_MESSAGES || (isCollected && due.length <= FEW_MESSAGES)) {
    await outbox.saveRecentlyBegun([...recent, ...due.map(() => now)]);
    return false;
  }
  if (!isCollected) return true;
  // Far more than ever before is said as such.
  if (await beginBurst(due, beginning)) return true;
  await outbox.begin({ kind: 'digest', period: periodOf(beginning), bundle: due.length }, now);
  return true;
}

/** From the first of the events to this moment; it ends after the events that were taken in now. */
const periodOf = ({ waiting, clock }: Beginning): DigestPeriod => ({
  since: new Date(Math.min(...waiting.map(({ at }) => at))).toISOString(),
  until: new Date(clock.now() + 1).toISOString(),
});

/** Messages about this many panels at once are usual: many panels are signed off on one day. */
const USUAL_PANELS = 25;
/** How many times as many panels as ever before make a burst. */
const BURST = 2;

/**
 * Begins one message about all changes where they would give far more messages than ever before in their catalogue: after a
 * bulk upload, or when a database was restored. Returns whether it did.
 */
async function beginBurst(due: readonly (readonly Waiting[])[], beginning: Beginning): Promise<boolean> {
  const { outbox, clock } = beginning;
  let isBurst = false;
  for (const [source, { length: panels }] of Map.groupBy(due, ([first]) => first?.event.source ?? '')) {
    const usual = await outbox.usualPanels(source);
    if (panels > Math.max(USUAL_PANELS, BURST * usual)) isBurst = true;
    else if (panels > usual) await outbox.saveUsualPanels(source, panels);
  }
  if (!isBurst) return false;
  await outbox.begin({ kind: 'digest', period: periodOf(beginning), burst: due.length }, clock.now());
  return true;
}

async function beginDigest(
  { outbox, waiting, clock }: Beginning,
  when: DigestTimes,
  zone: Subscription['zone'],
): Promise<void> {
  const due = lastDue(when, zone, clock.now());
  const last = await outbox.lastDigest();
  // The first period begins where the subscription does.
  const since = last ?? Math.min(due, ...waiting.map(({ at }) => at));
  if (last === null) await outbox.saveLastDigest(since);
  if (since >= due) return;
  if (when.ifNothing || waiting.some(({ at }) => at < due)) {
    const period = { since: new Date(since).toISOString(), until: new Date(due).toISOString() };
    await outbox.begin({ kind: 'digest', period }, clock.now());
  }
  await outbox.saveLastDigest(due);
}

const panelKey = ({ source, data: { panel } }: PanelEvent): string => `${source} ${panel?.id ?? ''}`;

/** A monthly digest is due within the last 32 days. */
const LONGEST_PERIOD_DAYS = 32;

/**
 * The last time at or before `now` at which a digest was due, in milliseconds since the epoch: at its hour by the
 * clocks of the zone, summer and winter. An hour that the clocks skip is the next one; of an hour that comes twice,
 * the first counts.
 */
export function lastDue(times: DigestTimes, zone: string, now: number): number {
  const ahead = aheadOfUtc(zone);
  const today = new Date(now + ahead(now));
  for (let back = 0; back <= LONGEST_PERIOD_DAYS + 1; back += 1) {
    // By the calendar: a day on which clocks change does not have 24 hours.
    const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - back));
    if (!isDueOn(times, day)) continue;
    const due = firstShowing(day.setUTCHours(times.hour), ahead);
    if (due <= now) return due;
  }
  throw new RangeError('A digest must be due on some day of a month');
}

/** @param date midnight of the day in UTC */
function isDueOn({ every, days, day = 1 }: DigestTimes, date: Date): boolean {
  if (every === 'monthly') return date.getUTCDate() === day;
  const wantedDays = days ?? (every === 'daily' ? weekdays : ['monday']);
  return wantedDays.includes(weekdays[date.getUTCDay()] ?? 'monday');
}

/** The first instant at which the clocks show a time, or the one that follows where they skip it. */
function firstShowing(local: number, ahead: AheadOfUtc): number {
  const [first] = instantsShowing(local, ahead);
  return first ?? local - Math.min(ahead(local - DAY_MS), ahead(local + DAY_MS));
}
