import { compareVersions, versionNumbers } from '../events/order.ts';
import type { EventPanel, PanelEvent } from '../events/schemas.ts';
import type { EntityStatus } from '../filters/entity-history.ts';
import { greenTurnOf, greenTurns } from '../filters/green-turn.ts';
import { cleanLine } from './clean-text.ts';
import { firstOf } from './counted.ts';
import type { SignedOffHolding } from './message-context.ts';
import { dayWords } from './panel-words.ts';
import { ratingWord } from './phrase.ts';
import { isPast } from './value-words.ts';

interface SignedOffSubject {
  readonly panel: EventPanel;
  /** Ratings before and after; null for a change of something else. */
  readonly change: { readonly from: EntityStatus | null; readonly to: EntityStatus | null } | null;
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
  const { from, to } = change ?? { from: null, to: null };
  if (isComing) return comingWords({ from, to }, number, known);
  if (version === panel.version) return `This version is signed off${since}`;
  if (to === 'green' && rating === 'green') return `Green in the signed-off version too: ${number}${since}`;
  if (isLoss({ from, to }) && rating === 'green')
    return `Still green in the signed-off version: ${number}${since}`;
  if (isLoss({ from, to }) && rating === null)
    return `The signed-off version is ${number}${since}; it may hold it as green, but its contents were not read`;
  const there = thereWords(rating);
  if (isNewer(panel.version, version) || (to === 'green' && rating !== null)) {
    return `Not signed off yet: the signed-off version is ${number}${since}${there}`;
  }
  if (rating !== null) return `The signed-off version is ${number}${since}${there}`;
  return `The signed-off version is ${number}${since}; this change may not be in it`;
}

function comingWords(
  { from, to }: { readonly from: EntityStatus | null; readonly to: EntityStatus | null },
  number: string,
  { date, rating }: SignedOffHolding,
): string {
  const day = dayWords(date);
  const version = `version ${number}, which is signed off from ${day}`;
  if (rating === 'green' && to === 'green') return `Green in ${version}`;
  if (rating === 'green') return `${isLoss({ from, to }) ? 'Still green' : 'Green'} in ${version}`;
  return `No version is signed off before ${day}. From that day it is version ${number}${thereWords(rating)}`;
}

/** Whether an entity was green, or may have been, and is so no longer. */
function isLoss({
  from,
  to,
}: {
  readonly from: EntityStatus | null;
  readonly to: EntityStatus | null;
}): boolean {
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

/** As `signedOffOfSeveral`, of what counts now. */
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
export function ratingsOf(event: PanelEvent): NonNullable<SignedOffSubject['change']> {
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
