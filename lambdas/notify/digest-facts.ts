import type { EventPanel } from '../events/schemas.ts';
import { compileFilter, eventAbout, type Filter } from '../filters/filter.ts';
import type { NameBook } from '../filters/names.ts';
import {
  type ComparedPanel,
  comparePanels,
  type DatedDifference,
  isCompared,
  type UncomparedPanel,
} from '../panels/compare-panels.ts';
import { type DisagreementRecord, loadDisagreements } from '../panels/disagreement-record.ts';
import { daysSince } from '../panels/since-when.ts';
import type { VersionSummary } from '../panels/version-state.ts';
import { formatInstant, type Instant, instantOf, millisecondsOf } from '../run/instant.ts';
import { counted } from '../run/text.ts';
import type { Documents } from '../store/documents.ts';
import type { History, HistoryQuery } from '../store/history/history.ts';
import { isWhole, nothingFoundWords, readPartsOf, unreadSentences } from '../store/history/read-part.ts';
import { cleanLine } from '../words/clean-text.ts';
import type { DigestCoverage, DigestLag, DigestPeriod, LagLine } from '../words/notice-of-digest.ts';
import { comparisonLimits, noSignOffKnown } from '../words/sign-off-words.ts';
import type { TimeWords } from '../words/value-words.ts';
import type { MessageSources, StatesOf } from './background.ts';
import { asksForDisagreements } from './changes-since.ts';
import type { NotifyPlan } from './subscription.ts';

/** What of a digest is not an event. */
interface DigestSources extends MessageSources {
  readonly history: Pick<History, 'find' | 'coverage'> | null;
  /** Of which the reader gets changes. */
  readonly catalogues: readonly string[];
  readonly times: TimeWords;
  readonly filter: Filter;
  readonly names: NameBook | undefined;
}

/** How much of a digest's period was read, of the catalogues that it asks for; undefined where no history is kept. */
export async function digestCoverage(
  { since, until }: DigestPeriod,
  {
    catalogues,
    history,
    now,
    times,
  }: Pick<DigestSources, 'catalogues' | 'now' | 'times'> & {
    readonly history: Pick<History, 'coverage'> | null;
  },
): Promise<DigestCoverage | undefined> {
  if (!history) return undefined;
  const asked = {
    since: instantOf(Date.parse(since)),
    until: instantOf(Date.parse(until)),
    now: instantOf(now),
  };
  const coverage = await history.coverage();
  const parts = catalogues.flatMap((catalogue) => readPartsOf(coverage, { ...asked, catalogue }));
  const moment = (at: bigint): string => times.moment(new Date(millisecondsOf(at)).toISOString());
  return {
    nothing: nothingFoundWords('No change was found', parts),
    // The time since the newest row counts as read for an hour: polls follow each other faster.
    unread: unreadSentences(
      parts.map((part) => (isWhole(part) ? { ...part, openSince: null } : part)),
      moment,
      (catalogue, newest) =>
        `The newest row of ${catalogue} that was read is of ${newest}. The log has no later one, or could not be read since; if so, those who run the notifier get an alarm.`,
    ),
  };
}

/** What waits for a sign-off on the panels that a subscription asks for, of the genes, STRs and regions that it asks for. */
export async function digestLag(options: DigestSources): Promise<DigestLag> {
  const found: DigestLag[] = [];
  for (const catalogue of options.catalogues) {
    const states = options.statesOf(catalogue);
    found.push(
      states
        ? await lagOfCatalogue(catalogue, states, options)
        : { ...nothing, unknown: [notKept(catalogue)] },
    );
  }
  const all = (kind: 'downgraded' | 'awaiting'): readonly LagLine[] =>
    found.flatMap((each) => each[kind]).toSorted((one, other) => one.since.localeCompare(other.since));
  return {
    downgraded: all('downgraded'),
    awaiting: all('awaiting'),
    compared: found.reduce((sum, { compared }) => sum + compared, 0),
    unknown: found.flatMap(({ unknown }) => unknown),
  };
}

const nothing = { downgraded: [], awaiting: [], compared: 0 } as const;
const notKept = (catalogue: string): string =>
  `What waits for a sign-off in ${catalogue} is unknown: the contents of its panels are not kept.`;

async function lagOfCatalogue(
  catalogue: string,
  states: NonNullable<ReturnType<StatesOf>>,
  { filter, history, names, now }: DigestSources,
): Promise<DigestLag> {
  const ofPanel = compileFilter(only(filter, ['catalogues', ...panelKeys]), names);
  const ofEntity = compileFilter(only(filter, ['genes', 'entityTypes']), names);
  const known = await states.panels();
  const nameOf = (id: number): string => known.find(({ panelId }) => panelId === id)?.panelName ?? '';
  const asked = known.filter((summary) => ofPanel(eventAbout(panelOf(summary), null, catalogue)));
  const found: (ComparedPanel | UncomparedPanel)[] = [];
  const place = {
    ...{ catalogue, states, now: instantOf(now) },
    history: { findWithoutRows: (query: HistoryQuery) => history?.find(query) ?? none() },
  };
  const sides = { before: { kind: 'signed-off' }, after: { kind: 'newest' } } as const;
  const ids = asked.map(({ panelId }) => panelId);
  for await (const panel of comparePanels(ids, sides, place)) found.push(panel);
  const compared = found.filter(isCompared);
  const lines = (isListed: (difference: DatedDifference) => boolean): readonly LagLine[] =>
    compared.flatMap((panel) =>
      panel.differences
        .filter(isListed)
        .flatMap((one) => lineOf(panel, one, instantOf(now)) ?? [])
        .filter(({ panel: about, entity }) => ofEntity(eventAbout(about, entity, catalogue))),
    );
  // A panel that is asked for, and that nothing is known of, is not silently left out.
  const unread = (filter.panels ?? []).filter((panel) => {
    const isPanel = compileFilter({ panels: [panel] }, names);
    return !known.some((summary) => isPanel(eventAbout(panelOf(summary), null, catalogue)));
  });
  return {
    downgraded: lines(({ before, after }) => before === 'green' && after !== 'green'),
    awaiting: lines(({ before, after }) => before !== 'green' && after === 'green'),
    compared: compared.length,
    unknown: [
      ...((await states.signOffs()).length === 0
        ? [noSignOffKnown(catalogue)]
        : comparisonLimits(found, nameOf).map(({ sentence }) => sentence)),
      ...unread.map((panel) => `Panel ${panel} in ${catalogue}: its contents were not read.`),
    ],
  };
}

