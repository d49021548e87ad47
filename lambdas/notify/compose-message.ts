import { type ChannelKind, settingsOf } from '../channels/channel-settings.ts';
import { withoutCorrected } from '../events/corrections.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { NameBook } from '../filters/names.ts';
import type { Clock } from '../run/clock.ts';
import type { History } from '../store/history/history.ts';
import { asBundle, asBurst, asKnown } from '../words/added-lines.ts';
import { cleanLine } from '../words/clean-text.ts';
import type { Notice } from '../words/notice.ts';
import { noticeOfAlarm } from '../words/notice-of-alarm.ts';
import { noticeOfDigest } from '../words/notice-of-digest.ts';
import { noticeOfPanel } from '../words/notice-of-panel.ts';
import { withPrivacy } from '../words/privacy.ts';
import { reasonOf } from '../words/reason.ts';
import { isSignOff } from '../words/sign-off-words.ts';
import { timeWords } from '../words/time-words.ts';
import type { StatesOf } from './background.ts';
import { byTime, newestOf, ratingsOutsideFilter, ratingsSince, underPresentNames } from './changes-since.ts';
import { knownOf, thatCount, withComparison } from './compare-sign-off.ts';
import type { Delivery } from './delivery.ts';
import { type DocumentsOf, uncomparedSentences } from './digest-comparison.ts';
import { digestCoverage, digestLag } from './digest-facts.ts';
import type { Recipient } from './recipients.ts';
import { settle } from './settle.ts';
import type { NotifyPlan, ReaderHelp } from './subscription.ts';
import { reasonNotToTake } from './wanted-events.ts';

interface ComposeOptions {
  readonly plan: Pick<NotifyPlan, 'catalogues' | 'comparedWith' | 'help'>;
  readonly history: Pick<History, 'find' | 'coverage'> | null;
  readonly clock: Pick<Clock, 'now'>;
  /** The names that panels and entities have and had. */
  readonly names?: () => Promise<NameBook>;
  /** What panels hold, by catalogue; absent where no states are kept. */
  readonly statesOf?: StatesOf;
  /** How far catalogues are compared with others; absent where none is. */
  readonly documentsOf?: DocumentsOf;
}

/** What a delivery says, before a sender renders it for its channel; and what it leaves out. */
interface Composed {
  /** Null where its events leave nothing to send. */
  readonly message: ComposedMessage | null;
  /** Events that gave nothing to send: the rating went back, or on to one outside the filter. */
  readonly changedBack: readonly PanelEvent[];
}

/** A message before a sender renders it for its channel. */
export interface ComposedMessage {
  readonly notice: Notice;
  /** The event of a message about one, as the channel may show it. */
  readonly event: PanelEvent | null;
}

/** A message that is sent later than this after its delivery was begun has the line "as known on …", in milliseconds. */
const SENT_LATE = 60_000;

/** Makes the message of a delivery: of what was known when the delivery was begun, and it says so where that is past. */
export async function composeMessage(
  recipient: Recipient,
  delivery: Delivery,
  options: ComposeOptions,
): Promise<Composed> {
  const composed = await composeAsBegun(recipient, delivery, options);
  const { subscription, channel } = recipient;
  const { begun, content, repeated } = delivery;
  const isLate = options.clock.now() - begun > SENT_LATE;
  // An event that a program gets has its own time.
  if (!composed.message || !isLate || settingsOf(channel.kind).takes === 'events') return composed;
  const known = content.kind === 'digest' ? content.period.until : new Date(begun).toISOString();
  const notice = asKnown(
    composed.message.notice,
    timeWords(subscription.zone).moment(known),
    repeated === undefined ? 'late' : 'asked for',
  );
  return { ...composed, message: { ...composed.message, notice } };
}

