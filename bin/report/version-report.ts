import { CatalogueError } from '../../lambdas/catalogue/errors.ts';
import { entityTypes, type PanelEvent } from '../../lambdas/events/schemas.ts';
import { compileFilter, type Filter } from '../../lambdas/filters/filter.ts';
import { filterWords } from '../../lambdas/filters/filter-words.ts';
import type { FoundPanel } from '../../lambdas/panels/find-panels.ts';
import { findState } from '../../lambdas/panels/find-state.ts';
import { createRatingsBefore } from '../../lambdas/panels/ratings-before.ts';
import type { VersionState } from '../../lambdas/panels/version-state.ts';
import { changesBetween } from '../../lambdas/questions/changes-between.ts';
import type { ComparedState, Report } from '../../lambdas/questions/read-report.ts';
import { earlierEvents } from '../../lambdas/reconcile/earlier-events.ts';
import { formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { howMuchWasRead, readPartsOf } from '../../lambdas/store/history/read-part.ts';
import { type Io, UnknownNameError, UsageError } from '../command.ts';
import { panelsOf } from '../panel-state/find-states.ts';
import { type AskedStates, openAskedStates } from '../panel-state/open-asked-states.ts';
import { unknownVersions, versionsInEvents } from './known-versions.ts';

/** Two versions of a panel between which a report is asked for. */
export interface AskedVersions {
  readonly from: string;
  /** Undefined: the newest. */
  readonly to: string | undefined;
  readonly title: string;
  /** Has one panel. */
  readonly filter: Filter;
}

/** A report between two versions, or why the states of the two could not be compared. */
type VersionReport =
  | { readonly report: Report }
  /** A sentence for each version whose state is unknown. */
  | { readonly report: null; readonly why: readonly string[] };

type Place = Parameters<typeof openAskedStates>[0] & { readonly table?: string | undefined };

/**
 * A report between two versions, by what is kept at a place and, where it may be asked, by the archive of the catalogue.
 * @throws {UsageError} when the catalogue may be asked, and has no such panel or version
 * @throws {LocalStateError | StateError | HistoryError | CatalogueError} when they cannot be read
 */
export async function compareVersions(asked: AskedVersions, place: Place, io: Io): Promise<VersionReport> {
  const { table, ...others } = place;
  if (table !== undefined) return { report: null, why: [] };
  try {
    const states = await openAskedStates(others, io);
    try {
      return await reportOfVersions(asked, states, io);
    } finally {
      await states.close();
    }
  } catch (error) {
    // Without states, the history may still have events.
    if (error instanceof UsageError && place.catalogue === undefined)
      return { report: null, why: [`The states of the two versions were not compared: ${error.message}`] };
    throw error;
  }
}

/**
 * The net changes between two versions of a panel, by their states: from what is kept, or from the archive of the catalogue
 * where it may be asked. The rows between them say who changed what, also those from before the log was followed.
 *
 * @throws {UsageError} when there is no such panel, or no such version where the catalogue may be asked
 * @throws {StateError | HistoryError | CatalogueError} when they cannot be read
 */
async function reportOfVersions(
  { from, to, title, filter }: AskedVersions,
  asked: AskedStates,
  { clock }: Io,
): Promise<VersionReport> {
  const { opened, catalogue } = asked;
  const of = { opened, catalogue, clock };
  const [panel] = await panelsOf({ panel: String(filter.panels?.[0]), rCode: undefined }, of);
  if (!panel) return { report: null, why: [] };
  const first = await findState(panel, { kind: 'version', version: from }, of);
  const last = await findState(
    panel,
    to === undefined ? { kind: 'present' } : { kind: 'version', version: to },
    of,
  );
  if (!first.state || !last.state) {
    if (catalogue) await refuseUnknown(panel, [from, to], asked);
    return { report: null, why: [first, last].flatMap((found) => (found.state ? [] : [found.why])) };
  }
  const [before, after] = [first.state, last.state];
  const { events, rows } = await eventsOf(panel, before, asked, of.clock);
  const names = await opened.names();
  const { panels: _panel, ...others } = filter;
  const { changes, unexplained } = changesBetween({
    before,
    after,
    events,
    catalogue: opened.catalogue,
    includes: compileFilter(others, names),
  });
  const note = last.note === undefined ? [] : [last.note];
  return {
    report: {
      title,
      changes,
      compared: {
        before: stateFacts(before),
        after: stateFacts(after),
        notCompared: entityTypes.filter(
          (type) => !before.whole.includes(type) || !after.whole.includes(type),
        ),
        unexplained,
        rows,
      },
      read: [],
      filter: filterWords(filter, names),
      warnings: rows === 'read' ? note : [...note, rowsMissing],
      isAnswer: true,
    },
  };
}

/**
 * Refuses versions that the panel does not have, by what is kept and by the catalogue.
 * @throws {UnknownNameError} when it does not have one of them
 */
async function refuseUnknown(
  { id, name }: FoundPanel,
  versions: readonly (string | undefined)[],
  { opened, catalogue }: AskedStates,
): Promise<void> {
  const present = await catalogue?.panelDetail(id);
  const known = [
    ...(present ? [present.version] : []),
    ...(await opened.store.versions(id)).map(({ version }) => version),
    ...(await versionsInEvents(opened.history, opened.catalogue, id)),
  ];
  const unknown = unknownVersions(`${name} (${id})`, versions, known);
  if (unknown.length > 0) throw new UnknownNameError(unknown.join(' '));
}

const rowsMissing =
  'Not every row between these versions was read: what was changed and changed back, and who changed what, may be missing. Give --catalogue URL to read the rows of the panel.';

const stateFacts = ({ version, validFrom, source, readAt, sha256 }: VersionState): ComparedState => ({
  version,
  validFrom: formatInstant(validFrom),
  source,
  readAt: formatInstant(readAt),
  sha256,
});

interface PanelEventsRead {
  readonly events: readonly PanelEvent[];
  readonly rows: 'read' | 'not all read';
}

/** The events of a panel in the history, and those of its rows from before the log was followed. */
async function eventsOf(
  { id }: FoundPanel,
  { validFrom: since }: VersionState,
  { opened, catalogue }: AskedStates,
  clock: Io['clock'],
): Promise<PanelEventsRead> {
  const { history, store, catalogue: name } = opened;
  const published: PanelEvent[] = [];
  for await (const event of history.find({ catalogue: name, filter: { panels: [id] }, order: 'oldest' })) {
    published.push(event);
  }
  const rows = catalogue && (await catalogue.panelRows(id).catch(nullWhereRefused));
  if (!catalogue || !rows) {
    const parts = readPartsOf(await history.coverage(), {
      catalogue: name,
      since,
      now: instantOf(clock.now()),
    });
    return { events: published, rows: howMuchWasRead(parts) === 'all' ? 'read' : 'not all read' };
  }
  const earlier = await earlierEvents({
    rows,
    published,
    catalogue: { name, url: catalogue.url },
    ratingsBefore: createRatingsBefore({ states: store, log: silentLog }),
  });
  return { events: [...earlier, ...published], rows: 'read' };
}

/** A catalogue need not serve the rows of one panel. */
function nullWhereRefused(error: unknown): null {
  if (error instanceof CatalogueError) return null;
  throw error;
}
