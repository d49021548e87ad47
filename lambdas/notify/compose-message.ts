import { type ChannelKind, settingsOf } from '../channels/channel-settings.ts';
import { directionOf } from '../classifier/correlation/subject.ts';
import { type Changes, type Rating, ratings } from '../events/changes.ts';
import { inOrder } from '../events/order.ts';
import type { Entity, PanelEvent } from '../events/schemas.ts';
import { withoutCorrected } from '../events/summary.ts';
import {
  type EntityChange,
  type EntityHistory,
  type EntityStatus,
  netChangeOf,
} from '../filters/entity-history.ts';
import type { NameBook } from '../filters/names.ts';
import { entitiesOfEvents } from '../filters/net-changes.ts';
import type { Clock } from '../run/clock.ts';
import type { History } from '../store/history/history.ts';
import { cleanLine } from '../words/clean-text.ts';
import type { MessageContext } from '../words/message-context.ts';
import { asBundle, asBurst, asKnown, type Notice } from '../words/notice.ts';
import { noticeOfAlarm } from '../words/notice-of-alarm.ts';
import { noticeOfPanel } from '../words/notice-of-changes.ts';
import { noticeOfDigest } from '../words/notice-of-digest.ts';
import type { NamedEntity } from '../words/panel-words.ts';
import { withPrivacy } from '../words/privacy.ts';
import { reasonOf } from '../words/reason.ts';
import { isSignOff } from '../words/sign-off-words.ts';
import { asPast, timeWords } from '../words/value-words.ts';
import type { StatesOf } from './background.ts';
import {
  isPresence,
  isRated,
  isRemoval,
  newestOf,
  onPanelOf,
  ratingsOutsideFilter,
  ratingsSince,
  reasonNotToTake,
  underPresentNames,
} from './changes-since.ts';
import { knownOf, thatCount, withComparison } from './compare-sign-off.ts';
import type { Delivery, DeliveryContent } from './delivery.ts';
import { type DocumentsOf, digestCoverage, digestLag, uncomparedSentences } from './digest-facts.ts';
import type { Recipient } from './outbox.ts';
import type { NotifyPlan, ReaderHelp } from './subscription.ts';

/** What messages may be made from. */
export interface ComposeOptions {
  readonly plan: Pick<NotifyPlan, 'catalogues' | 'comparedWith' | 'help'>;
  /** What was published, for the rating before and for what happened since; null where none is kept. */
  readonly history: Pick<History, 'find' | 'coverage'> | null;
  readonly clock: Pick<Clock, 'now'>;
  /** The names that panels and entities have and had; without them a filter compares those that an event has. */
  readonly names?: () => Promise<NameBook>;
  /** What panels hold, by catalogue; absent where no states are kept. */
  readonly statesOf?: StatesOf;
  /** How far catalogues are compared with others; absent where none is. */
  readonly documentsOf?: DocumentsOf;
}

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
  recipient: Recipient,
  delivery: Delivery,
  options: ComposeOptions,
): Promise<Composed> {
  const { subscription, channel, outbox } = recipient;
  const { plan, history, clock, statesOf = () => null } = options;
  const { content } = delivery;
  const { name, filter, whenSignedOff, zone } = subscription;
  const now = clock.now();
  const context = {
    times: timeWords(zone),
    now: new Date(now).toISOString(),
    reason: reasonOf(name, whenSignedOff ?? filter, {
      names: channel.privacy.names,
      whenSignedOff: whenSignedOff !== undefined,
    }),
    help: helpLines(plan.help ?? {}, channel.kind),
    namesCatalogue: plan.catalogues.length > 1 && filter.catalogues?.length !== 1,
  };
  if (content.kind === 'alarm') return whole(noticeOfAlarm(content.alarm, context));

  const composing: Composing = {
    ...{ ...recipient, ...options, delivery, context },
    sources: { history, statesOf, now, privacy: channel.privacy, whenSignedOff },
    // What was corrected before it could be sent is sent as corrected.
    all: inOrder(withoutCorrected(await outbox.events(delivery))),
    shown: (event) => withPrivacy(event, channel.privacy),
  };
  if (content.kind === 'digest') return whole(await digestNotice(content, composing));
  return settingsOf(channel.kind).takes === 'events' ? composeEvent(composing) : composeChanges(composing);
}

