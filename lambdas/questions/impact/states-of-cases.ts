import { isRCode, withoutSubCode } from '../../events/r-codes.ts';
import { nameKey } from '../../filters/names.ts';
import { contentsOf, contentsTogether, type PanelContents } from '../../panels/compare-states.ts';
import { findState, knownSignOffs, type StatesOf, type WantedState } from '../../panels/find-state.ts';
import { changeTimes, heldAt } from '../../panels/held-at.ts';
import { isValidAt } from '../../panels/panel-versions.ts';
import { inOrderOfSignOff, signedOffDuring } from '../../panels/signed-off-at.ts';
import type { SignOff, VersionSummary } from '../../panels/version-state.ts';
import { formatInstant, type Instant, minutes, parseInstant } from '../../run/instant.ts';
import { counted } from '../../run/text.ts';
import { openPanels } from '../find-panels.ts';
import type { CasePanel, Counted, ImpactStates, Unknown } from './impact.ts';

/** The state of a panel that counts now. */
export const countedState = (counts: Counted): WantedState =>
  counts === 'signed-off' ? { kind: 'signed-off', at: undefined } : { kind: 'present' };

const DAY = minutes(24 * 60);

/** What panels held when cases were analysed, and what counts now; each question is asked once. */
export function statesOfCases(of: StatesOf, counts: Counted): ImpactStates {
  const asked = new Map<string, Promise<unknown>>();
  const once = <Value>(key: string, ask: () => Promise<Value>): Promise<Value> => {
    const known = (asked.get(key) as Promise<Value> | undefined) ?? ask();
    asked.set(key, known);
    return known;
  };
  const { opened, catalogue } = of;
  const panelsOf = async (archive: typeof catalogue) => {
    const { catalogue: name, store } = opened;
    const place = { catalogues: [name], states: () => store, listings: async () => [], archive };
    // A panel is called as its newest state that was read calls it.
    return openPanels(place, { ...(await opened.names('panels')), panels: () => [] });
  };
  const kept = () => once('kept panels', () => panelsOf(null));
  const listed = () => once('listed panels', () => panelsOf(catalogue));
  const version = (panel: CasePanel, wanted: string): Promise<PanelContents | Unknown> =>
    once(`version ${panel.id} ${wanted}`, () => stateOr(panel, { kind: 'version', version: wanted }, of));
  /** What a version held at an instant; until when, where an event changed it within the version. */
  const keptAt = async (summary: VersionSummary, instant: Instant): Promise<PanelContents | null> => {
    const { panelId, version: number, validFrom } = summary;
    const { catalogue, store: states, history } = of.opened;
    const place = { catalogue, states, history };
    const key = `${panelId} ${number} ${validFrom}`;
    const times = await once(`changes ${key}`, () => changeTimes(summary, place));
    const until = times.find((each) => each > instant);
    return once(`state ${key} ${until ?? ''}`, async () => {
      const held = await heldAt(panelId, instant, place);
      return held && contentsOf({ ...held.state, ...(until !== undefined && { validTo: until }) });
    });
  };
  // A million cases have many days and few versions: the version of a day is looked up without its entities.
  const at = async (panel: CasePanel, instant: Instant): Promise<PanelContents | Unknown> => {
    const { store } = of.opened;
    const versions = await once(`versions ${panel.id}`, () => store.versions(panel.id));
    const summary = versions.findLast((each) => isValidAt(each, instant));
    const kept = summary && (await keptAt(summary, instant));
    if (kept) return kept;
    const gap = superPanelGap(versions, instant);
    if (gap) return ofChildren(panel, gap, instant);
    if (of.catalogue === null && !summary)
      return { unknown: dayMissing(panel, whyMissing(versions, instant), of.remedy) };
    const wanted = { kind: 'at', at: instant, text: formatInstant(instant) } as const;
    const asked = await once(`at ${panel.id} ${instant}`, () => stateOr(panel, wanted, of));
    if (!('unknown' in asked)) return asked;
    return {
      unknown: dayMissing(panel, 'the archive of the catalogue does not show it', 'Give the version'),
    };
  };
  /** Each of its panels must be known: what one of them held may be what was green. */
  const ofChildren = async (
    panel: CasePanel,
    gap: SuperPanelGap,
    instant: Instant,
  ): Promise<PanelContents | Unknown> => {
    const children: PanelContents[] = [];
    for (const id of gap.childPanels) {
      const versions = await once(`versions ${id}`, () => of.opened.store.versions(id));
      const found = await at({ id, name: versions.at(-1)?.panelName ?? 'a panel' }, instant);
      if ('unknown' in found)
        return { unknown: `${panel.name} (${panel.id}) counts by its panels. ${found.unknown}` };
      children.push(found);
    }
    return contentsOfChildren({ panelId: panel.id, panelName: panel.name }, children, gap);
  };

  /** A sign-off has no time of day: on its day, the version before it may have been the one as well. */
  const signedOffOn = async (panel: CasePanel, date: string): Promise<readonly PanelContents[] | Unknown> => {
    const begin = beginOf(date);
    if (begin === null) return noSuchDay;
    const signOffs = await once(`sign-offs ${panel.id}`, () => knownSignOffs(panel.id, of));
    const day = formatInstant(begin).slice(0, 10);
    const versions = new Set(signedOffDuring(signOffs, day).map((signOff) => signOff.version));
    if (versions.size === 0) return { unknown: noSignOff(panel, signOffs, day) };
    const states: PanelContents[] = [];
    for (const each of versions) {
      const state = await version(panel, each);
      if ('unknown' in state) return state;
      states.push(state);
    }
    return states;
  };

  return {
    counts,
    panels: (reference) =>
      once(`panels ${reference}`, async () =>
        panelsCalled(reference, [kept, ...(catalogue ? [listed] : [])], () =>
          once('former names', () => formerNames(of)),
        ),
      ),
    async analysed(panel, { version: wanted, date }) {
      if (wanted === null) {
        if (date === null) return [];
        return counts === 'signed-off' ? signedOffOn(panel, date) : statesOn(panel, date, at);
      }
      const state = await version(panel, wanted);
      if ('unknown' in state) return state;
      const why = date === null ? null : contradictionOf(state, date, counts);
      return why === null ? [state] : { unknown: why };
    },
    counted: (panel) =>
      once(`counted ${panel.id}`, async () => {
        const state = await stateOr(panel, countedState(counts), of);
        // The state of a version that was signed off has the name that the panel had then.
        return counts === 'working' || 'unknown' in state ? state : { ...state, panelName: panel.name };
      }),
  };
}

