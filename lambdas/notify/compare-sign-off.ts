import type { PanelEvent } from '../events/schemas.ts';
import { compileFilter, type Filter } from '../filters/filter.ts';
import { type GreenChange, greenDifference } from '../panels/green-difference.ts';
import { greenListOf } from '../panels/green-list.ts';
import { statesSignOff } from '../panels/sign-off-fields.ts';
import { signedOffAt } from '../panels/signed-off-at.ts';
import type { SignOff, VersionState } from '../panels/version-state.ts';
import { instantOf } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import type { ComparedEntity, RatingAt, SignOffComparison } from '../words/sign-off-comparison.ts';
import { type StatesOf, stateNow } from './entity-facts.ts';

type SignOffEvent = PanelEvent<'panel.signed-off'>;

interface CompareOptions {
  readonly statesOf: StatesOf;
  readonly history: Pick<History, 'find'> | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a sign-off changed: the version before it, the one that it signs off, and what the panel holds now, compared. */
export async function compareSignOff(
  { data: { panel, change, catalogue } }: SignOffEvent,
  { statesOf, history, now }: CompareOptions,
): Promise<SignOffComparison> {
  const states = statesOf(catalogue);
  const { signedOffVersion: version = change.version, previousSignedOffVersion: previous } = change;
  const read = async (wanted: string | undefined): Promise<VersionState | null> =>
    wanted === undefined || panel.id === null ? null : ((await states?.find(panel.id, wanted)) ?? null);
  const [signed, before] = [change.signedOff ? await read(version) : null, await read(previous)];
  const kept = panel.id === null ? null : ((await states?.newest(panel.id)) ?? null);
  const newest = kept && (await stateNow(kept, catalogue, history));
  const signOffs = panel.id === null ? [] : ((await states?.signOffs(panel.id)) ?? []);
  const sign = signed && before ? greenDifference(greenListOf(before), greenListOf(signed)) : null;
  const lag = signed && newest ? greenDifference(greenListOf(signed), greenListOf(newest)) : null;
  const compared = (changes: readonly GreenChange[] | undefined, later: VersionState | null) =>
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

/** What of a sign-off cannot be said. */
function missingSentences({ version, previous, signed, before, newest }: Read): readonly string[] {
  const rest = signed
    ? 'listed is all that is green in this one, not what is new in it.'
    : 'what is new in this one cannot be said.';
  return [
    version === undefined &&
      'Which version is signed off is unknown: the log does not say it, and the list of signed-off versions did not show it yet.',
    version !== undefined && !signed && `What version ${version} holds was not read.`,
    previous === undefined && `No earlier sign-off of the panel is known: ${rest}`,
    previous !== undefined &&
      !before &&
      `What the version signed off before, ${previous}, held was not read${signed ? `: ${rest}` : '.'}`,
    signed && !newest && 'What the panel holds now was not read.',
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

/** What a version holds as green, by name. */
const greenIn = (state: VersionState): readonly ComparedEntity[] =>
  greenListOf(state)
    .green.map((entity) => comparedEntity({ entity, before: 'unknown', after: 'green' }, state))
    .toSorted((one, other) => collator.compare(one.entity.name, other.entity.name));

const collator = new Intl.Collator('en', { numeric: true });

function comparedEntity({ entity, before, after }: GreenChange, later: VersionState | null): ComparedEntity {
  const { type, name, hgncId } = entity;
  const held = later?.entities.find((each) => each.type === type && each.name === name);
  const rating = (at: GreenChange['before']): RatingAt => (at === 'unknown' ? null : at);
  return {
    entity: { type, name, ...(hgncId !== null && { hgncId }) },
    before: rating(before),
    after: rating(after),
    modeOfInheritance: held?.modeOfInheritance ?? null,
  };
}

/** Whether the versions that a sign-off's message compares are kept. */
export async function isComparable(event: SignOffEvent, options: CompareOptions): Promise<boolean> {
  const { signedOff, signedOffVersion, previousSignedOffVersion } = event.data.change;
  if (!signedOff || signedOffVersion === undefined) return true;
  const { unknown, entered } = await compareSignOff(event, options);
  return unknown.length === (previousSignedOffVersion === undefined ? 1 : 0) || entered !== null;
}

/** The comparison without the genes, STRs and regions that a filter does not ask for. */
export function askedComparison(
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

/** An event that a filter of entities can look at. */
const eventAbout = ({ data, ...event }: SignOffEvent, entity: ComparedEntity['entity']): PanelEvent =>
  ({
    ...event,
    type: 'gene-panel.entity.marked-ready.v1',
    data: { ...data, entity, change: {} },
  }) as PanelEvent;