const whole = (notice: Notice, event: PanelEvent | null = null): Composed => ({
  message: { notice, event },
  changedBack: [],
});

/** A message about events, while it is made. */
interface Composing extends Recipient, ComposeOptions {
  readonly delivery: Delivery;
  readonly context: MessageContext;
  readonly sources: Parameters<typeof knownOf>[1];
  /** The events of the delivery, in order. */
  readonly all: readonly PanelEvent[];
  /** An event as the channel may show it. */
  readonly shown: (event: PanelEvent) => PanelEvent;
}

async function digestNotice(
  { period, burst, bundle }: Extract<DeliveryContent, { readonly kind: 'digest' }>,
  { subscription, outbox, plan, history, names, documentsOf, context, sources, all, shown }: Composing,
): Promise<Notice> {
  const { name, filter, whenSignedOff, when } = subscription;
  const kept = await outbox.keptRatings();
  const own = whenSignedOff ? thatCount(all, await knownOf(all, sources), whenSignedOff) : all;
  const others = await ratingsOutsideFilter(own, { filter, until: period.until, kept, history });
  const stated = inOrder([...own, ...others]).map(shown);
  const events = await underPresentNames(stated, Date.parse(period.until), { history, kept });
  const found = await knownOf(events, sources);
  const ofDigest = {
    ...{ ...sources, history, filter, times: context.times, names: await names?.() },
    catalogues: filter.catalogues ?? plan.catalogues,
  };
  const coverage = await digestCoverage(period, ofDigest);
  const isScheduled = burst === undefined && bundle === undefined;
  const { comparedWith } = plan;
  const uncompared =
    isScheduled && documentsOf ? await uncomparedSentences(ofDigest, { comparedWith, documentsOf }) : [];
  const lag =
    isScheduled && when.kind === 'digest' && when.signOffLag
      ? await digestLag({ ...ofDigest, filter: whenSignedOff ?? filter })
      : null;
  const notice = noticeOfDigest(events, period, {
    ...{ ...context, ...found, subscription: name, uncompared },
    ...(lag && { lag }),
    unasked: new Set(others.map(({ id }) => id)),
    ...(coverage && { coverage }),
  });
  if (burst !== undefined) return asBurst(notice, burst);
  return bundle === undefined ? notice : asBundle(notice, bundle);
}

/** The message about one event, for a program. */
async function composeEvent({ subscription, context, sources, all, shown }: Composing): Promise<Composed> {
  const { whenSignedOff } = subscription;
  const found = await knownOf(whenSignedOff || all.some(isSignOff) ? all : [], sources);
  const [only] = whenSignedOff ? thatCount(all, found, whenSignedOff) : all;
  if (!only) return { message: null, changedBack: [] };
  return whole(noticeOfPanel([shown(only)], context), withComparison(shown(only), found));
}