async function stateOr(
  panel: CasePanel,
  wanted: WantedState,
  of: StatesOf,
): Promise<PanelContents | Unknown> {
  const found = await findState(panel, wanted, of);
  const why = found.state ? found.outdated : found.why;
  if (found.state && why === undefined) return contentsOf(found.state);
  return { unknown: `${panel.name} (${panel.id}): ${why}` };
}

/** A code such as R59 may be that of several panels: a case was analysed with all of them. */
async function panelsCalled(
  reference: string,
  lookups: readonly (() => ReturnType<typeof openPanels>)[],
  former: () => ReturnType<typeof formerNames>,
): Promise<readonly CasePanel[] | Unknown> {
  const isCode = isRCode(reference);
  for (const open of lookups) {
    const { called, withCode } = await open();
    const found = isCode ? withCode(withoutSubCode(reference)) : called(reference);
    if (found.length === 1 || (isCode && found.length > 0)) return found;
  }
  const [only, ...others] = isCode ? [] : ((await former()).get(nameKey(reference)) ?? []);
  if (only && others.length === 0) return [only];
  // The sentence about it quotes the cell, which may hold something else than a panel.
  return { unknown: 'no panel has this name, number or code, or several panels have it' };
}

async function formerNames({ opened: { store } }: StatesOf): Promise<ReadonlyMap<string, CasePanel[]>> {
  const found = new Map<string, CasePanel[]>();
  for (const { panelId: id, panelName: name } of await store.panels()) {
    const names = (await store.versions(id)).map(({ panelName }) => nameKey(panelName));
    for (const key of new Set(names)) found.set(key, [...(found.get(key) ?? []), { id, name }]);
  }
  return found;
}

/** The state of a time; of a day, every state that the panel had on it, by UTC. */
async function statesOn(
  panel: CasePanel,
  date: string,
  at: (panel: CasePanel, instant: Instant) => Promise<PanelContents | Unknown>,
): Promise<readonly PanelContents[] | Unknown> {
  const begin = beginOf(date);
  if (begin === null) return noSuchDay;
  const states: PanelContents[] = [];
  for (let instant: Instant | null = begin; instant !== null; ) {
    const state = await at(panel, instant);
    if ('unknown' in state) return state;
    states.push(state);
    const next: Instant | null = state.validTo;
    instant = !date.includes('T') && next !== null && next < begin + DAY ? next : null;
  }
  return states;
}

/** The instant of a time, or at which a day begins; null for a day that no calendar has. */
const beginOf = (date: string): Instant | null =>
  parseInstant(date.includes('T') ? date : `${date}T00:00:00Z`);

