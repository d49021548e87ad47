import type { Rating } from '../events/changes.ts';
import { compareVersions, versionNumbers } from '../events/order.ts';
import type { EventPanel, PanelEvent } from '../events/schemas.ts';
import type { EntityStatus } from '../filters/entity-history.ts';
import { greenTurnOf, greenTurns } from '../filters/green-turn.ts';
import { firstOf } from '../run/text.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import type { Fact } from './notice.ts';
import { dayWords } from './panel-words.ts';
import { type Phrase, phrase, ratingPiece, ratingWord, separated } from './phrase.ts';
import { inheritanceLabel, isPast, type TimeWords } from './value-words.ts';

/** What the words of a message depend on besides its events. */
export interface MessageContext {
  readonly times: TimeWords;
  /** When the message is made; ISO 8601. */
  readonly now: string;
  /** Why the reader receives it; one sentence. */
  readonly reason: string | null;
  /** How to change or stop the messages, as lines. */
  readonly help?: readonly string[];
  /** Whether the reader gets messages about several catalogues, and so must see which one a panel is of. */
  readonly namesCatalogue?: boolean;
  /** What a sign-off changed of what counts, by the id of its event. */
  readonly signOff?: (eventId: string) => SignOffComparison | undefined;
  /** What is known of an event and its entity besides. */
  readonly background?: (eventId: string) => Background | undefined;
}

/** What the history and the states of panels say about an event and its entity. */
export interface Background {
  /** The rating before, since when, and on which version of the panel. */
  readonly before?: { readonly rating: Rating; readonly since: string; readonly version: string | null };
  /** What the same person wrote in the same action. */
  readonly comment?: string;
  /** The rating on the panel, as its newest known state shows it. */
  readonly rating?: Rating;
  /** Such as `HGNC:1100`. */
  readonly hgncId?: string;
  readonly modeOfInheritance?: string;
  /** Other panels that hold the entity, as they are now. */
  readonly elsewhere?: readonly Elsewhere[];
  /** What the signed-off version of the panel says of the entity. */
  readonly signedOff?: SignedOffHolding;
}

/** An entity on another panel. */
export interface Elsewhere {
  /** `R207`, or the panel's name. */
  readonly panel: string;
  readonly rating: Rating;
}

/** An entity in the signed-off version of a panel. */
export interface SignedOffHolding {
  readonly version: string;
  /** The day of the sign-off, such as `2023-03-22`. */
  readonly date: string;
  /** The day is still to come: until then, an earlier version counts. */
  readonly isComing?: true;
  /** `absent`: the version does not hold it. Null: what the version holds is unknown. */
  readonly rating: Rating | 'absent' | null;
}

/** What a sign-off changed of what counts, as its event states it for programs. */
export type SignOffComparison = NonNullable<PanelEvent<'panel.signed-off'>['data']['change']['comparison']>;
/** An entity whose rating differs between two versions of a panel. */
export type ComparedEntity = NonNullable<SignOffComparison['entered']>[number];

/** The lines at the end of a message about its subscription: why the reader gets it, and how to change that. */
export const subscriptionLines = ({
  reason,
  help = [],
}: Pick<MessageContext, 'reason' | 'help'>): readonly string[] => [...(reason ? [reason] : []), ...help];

const MOST_PANELS = 3;

/** The lines below a change in a list: the comment given with it, the rating before, and what is known of the entity. */
export function backgroundLines(
  background: Background | undefined,
  context: Pick<MessageContext, 'times'>,
): readonly Phrase[] {
  if (!background) return [];
  const comment = background.comment === undefined ? '' : cleanLine(ratingComment(background.comment));
  const before = beforeFact(background, context).map(({ label, value }) => phrase`${label}: ${value}`);
  const known = knownPhrase(background);
  return [
    ...(comment === '' ? [] : [phrase`“${comment}”`]),
    ...before,
    ...(known.length === 0 ? [] : [known]),
  ];
}

/** The rating before, as a fact; none where it is unknown. */
export function beforeFact(
  { before }: Pick<Background, 'before'>,
  { times }: Pick<MessageContext, 'times'>,
): readonly Fact[] {
  if (!before) return [];
  const version = before.version ? `, version ${cleanLine(before.version)}` : '';
  const value = phrase`${ratingPiece(before.rating)} since ${times.day(before.since)}${version}`;
  return [{ label: 'Before', value }];
}