/** The message about what changed on a panel. */
async function composeChanges(composing: Composing): Promise<Composed> {
  const { subscription, outbox, history, delivery, context, sources, all, shown } = composing;
  const { whenSignedOff } = subscription;
  const unwanted = reasonNotToTake(subscription);
  // The same at every attempt, however late.
  const later = await ratingsSince(all, delivery.begun, { outbox, history });
  const newest = await newestOf(all, delivery.begun, history);
  const wanted = (event: PanelEvent): boolean => unwanted(event) === null;
  const { events, changedBack } = settle(all, { later, newest, wanted });
  const found = await knownOf(events, sources);
  const [first, ...others] = whenSignedOff ? thatCount(events, found, whenSignedOff) : events;
  if (!first) return { message: null, changedBack };
  const notice = noticeOfPanel([shown(first), ...others.map(shown)], { ...context, ...found });
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

type Classified = PanelEvent<'entity.classified'>;

interface Settling {
  /**
   * The events of the same panel since the first event that change the state of an entity, oldest first, inside the
   * subscription's filter or outside it.
   */
  readonly later: readonly PanelEvent[];
  /** The newest events of the panel, of any kind: they have its name. */
  readonly newest?: readonly PanelEvent[];
  readonly wanted: (event: PanelEvent) => boolean;
}

/**
 * Makes one change of several changes of one entity, by what they made of it: from its first state to the last, under the
 * names that it and its panel have in the end, with the entity's first one. What was found late and is so no longer is said as past. Nothing is
 * sent of a rating that a removal, or the loss of the source that gave it, has overtaken; only a downgrade is sent even so, for readers who ask for downgrades alone. What was added and removed again
 * gives nothing, and what was removed and added again is no removal.
 */
function settle(events: readonly PanelEvent[], { later, newest = [], wanted }: Settling) {
  const all = inOrder([...new Map([...later, ...events].map((event) => [event.id, event])).values()]);
  const entityOf = entitiesOfEvents(all);
  const toSend = Map.groupBy(events, entityOf);
  const known = Map.groupBy(all, entityOf);
  const sentences = new Map<PanelEvent, PanelEvent>();
  const changedBack: PanelEvent[] = [];
  for (const [entity, own] of toSend) {
    const settled = entity ? settleEntity(entity, { own, known: known.get(entity) ?? own, wanted }) : own;
    for (const event of own) {
      const sentence = settled.find(({ id }) => id === event.id);
      if (sentence) sentences.set(event, sentence);
      else if (!isMergedInto(settled, event)) changedBack.push(event);
    }
  }
  const settled = events.flatMap((event) => sentences.get(event) ?? []);
  const named = inOrder([...all, ...newest]);
  return {
    events: settled.map((event) => underNameOfPanel(event, named)),
    /** Events that gave nothing to send: the rating went back, or on to one outside the filter, or its entity was removed. */
    changedBack,
  };
}

/** Whether a sentence that is left says what became of the change of an event. */
const isMergedInto = (settled: readonly PanelEvent[], event: PanelEvent): boolean =>
  (isRated(event) && settled.some(isRated)) || (isRenaming(event) && settled.some(isRenaming));

interface OfOneEntity extends Pick<Settling, 'wanted'> {
  readonly own: readonly PanelEvent[];
  /** Everything that is known of the entity, oldest first. */
  readonly known: readonly PanelEvent[];
}

function settleEntity(entity: EntityHistory, { own, known, wanted }: OfOneEntity): readonly PanelEvent[] {
  const begin = own.find((event) => isRated(event) || isPresence(event));
  const since = begin ? known.slice(known.indexOf(begin)) : [];
  const net = begin?.data.entity ? netChangeOf(begin.data.entity, since) : null;
  const rating =
    net && settledRating(net, { own: own.filter(isRated), known: since.filter(isRated), wanted });
  const presence = net && settledPresence(net, own, rating !== null);
  const renaming = settledRenaming(own.filter(isRenaming), entity.now());
  const first = own.find((event) => !isRenaming(event))?.data.entity ?? entity.now();
  const named = namedSince(first, entity.now());
  return own.flatMap((event): PanelEvent[] => {
    if (isRated(event)) return rating?.id === event.id ? [underItsName(rating, named)] : [];
    if (isPresence(event)) return presence?.id === event.id ? [underItsName(presence, named)] : [];
    if (isRenaming(event)) return renaming?.id === event.id ? [renaming] : [];
    return [underItsName(event, named)];
  });
}

interface OfOneRating extends Pick<Settling, 'wanted'> {
  readonly own: readonly Classified[];
  readonly known: readonly Classified[];
}

function settledRating(
  { from, to, steps }: EntityChange,
  { own, known, wanted }: OfOneRating,
): Classified | null {
  const [last, newest] = [own.at(-1), known.at(-1)];
  if (!last || !newest) return null;
  // What came after a change that was found late has its own message: only what was so in between is new, and it is said as past.
  if (last.data.late && newest !== last) {
    const past = pastRating(last, known, to);
    if (past || wanted(newest)) return past;
  }
  if (known.length === 1 && saysAll(last, { from, to })) return last;
  const rated = to === 'absent' ? steps.findLast(isRating) : to;
  if (!isRating(rated) || from === rated) return null;
  const direction = from === 'absent' ? 'new' : directionOf(isRating(from) ? from : null, rated);
  if (to === 'absent' && direction !== 'downgraded') return null;
  const merged = withChange(newest, { from: isRating(from) ? from : null, to: rated, direction });
  return known.length === 1 || wanted(merged) ? { ...merged, id: last.id } : null;
}

/** A change that was found late, as what was so from then until the next change; null where it is so again. */
function pastRating(late: Classified, known: readonly Classified[], since: EntityStatus): Classified | null {
  const rating = late.data.change.to;
  const next = known[known.indexOf(late) + 1];
  if (rating === null || rating === since || !next) return null;
  const [from, until] = [late.data.panel.version, next.data.panel.version];
  return asPast(late, { rating, from, until, since });
}

function saysAll({ data: { change } }: Classified, { from, to }: Pick<EntityChange, 'from' | 'to'>): boolean {
  const before = change.from ?? (change.direction === 'new' ? 'absent' : 'unknown');
  return before === from && (change.to ?? 'unknown') === to;
}

/** What is to be said of the entity's coming and going, its rating apart; null where nothing is. */
function settledPresence(
  { from, to }: EntityChange,
  own: readonly PanelEvent[],
  saysRating: boolean,
): PanelEvent | null {
  const last = own.findLast((event) => isPresence(event) && isRemoval(event) === (to === 'absent'));
  if (from === to || !last) return null;
  if (last.type === 'gene-panel.entity.removed.v1') {
    // That it was green before matters more to readers than what it was rated last.
    return from === 'green'
      ? { ...last, data: { ...last.data, change: { ...last.data.change, rating: from } } }
      : last;
  }
  if (last.type !== 'gene-panel.entity.added.v1') return last;
  // Where it was on the panel before, its new rating says all there is.
  if (from !== 'absent' && saysRating) return null;
  const rating = isRating(to) ? to : null;
  return { ...last, data: { ...last.data, change: { ...last.data.change, rating } } };
}

/** The first name and the one that the entity has now; null where they are the same. */
function settledRenaming(own: readonly PanelEvent<'entity.renamed'>[], entity: Entity): PanelEvent | null {
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return null;
  const change = { from: first.data.change.from, to: entity.name };
  return change.from === change.to ? null : { ...last, data: { ...last.data, entity, change } };
}

function underNameOfPanel(event: PanelEvent, all: readonly PanelEvent[]): PanelEvent {
  const { source, data } = event;
  const newest = all.findLast((one) => one.source === source && one.data.panel?.id === data.panel?.id);
  return newest ? onPanelOf(event, newest) : event;
}

/** The entity as it is now, with the name that it had first where that is another one: readers know it by that name. */
const namedSince = (first: Entity, now: Entity): Entity & NamedEntity =>
  first.name.toUpperCase() === now.name.toUpperCase() ? now : { ...now, formerly: first.name };

function underItsName<Event extends PanelEvent>(event: Event, entity: Entity & NamedEntity): Event {
  if (event.data.entity?.name === entity.name && entity.formerly === undefined) return event;
  const subject = event.subject?.replace(/[^/]*$/, () => entity.name);
  return { ...event, ...(subject !== undefined && { subject }), data: { ...event.data, entity } };
}

const isRating = (status: EntityStatus | undefined): status is Rating =>
  ratings.some((rating) => rating === status);

const isRenaming = (event: PanelEvent): event is PanelEvent<'entity.renamed'> =>
  event.type === 'gene-panel.entity.renamed.v1';

const withChange = (event: Classified, change: Changes['entity.classified']): Classified => ({
  ...event,
  data: { ...event.data, change },
});
