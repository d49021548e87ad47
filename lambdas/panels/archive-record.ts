import * as z from 'zod';
import { type Documents, recordDocument } from '../store/documents.ts';
import { StateError } from '../store/state-error.ts';

/** Times are in milliseconds since the epoch. */
const recordSchema = z.lazy(() =>
  z.object({
    /** The day of UTC on which requests were counted, such as `2026-11-22`. */
    day: z.string(),
    requests: z.int(),
    /** The Monday of the week of UTC in which requests were counted. */
    week: z.string(),
    requestsOfWeek: z.int(),
    /** When the last request was sent, or is to be sent. */
    lastAt: z.number(),
    /** The catalogue accepts no request before; 0 for no limit. */
    notBefore: z.number(),
    /** Whether the catalogue ever served a state. */
    answered: z.boolean(),
    /** The answers in a row that were no state of a public panel, since the last state; null where that was the last answer. */
    missed: z
      .object({
        /** The panels that were asked for. */
        panels: z.array(z.int()),
        /** When the first of them was asked for. */
        since: z.number(),
        /** How often the next request had to wait since. */
        waits: z.int(),
        /** The next request is not sent before; 0 for no limit. */
        until: z.number(),
        /** What was answered last, a clause for people. */
        why: z.string(),
      })
      .nullable(),
    /** The catalogue has served no states for hours; asked again at `until`. */
    off: z.object({ since: z.number(), until: z.number(), why: z.string() }).nullable(),
  }),
);
/** What is kept of the requests for states of one catalogue, over runs. */
export type ArchiveRecord = z.infer<typeof recordSchema>;

const NAME = 'archive';
const nothingAsked: ArchiveRecord = {
  day: '',
  requests: 0,
  week: '',
  requestsOfWeek: 0,
  lastAt: 0,
  notBefore: 0,
  answered: false,
  missed: null,
  off: null,
};

/** @throws {StateError} as the documents do */
export async function loadArchiveRecord(documents: Pick<Documents, 'load'>): Promise<ArchiveRecord> {
  const { version: _, ...record } = await load(documents);
  return record;
}

/**
 * Whether the catalogue serves states of panels, as far as is known; false where it was never asked.
 * @throws {StateError} as the documents do
 */
export async function servesStates(documents: Pick<Documents, 'load'>): Promise<boolean> {
  const { answered, off } = await loadArchiveRecord(documents);
  return answered && off === null;
}

/** Since when a catalogue that served states serves something else, what, and until when it is not asked; null where it serves them. */
export function refusedStates({ answered, off, missed }: ArchiveRecord, now: number): ArchiveRecord['off'] {
  if (!answered) return null;
  return off ?? (missed && missed.until > now ? missed : null);
}

/**
 * Has states asked for at once, also where the catalogue served none of late. The next run reads what was missed meanwhile.
 * @throws {StateError} as the documents do
 */
export async function askAgain(documents: Documents): Promise<void> {
  await updateArchiveRecord(documents, (record) =>
    record.off === null && record.missed === null ? record : { ...record, off: null, missed: null },
  );
}

const document = recordDocument('the requests for panel states', recordSchema);
const load = async (documents: Pick<Documents, 'load'>) =>
  (await document.load(documents, NAME)) ?? { ...nothingAsked, version: 0 };

/** The times that a change is tried where another run writes too: a poll and a proof may ask at once. */
const TRIES = 5;

/**
 * Changes what is kept; nothing is written where the change returns what it was given.
 * @throws {StateError} as the documents do
 */
export async function updateArchiveRecord(
  documents: Documents,
  change: (record: ArchiveRecord) => ArchiveRecord,
): Promise<ArchiveRecord> {
  for (let tries = 1; ; tries += 1) {
    const { version, ...record } = await load(documents);
    const changed = change(record);
    if (changed === record) return record;
    try {
      await document.save(documents, NAME, { ...changed, version });
      return changed;
    } catch (error) {
      const raced = error instanceof StateError && error.code === 'STATE_CONFLICT';
      if (!raced || tries === TRIES) throw error;
    }
  }
}
