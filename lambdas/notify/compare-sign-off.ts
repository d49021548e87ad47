import type { PanelEvent } from '../events/schemas.ts';
import { compileFilter, type Filter } from '../filters/filter.ts';
import { contentsOf, type EntityDifference, greenDifference } from '../panels/compare-states.ts';
import { heldInVersion, heldNow } from '../panels/held-at.ts';
import { statesSignOff } from '../panels/row-sign-offs.ts';
import { signedOffAt } from '../panels/signed-off-at.ts';
import type { SignOff, VersionState } from '../panels/version-state.ts';
import { instantOf } from '../run/instant.ts';
import { naturalOrder } from '../run/text.ts';
import type {
  Background,
  ComparedEntity,
  MessageContext,
  SignOffComparison,
} from '../words/message-context.ts';
import type { Privacy } from '../words/privacy.ts';
import { isSignOff } from '../words/sign-off-words.ts';
import { backgroundsOf, entityFactsOf, heldPlace, type MessageSources } from './background.ts';

interface KnownOptions extends MessageSources {
  readonly privacy: Privacy;
  /** The genes that a reader asks for, where sign-offs alone count. */
  readonly whenSignedOff: Filter | undefined;
}

type SignOffEvent = PanelEvent<'panel.signed-off'>;
type Known = Required<Pick<MessageContext, 'background' | 'signOff'>>;

/** What history and states say of events, for the words of a message about them. */
export async function knownOf(events: readonly PanelEvent[], options: KnownOptions): Promise<Known> {
  const { history, privacy, whenSignedOff } = options;
  const backgrounds = await backgroundsOf(events, history, privacy);
  const facts = await entityFactsOf(events, options);
  const comparisons = new Map<string, SignOffComparison>();
  for (const event of events.filter(isSignOff)) {
    const comparison = await compareSignOff(event, options);
    comparisons.set(event.id, whenSignedOff ? askedComparison(comparison, event, whenSignedOff) : comparison);
  }
  return {
    background: (id): Background | undefined => {
      const [background, known] = [backgrounds.get(id), facts.get(id)];
      return background || known ? { ...background, ...known } : undefined;
    },
    signOff: (id) => comparisons.get(id),
  };
}

/**
 * Whether the signed-off version holds what an event is about as green, or may hold it so: where that is unknown, a reader who tests
 * by that version is asked to look.
 */
function maySignOffAsGreen({ id, data: { panel } }: PanelEvent, { background }: Known): boolean {
  const holding = background(id)?.signedOff;
  if (holding) return holding.rating === 'green' || holding.rating === null;
  return panel?.signedOff === true || panel?.signedOffVersion !== undefined;
}

/**
 * The events that matter to readers of sign-offs alone: sign-offs that bring what the reader asks for, and what is
 * signed off as green and is so no longer.
 */
export const thatCount = (
  events: readonly PanelEvent[],
  known: Known,
  asked: Filter,
): readonly PanelEvent[] =>
  events.filter((event) =>
    isSignOff(event) ? bringsSomething(event, known, asked) : maySignOffAsGreen(event, known),
  );

/** A sign-off with what it changed, for a program; other events as they are. */
export function withComparison(event: PanelEvent, { signOff }: Known): PanelEvent {
  const comparison = isSignOff(event) ? signOff(event.id) : undefined;
  if (!isSignOff(event) || !comparison) return event;
  return { ...event, data: { ...event.data, change: { ...event.data.change, comparison } } };
}

/**
 * Whether a sign-off brings what a reader asks for, or may bring it. A reader of `to: ['green']` gets no message
 * about genes that are green no longer.
 */
function bringsSomething(event: SignOffEvent, { signOff }: Known, { to }: Filter): boolean {
  const comparison = signOff(event.id);
  if (!comparison || !event.data.change.signedOff) return true;
  const { entered, left, green } = comparison;
  // What is green in it may be new to the signed-off version.
  if (green !== null) return green.length > 0 || to === undefined;
  return entered === null || entered.length > 0 || (to === undefined && (left === null || left.length > 0));
}

