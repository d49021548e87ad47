import { instantOf } from '../clock/instant.ts';
import type { Compared } from '../differences/compare.ts';
import { eventsOf } from '../differences/events-of.ts';
import type { Message } from '../publishing/message.ts';
import { publishOrQuarantine } from '../publishing/publish-or-quarantine.ts';
import { toMessage } from '../publishing/to-message.ts';
import { countIfDue } from './count-if-due.ts';
import type { ListedTwice } from './differences-of.ts';
import { factsOfSnapshot } from './facts-of-snapshot.ts';
import type { KnownPanel, Snapshot } from './listed.ts';
import type { ReadListings } from './read-listings.ts';
import type { SweepOptions } from './sweep-options.ts';
import type { SweepProgress, SweepReport } from './sweep-report.ts';
import { type StoredSweep, saveSweep } from './sweep-state.ts';
import { unexplainedDifferences } from './unexplained-differences.ts';
import { waitForLaterSweep } from './wait-for-later-sweep.ts';

/** Panels whose events are recorded and published together. */
const CHUNK_PANELS = 20;

interface Comparing {
  readonly stored: StoredSweep;
  readonly listings: ReadListings;
  readonly run: SweepOptions;
  readonly report: SweepProgress;
}

/** Publishes the differences that the log does not explain, chunk by chunk, and stores the new listing. */
export async function publishUnexplained(
  all: readonly ListedTwice[],
  { stored: before, listings, run, report }: Comparing,
): Promise<SweepReport> {
  const { name, catalogue, history, documents, clock, deadline } = run;
  const found = all.filter(({ id }) => !before.awaited?.includes(id));
  const unexplained = new Map<number, Compared>();
  for (const panel of found) {
    const background = {
      catalogue: name,
      history,
      storedAt: before.snapshot.listedAt,
      listedAt: listings.listedAt,
    };
    unexplained.set(panel.id, await unexplainedDifferences(panel, background));
  }
  const toPublish = [...unexplained].map(([id, { differences }]) => ({ id, differences }));
  const wait = await waitForLaterSweep(toPublish, { stored: before, listings, run, report });
  if (wait) return wait;
  const listed = all.map(({ known }) => known);
  const facts = factsOfSnapshot({ ...withPanels(before.snapshot, listed), listedAt: listings.listedAt });
  // The poller looks into the history for rows older than this listing: it has to know of it first.
  await run.facts.saveListing(facts);
  let stored: StoredSweep = { ...before, held: undefined };
  let accepted = 0;
  for (let at = 0; at < found.length; at += CHUNK_PANELS) {
    if (deadline !== undefined && clock.now() >= deadline) return report.end('out-of-time');
    const chunk = found.slice(at, at + CHUNK_PANELS);
    const messages: Message[] = [];
    const panels: KnownPanel[] = [];
    for (const panel of chunk) {
      const { differences = [], expected } = unexplained.get(panel.id) ?? {};
      const events = eventsOf(panel.known.panel, differences, {
        catalogue: { name, url: catalogue.url },
        foundAgainst: before.version,
        at: instantOf(listings.listedAt),
        facts: facts.panels.get(panel.id)?.facts,
      });
      messages.push(...events.map((event) => toMessage(event)));
      panels.push({ ...panel.known, expected });
    }
    if (messages.length === 0) {
      stored = { ...stored, snapshot: withPanels(stored.snapshot, panels) };
      continue;
    }
    accepted += messages.length;
    stored = await saveSweep(documents, { ...stored, pending: { messages, panels } });
    stored = await publishRecordedChunk(stored, run, report);
  }
  const snapshot = { ...stored.snapshot, listedAt: listings.listedAt };
  const completeness = await countIfDue(before.completeness, snapshot, run, report);
  await saveSweep(documents, { ...stored, snapshot, completeness });
  return report.end(accepted > 0 ? 'published' : 'explained');
}

/** Publishes the recorded chunk, keeps its events, and puts its panels into the stored listing. */
export async function publishRecordedChunk(
  stored: StoredSweep,
  run: SweepOptions,
  report: SweepProgress,
): Promise<StoredSweep> {
  const { messages, panels } = stored.pending ?? { messages: [], panels: [] };
  const published = await publishOrQuarantine(messages, run);
  // Listings settle no row of the log, so that the period they cover is empty.
  const at = instantOf(stored.snapshot.listedAt);
  await run.history.append(published, { catalogue: run.name, since: at, until: at });
  report.published(published);
  run.onPublished?.(published);
  const snapshot = withPanels(stored.snapshot, panels);
  return await saveSweep(run.documents, { ...stored, snapshot, pending: null });
}

function withPanels(snapshot: Snapshot, panels: readonly KnownPanel[]): Snapshot {
  const all = new Map(snapshot.panels);
  for (const known of panels) all.set(known.panel.id, known);
  return { ...snapshot, panels: all };
}
