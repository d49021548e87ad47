import type { PanelEvent } from '../events/schemas.ts';
import type { ComparedEntity, RatingAt, SignOffComparison } from '../messages/sign-off-comparison.ts';
import { type GreenChange, greenDifference } from '../panel-states/green-difference.ts';
import { greenListOf } from '../panel-states/green-list.ts';
import type { VersionState } from '../panel-states/version-state.ts';
import { compileFilter, type Filter } from '../subscriptions/filter.ts';
import type { StatesOf } from './entity-facts.ts';

type SignOffEvent = PanelEvent<'panel.signed-off'>;

/** What a sign-off changed: the version before it, the one that it signs off, and the newest one, compared. */
export async function compareSignOff(
  { data: { panel, change, catalogue } }: SignOffEvent,
  statesOf: StatesOf,
): Promise<SignOffComparison> {
  const states = statesOf(catalogue);
  const { signedOffVersion: version = change.version, previousSignedOffVersion: previous } = change;
  const read = async (wanted: string | undefined): Promise<VersionState | null> =>
    wanted === undefined || panel.id === null ? null : ((await states?.find(panel.id, wanted)) ?? null);
  const [now, before] = [change.signedOff ? await read(version) : null, await read(previous)];
  const newest = panel.id === null ? null : ((await states?.newest(panel.id)) ?? null);
  const unknown = [
    change.signedOff &&
      version === undefined &&
      'Which version is signed off is unknown: the list of signed-off versions was not read.',
    change.signedOff && version !== undefined && !now && `What version ${version} holds was not read.`,
    previous === undefined &&
      'No version signed off before is known, so that what entered and what left cannot be said.',
    previous !== undefined &&
      !before &&
      `What the version signed off before, ${previous}, held was not read.`,
    now && !newest && 'What the panel holds now was not read.',
  ].filter((sentence) => typeof sentence === 'string');
  const sign = now && before ? greenDifference(greenListOf(before), greenListOf(now)) : null;
  const lag = now && newest ? greenDifference(greenListOf(now), greenListOf(newest)) : null;
  const compared = (changes: readonly GreenChange[] | undefined, later: VersionState | null) =>
    changes?.map((each) => comparedEntity(each, later)) ?? null;
  return {
    entered: compared(sign?.entered, now),
    left: compared(sign?.left, now),
    awaiting: compared(lag?.entered, newest),
    downgraded: compared(lag?.left, newest),
    newest: newest?.version ?? null,
    unknown,
  };
}

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
export async function isComparable(event: SignOffEvent, statesOf: StatesOf): Promise<boolean> {
  const { signedOffVersion, previousSignedOffVersion } = event.data.change;
  const { unknown, entered } = await compareSignOff(event, statesOf);
  return (
    unknown.length === 0 ||
    entered !== null ||
    // What will not be known later is not waited for.
    signedOffVersion === undefined ||
    (previousSignedOffVersion === undefined && unknown.length === 1)
  );
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
  };
}

/** An event that a filter of entities can look at. */
const eventAbout = ({ data, ...event }: SignOffEvent, entity: ComparedEntity['entity']): PanelEvent =>
  ({
    ...event,
    type: 'gene-panel.entity.marked-ready.v1',
    data: { ...data, entity, change: {} },
  }) as PanelEvent;
