import type { Entity, EventPanel, PanelEvent } from '../events/schemas.ts';
import { compileFilter, type Filter } from '../filters/filter.ts';
import type { NameBook } from '../filters/names.ts';
import { daysSince, type LagEntry, type PanelLag, readLag } from '../panels/read-lag.ts';
import type { VersionSummary } from '../panels/version-state.ts';
import type { Clock } from '../run/clock.ts';
import { formatInstant, type Instant, instantOf } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import { isWhole, readPartsOf } from '../store/history/read-part.ts';
import { nothingFoundWords, unreadSentences } from '../store/history/read-part-words.ts';
import type { DigestLag, LagLine } from '../words/digest-lag.ts';
import { lagLimits } from '../words/lag-limits.ts';
import type { DigestCoverage, DigestPeriod } from '../words/notice-of-digest.ts';
import type { TimeWords } from '../words/time-words.ts';
import type { StatesOf } from './background.ts';

interface CoverageOptions {
  /** Of which the reader gets changes. */
  readonly catalogues: readonly string[];
  readonly history: Pick<History, 'coverage'> | null;
  readonly clock: Pick<Clock, 'now'>;
  readonly times: TimeWords;
}

/** How much of a digest's period was read, of the catalogues that it asks for; undefined where no history is kept. */
export async function digestCoverage(
  { since, until }: DigestPeriod,
  { catalogues, history, clock, times }: CoverageOptions,
): Promise<DigestCoverage | undefined> {
  if (!history) return undefined;
  const asked = {
    since: instantOf(Date.parse(since)),
    until: instantOf(Date.parse(until)),
    now: instantOf(clock.now()),
  };
  const coverage = await history.coverage();
  const parts = catalogues.flatMap((catalogue) => readPartsOf(coverage, { ...asked, catalogue }));
  const moment = (at: bigint): string => times.moment(new Date(Number(at / 1000n)).toISOString());
  return {
    nothing: nothingFoundWords('No change was found', parts),
    // The time since the newest row counts as read for an hour: polls follow each other faster.
    unread: unreadSentences(
      parts.map((part) => (isWhole(part) ? { ...part, openSince: null } : part)),
      moment,
      (catalogue, newest) =>
        `The newest row of ${catalogue} that was read is of ${newest}. The log has no later one, or could not be read since: then those who run the notifier get an alarm.`,
    ),
  };
}

interface DigestLagOptions {
  /** Of which the reader gets changes. */
  readonly catalogues: readonly string[];
  readonly filter: Filter;
  readonly statesOf: StatesOf;
  readonly history: Pick<History, 'find'> | null;
  readonly names: NameBook | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What waits for a sign-off on the panels that a subscription asks for, of the genes, STRs and regions that it asks for. */
export async function digestLag(options: DigestLagOptions): Promise<DigestLag> {
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
  `What waits for a sign-off in ${catalogue} is unknown: what its panels hold is not kept.`;

async function lagOfCatalogue(
  catalogue: string,
  states: NonNullable<ReturnType<StatesOf>>,
  { filter, history, names, now }: DigestLagOptions,
): Promise<DigestLag> {
  const { catalogues, panels, panelTypes, rCodes, genes, entityTypes } = filter;
  const about = {
    ...(catalogues && { catalogues }),
    ...(panels && { panels }),
    ...(panelTypes && { panelTypes }),
    ...(rCodes && { rCodes }),
  };
  const ofPanel = compileFilter(about, names);
  const ofEntity = compileFilter({ ...(genes && { genes }), ...(entityTypes && { entityTypes }) }, names);
  const known = await states.panels();
  const asked = known.filter((summary) => ofPanel(eventAbout(panelOf(summary), null, catalogue)));
  const lag = await readLag({
    catalogue,
    states,
    history: { findWithoutRows: (query) => history?.find(query) ?? none() },
    now: instantOf(now),
    panels: new Map(asked.map(({ panelId, panelName }) => [panelId, panelName])),
  });
  const lines = (kind: 'downgraded' | 'awaiting'): readonly LagLine[] =>
    lag.panels.flatMap((panel) =>
      panel[kind]
        .map((entry) => lineOf(panel, entry, catalogue, instantOf(now)))
        .filter(({ panel: about, entity }) => ofEntity(eventAbout(about, entity, catalogue))),
    );
  // A panel that is asked for, and that nothing is known of, is not silently left out.
  const unread = (panels ?? []).filter((panel) => {
    const isPanel = compileFilter({ panels: [panel] }, names);
    return !known.some((summary) => isPanel(eventAbout(panelOf(summary), null, catalogue)));
  });
  return {
    downgraded: lines('downgraded'),
    awaiting: lines('awaiting'),
    compared: lag.panels.length,
    unknown: [
      ...lagLimits(lag, catalogue).map(({ sentence }) => sentence),
      ...unread.map((panel) => `Panel ${panel} in ${catalogue}: what it holds was not read.`),
    ],
  };
}

async function* none(): AsyncGenerator<never> {}

const panelOf = ({ panelId, panelName, version, types, relevantDisorders }: VersionSummary): EventPanel => ({
  id: panelId,
  name: panelName,
  version,
  types,
  relevantDisorders,
});

function lineOf({ signOff, working }: PanelLag, entry: LagEntry, catalogue: string, now: Instant): LagLine {
  const { type, name, hgncId } = entry.entity;
  return {
    catalogue,
    panel: panelOf(working),
    entity: { type, name, ...(hgncId !== null && { hgncId }) },
    signedOff: { version: signOff.version, date: signOff.date },
    before: entry.signedOff,
    after: entry.working,
    since: formatInstant(entry.since.at),
    sinceVersion: entry.since.version,
    sinceIsExact: entry.since.isExact,
    days: daysSince(entry.since.at, now),
  };
}

/** An event that a filter of panels and entities can look at. */
const eventAbout = (panel: EventPanel, entity: Entity | null, catalogue: string): PanelEvent =>
  ({
    type: 'gene-panel.entity.marked-ready.v1',
    data: { catalogue, panel, entity, actor: null, late: false, change: {}, summary: '', activities: [] },
  }) as object as PanelEvent;