/** What a sign-off changed: the version before it, the one that it signs off, and what the panel holds now, compared. */
export async function compareSignOff(
  { data: { panel, change, catalogue } }: SignOffEvent,
  { statesOf, history, now }: MessageSources,
): Promise<SignOffComparison> {
  const states = statesOf(catalogue);
  const { signedOffVersion: version = change.version, previousSignedOffVersion: previous } = change;
  const place = states && heldPlace(states, catalogue, history);
  const read = async (wanted: string | undefined): Promise<VersionState | null> => {
    if (wanted === undefined || panel.id === null || !place) return null;
    return (await heldInVersion(panel.id, wanted, place))?.state ?? null;
  };
  const [signed, before] = [change.signedOff ? await read(version) : null, await read(previous)];
  const newest = panel.id === null || !place ? null : ((await heldNow(panel.id, place))?.state ?? null);
  const signOffs = panel.id === null ? [] : ((await states?.signOffs(panel.id)) ?? []);
  const sign = signed && before ? greenDifference(contentsOf(before), contentsOf(signed)) : null;
  const lag = signed && newest ? greenDifference(contentsOf(signed), contentsOf(newest)) : null;
  const compared = (changes: readonly EntityDifference[] | undefined, later: VersionState | null) =>
    changes?.map((each) => comparedEntity(each, later)) ?? null;
  return {
    entered: compared(sign?.entered, signed),
    left: compared(sign?.left, signed),
    awaiting: compared(lag?.entered, newest),
    downgraded: compared(lag?.left, newest),
    green: signed && !before ? greenIn(signed) : null,
    newest: newest?.version ?? null,
    counting: otherCounting(change, signOffs, now),
    filtered: false,
    unknown: change.signedOff ? missingSentences({ version, previous, signed, before, newest }) : [],
  };
}

interface Read {
  readonly version: string | undefined;
  readonly previous: string | undefined;
  readonly signed: VersionState | null;
  readonly before: VersionState | null;
  readonly newest: VersionState | null;
}

function missingSentences({ version, previous, signed, before, newest }: Read): string[] {
  const rest = signed
    ? 'everything that is green in this one is listed, not only what is new.'
    : 'what is new in this one is unknown.';
  return [
    version === undefined &&
      'Which version is signed off is unknown: the log does not say it, and the list of signed-off versions did not show it yet.',
    version !== undefined && !signed && `The contents of version ${version} were not read.`,
    previous === undefined && `No earlier sign-off of the panel is known: ${rest}`,
    previous !== undefined &&
      !before &&
      `The contents of the version signed off before, ${previous}, were not read${signed ? `: ${rest}` : '.'}`,
    signed && !newest && 'The present contents of the panel were not read.',
  ].filter((sentence) => typeof sentence === 'string');
}

/** Another sign-off of the panel that counts; null where that of an event counts, or is not among those that are kept yet. */
function otherCounting(
  change: SignOffEvent['data']['change'],
  signOffs: readonly SignOff[],
  now: number,
): SignOffComparison['counting'] {
  const isOwn = (one: SignOff): boolean => statesSignOff(change, one);
  if (change.signedOff && !signOffs.some(isOwn)) return null;
  const counting = signedOffAt(signOffs, instantOf(now));
  return counting && !isOwn(counting) ? { version: counting.version, date: counting.date } : null;
}

const greenIn = (state: VersionState): ComparedEntity[] =>
  contentsOf(state)
    .held.filter(({ rating }) => rating === 'green')
    .map((entity) => comparedEntity({ entity, before: 'unknown', after: 'green' }, state))
    .toSorted((one, other) => naturalOrder(one.entity.name, other.entity.name));

function comparedEntity(
  { entity, before, after }: Pick<EntityDifference, 'entity' | 'before' | 'after'>,
  later: VersionState | null,
): ComparedEntity {
  const { type, name, hgncId } = entity;
  const held = later?.entities.find((each) => each.type === type && each.name === name);
  const rating = (at: EntityDifference['before']): ComparedEntity['before'] => (at === 'unknown' ? null : at);
  return {
    entity: { type, name, ...(hgncId !== null && { hgncId }) },
    before: rating(before),
    after: rating(after),
    modeOfInheritance: held?.modeOfInheritance ?? null,
  };
}

/** Whether the versions that a sign-off's message compares are kept. */
export async function isComparable(event: SignOffEvent, options: MessageSources): Promise<boolean> {
  const { signedOff, signedOffVersion, previousSignedOffVersion } = event.data.change;
  if (!signedOff || signedOffVersion === undefined) return true;
  const { unknown, entered } = await compareSignOff(event, options);
  return unknown.length === (previousSignedOffVersion === undefined ? 1 : 0) || entered !== null;
}

function askedComparison(
  comparison: SignOffComparison,
  event: SignOffEvent,
  { genes, entityTypes }: Filter,
): SignOffComparison {
  const matches = compileFilter({ ...(genes && { genes }), ...(entityTypes && { entityTypes }) });
  const only = (list: readonly ComparedEntity[] | null) =>
    list?.filter(({ entity }) => matches(eventAbout(event, entity))) ?? null;
  return {
    ...comparison,
    entered: only(comparison.entered),
    left: only(comparison.left),
    awaiting: only(comparison.awaiting),
    downgraded: only(comparison.downgraded),
    green: only(comparison.green),
    filtered: genes !== undefined || entityTypes !== undefined,
  };
}

const eventAbout = ({ data, ...event }: SignOffEvent, entity: ComparedEntity['entity']): PanelEvent =>
  ({
    ...event,
    type: 'gene-panel.entity.marked-ready.v1',
    data: { ...data, entity, change: {} },
  }) as PanelEvent;
