import { isFoundBy } from '../differences/difference.ts';
import type { Message } from '../publishing/message.ts';
import { publishOrQuarantine } from '../publishing/publish-or-quarantine.ts';
import { instantOf } from '../run/instant.ts';
import { eventsIn } from '../store/published.ts';
import { knownAfter } from './learnt-of.ts';
import type { KnownPanel, Snapshot } from './listed.ts';
import { byPanel } from './published-events.ts';
import type { SweepOptions } from './sweep-options.ts';
import type { SweepProgress } from './sweep-report.ts';
import { type StoredSweep, type SweepChunk, saveSweep } from './sweep-state.ts';

/** What became of a recorded chunk. */
interface SentChunk {
  readonly stored: StoredSweep;
  /** Events that were published. */
  readonly accepted: number;
  /** Panels of the chunk that have to be compared again. */
  readonly left: number;
}

/** Publishes the recorded chunk, keeps its events, and puts its panels into the stored listing. */
export async function publishRecordedChunk(
  recorded: StoredSweep,
  run: SweepOptions,
  { report, isRecovered }: { readonly report: SweepProgress; readonly isRecovered: boolean },
): Promise<SentChunk> {
  const { documents, state } = run;
  if (!recorded.pending) return { stored: recorded, accepted: 0, left: 0 };
  const pending = await withoutOvertaken(recorded.pending, run, isRecovered);
  const left = recorded.pending.panels.length - pending.panels.length;
  // What is published once is what a later run publishes again.
  const stored = left > 0 ? await saveSweep(documents, { ...recorded, pending }) : recorded;
  // A poll that begins now knows what is published.
  await state.learn(knownAfter(pending));
  const published = await publishOrQuarantine(pending.messages, run);
  // Listings settle no row of the log, so that the period they cover is empty.
  const at = instantOf(stored.snapshot.listedAt);
  await run.history.append(published, { catalogue: run.name, since: at, until: at });
  report.published(published);
  run.onPublished?.(published);
  const snapshot = withPanels(stored.snapshot, pending.panels);
  const saved = await saveSweep(documents, { ...stored, snapshot, pending: null });
  return { stored: saved, accepted: published.length, left };
}

/**
 * A recorded chunk without the panels of which another run published something, or may have done so, before it knew of the chunk: its
 * events start from what was so before, and nothing of the chunk was published yet. These panels are compared again.
 */
async function withoutOvertaken(
  chunk: SweepChunk,
  { state, log }: SweepOptions,
  isRecovered: boolean,
): Promise<SweepChunk> {
  const { messages, panels, comparedTo } = chunk;
  const later = byPanel(await state.published(comparedTo));
  const known = await state.silent(panels.map(({ panel }) => panel.id));
  // A proof may have published the same while the chunk lay there.
  const isProven = (id: number): boolean =>
    isRecovered && (known.get(id) ?? []).some(({ data }) => isFoundBy('snapshot', data.change));
  const newer = panels.filter(({ panel: { id } }) => later.has(id) || isProven(id));
  if (newer.length === 0) return chunk;
  const ids = new Set(messages.map(({ id }) => id));
  const isKnown = ({ panel }: KnownPanel): boolean =>
    known.get(panel.id)?.some(({ id }) => ids.has(id)) ?? false;
  const overtaken = new Set(newer.filter((one) => !isKnown(one)).map(({ panel }) => panel.id));
  if (overtaken.size === 0) return chunk;
  log.info(
    'Events of panels may have been published before their recorded differences; these panels are compared again',
    {
      panels: [...overtaken],
    },
  );
  const isLeft = (message: Message): boolean =>
    eventsIn([message]).every(({ data }) => !overtaken.has(data.panel?.id ?? 0));
  return {
    ...chunk,
    messages: messages.filter(isLeft),
    panels: panels.filter(({ panel }) => !overtaken.has(panel.id)),
  };
}

/** A listing with these panels in place of those that it had. */
export function withPanels(snapshot: Snapshot, panels: readonly KnownPanel[]): Snapshot {
  const all = new Map(snapshot.panels);
  for (const known of panels) all.set(known.panel.id, known);
  return { ...snapshot, panels: all };
}