const noSuchDay: Unknown = { unknown: 'the calendar does not have the date' };

/**
 * Why the version cannot have been used on that day; null where it can. A laboratory that tests by signed-off versions uses one long
 * after the panel has moved on, and none before the panel had it.
 */
function contradictionOf(
  { panelName, version, validFrom, validTo }: PanelContents,
  date: string,
  counts: Counted,
): string | null {
  const begin = beginOf(date);
  if (begin === null) return noSuchDay.unknown;
  const end = date.includes('T') ? begin : begin + DAY;
  const began = formatInstant(validFrom).slice(0, 10);
  if (counts === 'signed-off')
    return validFrom <= end
      ? null
      : `version ${version} of ${panelName} began on ${began}, after the day of the line: version and date contradict each other`;
  if (validFrom <= end && (validTo === null || begin <= validTo)) return null;
  const until = validTo === null ? 'on' : `to ${formatInstant(validTo).slice(0, 10)}`;
  return `version ${version} of ${panelName} held from ${began} ${until}, and the day of the line is not in that time: version and date contradict each other`;
}

const dayMissing = (
  { id, name }: CasePanel,
  why: string,
  remedy = 'Give the version, or --catalogue URL to ask the archive',
): string => `${name} (${id}): what it held on the day of the analysis is unknown: ${why}. ${remedy}`;

/** How far what is kept of a panel is from an instant. @param versions oldest first */
function whyMissing(versions: readonly VersionSummary[], instant: Instant): string {
  const [first] = versions;
  if (!first) return 'no version of the panel has been read yet';
  if (instant < first.validFrom)
    return `the oldest version that has been read, ${first.version}, began on ${formatInstant(first.validFrom).slice(0, 10)}`;
  return 'the version of that day has not been read yet';
}

/**
 * A sentence where panels are known of which no state has been read yet.
 * @throws {StateError} when the names or the states cannot be read
 */
export async function panelsUnread({ opened }: Pick<StatesOf, 'opened'>): Promise<readonly string[]> {
  const named = (await opened.names('panels')).panels().filter((one) => one.catalogue === opened.catalogue);
  const read = new Set((await opened.store.panels()).map(({ panelId }) => panelId));
  const known = new Set([...read, ...named.map(({ id }) => id)]);
  if (known.size === read.size) return [];
  const far = `${read.size} of ${counted(known.size, 'panel')}`;
  return [
    `What panels held has been read for ${far} so far; a notifier that runs reads the others, one request in ten seconds.`,
  ];
}

function noSignOff({ id, name }: CasePanel, signOffs: readonly SignOff[], day: string): string {
  const first = signOffs.toSorted(inOrderOfSignOff)[0];
  const why = !first
    ? 'no sign-off of it is known'
    : first.date > day
      ? `the first known sign-off, of version ${first.version}, is dated ${first.date}`
      : 'the sign-offs before that day were withdrawn';
  return `${name} (${id}): which version was signed off on the day of the analysis is unknown: ${why}. Give the version`;
}

interface SuperPanelGap {
  readonly childPanels: readonly number[];
  /** When the kept version before it ended, and the one after it began. */
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * The gap in which an instant lies; null where the panel is no super panel, or where the kept versions on both sides do not have
 * the same panels: then it is unknown which ones it had in between.
 * @param versions oldest first
 */
function superPanelGap(versions: readonly VersionSummary[], instant: Instant): SuperPanelGap | null {
  const before = versions.findLast(({ validFrom }) => validFrom <= instant);
  const after = versions.find(({ validFrom }) => validFrom > instant);
  if (!before || !after || before.childPanels.length === 0) return null;
  const [one, other] = [before, after].map(({ childPanels }) => childPanels.toSorted((a, b) => a - b).join());
  if (one !== other) return null;
  return { childPanels: before.childPanels, from: before.validTo ?? before.validFrom, to: after.validFrom };
}

function contentsOfChildren(
  { panelId, panelName }: Pick<PanelContents, 'panelId' | 'panelName'>,
  children: readonly PanelContents[],
  { from, to }: SuperPanelGap,
): PanelContents {
  const [begins, ends] = [
    children.map((child) => child.validFrom),
    children.flatMap((child) => child.validTo ?? []),
  ];
  return contentsTogether(children, {
    panelId,
    panelName,
    version: `(${children.map((child) => `${child.panelName} ${child.version}`).join(', ')})`,
    validFrom: begins.reduce((latest, each) => (each > latest ? each : latest), from),
    validTo: ends.reduce((earliest, each) => (each < earliest ? each : earliest), to),
  });
}