/** The comment without the catalogue's prefix, which names the rating that the message is about. */
export const ratingComment = (comment: string): string =>
  cleanText(comment.replace(/^\s*Comment on list classification:\s*(?=\S)/, ''));

/**
 * `HGNC:1100 · mode of inheritance: BOTH monoallelic and biallelic · also green on R207, R430; amber on R15`, after `BRCA1 (HGNC:1100)` where the
 * name is given; empty where nothing is known.
 */
export function knownPhrase(
  { hgncId, modeOfInheritance, elsewhere = [] }: Background,
  name?: string,
): Phrase {
  const known = separated(
    [phrase`${inheritanceLabel(modeOfInheritance)}`, phrase`${elsewhereWords(elsewhere)}`],
    ' · ',
  );
  const id = cleanLine(hgncId ?? '');
  if (name === undefined) return separated([phrase`${id}`, known], ' · ');
  if (id === '' && known.length === 0) return [];
  return separated([phrase`${name}${id && ` (${id})`}`, known], ' · ');
}

/** `also green on R207, R430 and 2 more; amber on R15`; of other panels where it is not green, one rating is enough. */
function elsewhereWords(elsewhere: readonly Elsewhere[]): string {
  const on = (rating: Rating): string => {
    const panels = elsewhere
      .filter((each) => each.rating === rating)
      .map(({ panel }) => cleanLine(panel, 60));
    if (panels.length === 0) return '';
    return `${ratingWord(rating)} on ${firstOf(panels, MOST_PANELS)}`;
  };
  const words = [on('green'), on('amber')].filter(Boolean).join('; ');
  return words === '' ? '' : `also ${words}`;
}

/** Ratings before and after a change; null for a change of something else. */
interface ChangedRating {
  readonly from: EntityStatus | null;
  readonly to: EntityStatus | null;
}

interface SignedOffSubject {
  readonly panel: EventPanel;
  readonly change: ChangedRating;
  /** What the signed-off version says of the entity. */
  readonly holding: SignedOffHolding | undefined;
}

/**
 * What is signed off of the panel of a change, as a sentence without a full stop: laboratories test by that version. Empty
 * where nothing is known to be signed off.
 */
export function signedOffWords({ panel, change, holding }: SignedOffSubject): string {
  const known = holding ?? knownVersion(panel);
  if (known === null) {
    return panel.signedOff ? 'This panel has a signed-off version; this change may not be in it' : '';
  }
  const { version, date, rating, isComing = false } = known;
  const number = cleanLine(version);
  const since = date === '' ? '' : `, since ${dayWords(date)}`;
  const { to } = change;
  if (isComing) return comingWords(change, number, known);
  if (version === panel.version) return `This version is signed off${since}`;
  if (to === 'green' && rating === 'green') return `Green in the signed-off version too: ${number}${since}`;
  if (isLoss(change) && rating === 'green') return `Still green in the signed-off version: ${number}${since}`;
  if (isLoss(change) && rating === null)
    return `The signed-off version is ${number}${since}; it may hold it as green, but its contents were not read`;
  const there = thereWords(rating);
  if (isNewer(panel.version, version) || (to === 'green' && rating !== null)) {
    return `Not signed off yet: the signed-off version is ${number}${since}${there}`;
  }
  if (rating !== null) return `The signed-off version is ${number}${since}${there}`;
  return `The signed-off version is ${number}${since}; this change may not be in it`;
}

function comingWords(change: ChangedRating, number: string, { date, rating }: SignedOffHolding): string {
  const day = dayWords(date);
  const version = `version ${number}, which is signed off from ${day}`;
  if (rating === 'green' && change.to === 'green') return `Green in ${version}`;
  if (rating === 'green') return `${isLoss(change) ? 'Still green' : 'Green'} in ${version}`;
  return `No version is signed off before ${day}. From that day it is version ${number}${thereWords(rating)}`;
}

/** Whether an entity was green, or may have been, and is so no longer. */
function isLoss({ from, to }: ChangedRating): boolean {
  const turn = from === null || to === null ? null : greenTurnOf(from, to);
  return turn !== null && !greenTurns[turn].isGreen;
}