async function composeAsBegun(
  { subscription, channel, outbox }: Recipient,
  delivery: Delivery,
  { plan, history, clock, names, statesOf = () => null, documentsOf }: ComposeOptions,
): Promise<Composed> {
  const { content } = delivery;
  const { name, filter, whenSignedOff, zone } = subscription;
  const context = {
    times: timeWords(zone),
    now: new Date(clock.now()).toISOString(),
    reason: reasonOf(name, whenSignedOff ?? filter, {
      names: channel.privacy.names,
      whenSignedOff: whenSignedOff !== undefined,
    }),
    help: helpLines(plan.help ?? {}, channel.kind),
    namesCatalogue: plan.catalogues.length > 1 && filter.catalogues?.length !== 1,
  };
  const whole = (notice: Notice, event: PanelEvent | null = null): Composed => ({
    message: { notice, event },
    changedBack: [],
  });
  if (content.kind === 'alarm') return whole(noticeOfAlarm(content.alarm, context));

  // What was corrected before it could be sent is sent as corrected.
  const all = [...withoutCorrected(await outbox.events(delivery))].sort(byTime);
  const known = async (events: readonly PanelEvent[]) =>
    knownOf(events, { history, statesOf, whenSignedOff, privacy: channel.privacy, now: clock.now() });
  const shown = (event: PanelEvent): PanelEvent => withPrivacy(event, channel.privacy);
  if (content.kind === 'digest') {
    const { period } = content;
    const kept = await outbox.keptRatings();
    const own = whenSignedOff ? thatCount(all, await known(all), whenSignedOff) : all;
    const others = await ratingsOutsideFilter(own, { filter, until: period.until, kept, history });
    const stated = [...own, ...others].sort(byTime).map(shown);
    const events = await underPresentNames(stated, Date.parse(period.until), { history, kept });
    const found = await known(events);
    const catalogues = filter.catalogues ?? plan.catalogues;
    const coverage = await digestCoverage(period, {
      catalogues,
      history,
      clock,
      times: context.times,
    });
    const isScheduled = content.burst === undefined && content.bundle === undefined;
    const uncompared =
      isScheduled && documentsOf
        ? await uncomparedSentences({
            ...{ filter, plan, documentsOf, statesOf, names: await names?.() },
            ...{ now: clock.now(), times: context.times },
          })
        : [];
    const lag =
      isScheduled && subscription.when.kind === 'digest' && subscription.when.signOffLag
        ? await digestLag({
            ...{ catalogues, history, statesOf },
            filter: whenSignedOff ?? filter,
            names: await names?.(),
            now: clock.now(),
          })
        : null;
    const notice = noticeOfDigest(events, period, {
      ...context,
      ...(lag && { lag }),
      subscription: name,
      unasked: new Set(others.map(({ id }) => id)),
      ...found,
      ...(coverage && { coverage }),
      uncompared,
    });
    if (content.burst !== undefined) return whole(asBurst(notice, content.burst));
    return whole(content.bundle === undefined ? notice : asBundle(notice, content.bundle));
  }
  if (settingsOf(channel.kind).takes === 'events') {
    const found = await known(whenSignedOff || all.some(isSignOff) ? all : []);
    const [only] = whenSignedOff ? thatCount(all, found, whenSignedOff) : all;
    if (!only) return { message: null, changedBack: [] };
    return whole(noticeOfPanel([shown(only)], context), withComparison(shown(only), found));
  }

  const unwanted = reasonNotToTake(subscription);
  // The same at every attempt, however late.
  const later = await ratingsSince(all, delivery.begun, { outbox, history });
  const newest = await newestOf(all, delivery.begun, history);
  const wanted = (event: PanelEvent): boolean => unwanted(event) === null;
  const { events, changedBack } = settle(all, { later, newest, wanted });
  const found = await known(events);
  const [first, ...others] = whenSignedOff ? thatCount(events, found, whenSignedOff) : events;
  if (!first) return { message: null, changedBack };
  const notice = noticeOfPanel([shown(first), ...others.map(shown)], {
    ...context,
    ...found,
  });
  return { message: { notice, event: others.length === 0 ? shown(first) : null }, changedBack };
}

/** The lines at the end of a message that say how to change or stop it, and where the page is; none without settings. */
export function helpLines({ contact, page }: ReaderHelp, kind: ChannelKind): readonly string[] {
  const { topic, relay } = settingsOf(kind).needs;
  const noun = topic === 'mail' || relay === true ? 'mails' : 'messages';
  return [
    ...(contact === undefined ? [] : [`Change or stop these ${noun}: ${cleanLine(contact, 200)}`]),
    ...(page === undefined ? [] : [`All changes: ${page}`]),
  ];
}