const panelKeys = ['panels', 'panelTypes', 'rCodes'] as const;

/** The filter without its other keys. */
const only = (filter: Filter, keys: readonly (keyof Filter)[]): Filter =>
  Object.fromEntries(keys.flatMap((key) => (filter[key] === undefined ? [] : [[key, filter[key]]])));

async function* none(): AsyncGenerator<never> {}

const panelOf = ({ panelId, panelName, version, types, relevantDisorders }: VersionSummary): EventPanel => ({
  id: panelId,
  name: panelName,
  version,
  types,
  relevantDisorders,
});

function lineOf(
  { before: { catalogue, signOff }, after: { summary } }: ComparedPanel,
  { entity: { type, name, hgncId }, before, after, since }: DatedDifference,
  now: Instant,
): LagLine | null {
  if (!signOff) return null;
  return {
    catalogue,
    panel: panelOf(summary),
    entity: { type, name, ...(hgncId !== null && { hgncId }) },
    signedOff: { version: signOff.version, date: signOff.date },
    before,
    after,
    since: formatInstant(since.at),
    sinceVersion: since.version,
    sinceIsExact: since.isExact,
    days: daysSince(since.at, now),
  };
}

/** The documents of a catalogue, in which its comparisons with others are kept. */
export type DocumentsOf = (catalogue: string) => Pick<Documents, 'load'>;

interface ComparedPlaces {
  /** The catalogues with which one is compared, by its name. */
  readonly comparedWith: NotifyPlan['comparedWith'];
  readonly documentsOf: DocumentsOf;
}

/** Every pair is compared again each day: what is older was not, for whatever reason. */
const OLD_MS = 48 * 60 * 60 * 1000;
const MOST_NAMED = 5;

/**
 * What of the panels that a subscription asks for is not compared with another catalogue, in sentences; empty where it does not ask for
 * disagreements.
 * @throws {StateError} when what is kept cannot be read
 */
export async function uncomparedSentences(
  sources: DigestSources,
  { comparedWith = {}, documentsOf }: ComparedPlaces,
): Promise<readonly string[]> {
  if (!asksForDisagreements(sources.filter)) return [];
  const found: string[] = [];
  for (const catalogue of sources.catalogues)
    for (const other of comparedWith[catalogue] ?? []) {
      const record = await loadDisagreements(documentsOf(catalogue), other);
      found.push(...(await sentencesOf(record, { catalogue, other }, sources)));
    }
  return found;
}

async function sentencesOf(
  { wholeAt, pairs, unread, notRead }: DisagreementRecord,
  { catalogue, other }: { readonly catalogue: string; readonly other: string },
  { filter, statesOf, names, now, times }: DigestSources,
): Promise<readonly string[]> {
  const both = `${catalogue} and ${other}`;
  if (wholeAt === 0) return [`${both} have not been compared yet: what they disagree about is unknown.`];
  const matches = compileFilter(only(filter, panelKeys), names);
  const isAsked = (panel: EventPanel): boolean => matches(eventAbout(panel, null, catalogue));
  const read = new Map((await statesOf(catalogue)?.panels())?.map((panel) => [panel.panelId, panel]));
  const uncompared = pairs.flatMap(({ panels: [{ id, name }], why }) => {
    const { types = [], relevantDisorders = [] } = read.get(id) ?? {};
    return why !== null && isAsked({ id, name, version: null, types, relevantDisorders }) ? [why] : [];
  });
  // Which panel one of the other catalogue belongs to is unknown before it is read.
  const unnamed = unread
    .filter((panel) => panel.catalogue !== catalogue || isAsked({ ...panel, version: null }))
    .map((panel) => `${panel.name} of ${panel.catalogue}`);
  return [
    ...(now - wholeAt >= OLD_MS
      ? [`Not every panel of ${both} was compared since ${times.moment(new Date(wholeAt).toISOString())}.`]
      : []),
    ...notRead.map((sentence) => `Not compared: ${sentence}`),
    ...(unnamed.length === 0
      ? []
      : [
          `Not compared, because what ${unnamed.length === 1 ? 'it holds' : 'they hold'} has not been read yet: ${cleanLine(firstOf(unnamed).join(', '))}${moreThan(unnamed)}.`,
        ]),
    ...firstOf(uncompared).map((why) => `Not compared: ${cleanLine(why)}`),
    ...(uncompared.length > MOST_NAMED
      ? [
          `${counted(uncompared.length - MOST_NAMED, 'more pair')} of panels of ${both} ${uncompared.length - MOST_NAMED === 1 ? 'was' : 'were'} not compared.`,
        ]
      : []),
  ];
}

const firstOf = (all: readonly string[]): readonly string[] => all.slice(0, MOST_NAMED);
const moreThan = ({ length }: readonly string[]): string =>
  length > MOST_NAMED ? ` and ${length - MOST_NAMED} more` : '';