interface HeldEvent {
  readonly event: PanelEvent;
  readonly name: string;
  readonly holding: SignedOffHolding | undefined;
}

/** As `signedOffWords`, of several entities of one panel: which of them are green in the signed-off version. */
export function signedOffOfSeveral(all: readonly HeldEvent[], panel: EventPanel): string {
  const [coming, held] = [all.filter(isComingGreen), all.filter((each) => !isComingGreen(each))];
  const later = [...Map.groupBy(coming, ({ holding }) => holding?.version)].flatMap(([, own]) => {
    const [{ holding } = { holding: undefined }] = own;
    return holding
      ? [
          `Green in version ${cleanLine(holding.version)}, which is signed off from ${dayWords(holding.date)}: ${namesOf(own)}`,
        ]
      : [];
  });
  const present = held.length === 0 && later.length > 0 ? '' : presentOfSeveral(held, panel);
  return [present, ...later].filter(Boolean).join('. ');
}

const isComingGreen = ({ holding }: HeldEvent): boolean =>
  holding?.isComing === true && holding.rating === 'green';

function presentOfSeveral(held: readonly HeldEvent[], panel: EventPanel): string {
  const known = held.find(({ holding }) => holding)?.holding ?? knownVersion(panel);
  if (known === null) {
    return panel.signedOff ? 'This panel has a signed-off version; these changes may not be in it' : '';
  }
  if (known.isComing)
    return comingWords({ from: null, to: null }, cleanLine(known.version), { ...known, rating: null });
  const since = known.date === '' ? '' : `, since ${dayWords(known.date)}`;
  const version = `${cleanLine(known.version)}${since}`;
  const green = held.filter(({ event }) => ratingsOf(event).to === 'green');
  const lost = held.filter(({ event, holding }) => isLoss(ratingsOf(event)) && holding?.rating === 'green');
  const still = lost.length === 0 ? '' : `. Still green in it: ${namesOf(lost)}`;
  if (green.length === 0) return `The signed-off version is ${version}${still}`;
  const already = green.filter(({ holding }) => holding?.rating === 'green');
  const unknown = green.filter(({ holding }) => (holding?.rating ?? null) === null);
  if (already.length === green.length) return `Green in the signed-off version too: ${version}${still}`;
  if (already.length > 0) {
    return `The signed-off version is ${version}. Of those now green, it holds as green already: ${namesOf(already)}${still}`;
  }
  if (
    unknown.length === 0 ||
    unknown.every(({ event }) => isNewer(event.data.panel?.version ?? null, known.version))
  )
    return `Not signed off yet: the signed-off version is ${version}${still}`;
  return `The signed-off version is ${version}; these changes may not be in it${still}`;
}

const namesOf = (held: readonly HeldEvent[]): string =>
  firstOf(
    held.map(({ name }) => name),
    held.length > 10 ? 9 : 10,
  );

const thereWords = (rating: SignedOffHolding['rating']): string =>
  rating === null
    ? ''
    : rating === 'absent'
      ? ', which does not hold it'
      : `, where it is ${ratingWord(rating)}`;

const knownVersion = ({ signedOffVersion, signedOffDate }: EventPanel): SignedOffHolding | null =>
  signedOffVersion === undefined
    ? null
    : { version: signedOffVersion, date: signedOffDate ?? '', rating: null };

/** The ratings before and after an event of a rating or a removal; null for other events. */
export function ratingsOf(event: PanelEvent): ChangedRating {
  if (event.type === 'gene-panel.entity.removed.v1')
    return { from: event.data.change.rating ?? 'unknown', to: 'absent' };
  if (event.type !== 'gene-panel.entity.classified.v1' || isPast(event)) return { from: null, to: null };
  const { from, to, direction } = event.data.change;
  return { from: from ?? (direction === 'new' ? 'absent' : 'unknown'), to: to ?? 'unknown' };
}

function isNewer(version: string | null, other: string): boolean {
  const [one, two] = [versionNumbers(version ?? ''), versionNumbers(other)];
  return one !== null && two !== null && compareVersions(one, two) > 0;
}
