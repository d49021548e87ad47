import type { PanelEvent } from '../../events/schemas.ts';
import { factsOf } from '../../filters/filter.ts';
import { DAY_MS } from '../../run/clock.ts';
import { type Instant, instantOf } from '../../run/instant.ts';
import type { StateFile } from '../sqlite-file.ts';
import { keepApart } from '../sqlite-published.ts';
import { NO_PANEL } from '../sqlite-schema.ts';
import { searchedWords } from './history.ts';
import { forgetStatedValues } from './sqlite-names.ts';

/** Events that one transaction forgets: a poll waits no longer for it than for another chunk. */
const STEP = 1_000;

/** Free space is given back to the disk once it is this share of the file, and this many pages of 8 kB. */
const FREE_SHARE = 0.2;
const FREE_PAGES = 1_000;

interface Retention {
  /** Days for which an event is kept after it was appended. */
  readonly days: number;
  readonly now: number;
}

/**
 * Forgets the events that were appended more than so many days ago, with their names and words, and frees the space.
 * To be called once a day: it also notes where the day begins. The newest event always stays. Returns how many it forgot.
 */
export function forgetOldEvents(file: StateFile, { days, now }: Retention): number {
  const { database, transaction } = file;
  const today = Math.floor(now / DAY_MS);
  database
    .prepare('INSERT OR IGNORE INTO first_of_day SELECT ?, coalesce(max(seq), 0) + 1 FROM event')
    .run(today);
  const since = instantOf(now - days * DAY_MS);
  const oldest = database
    .prepare('SELECT max(day) AS day, max(seq) AS seq FROM first_of_day WHERE day <= ?')
    // What was kept before this call, on the same day, counts to the day before.
    .get(today - days - 1);
  if (oldest?.seq === null || oldest?.seq === undefined) return 0;
  let forgotten = 0;
  // Each event is deleted with its names, rows and other entries by their own keys: to follow references would read every name.
  database.exec('PRAGMA foreign_keys = OFF');
  try {
    for (let step = STEP; step === STEP; forgotten += step) {
      step = transaction(() => forgetStep(file, Number(oldest.seq)));
    }
  } finally {
    database.exec('PRAGMA foreign_keys = ON');
  }
  transaction(() => {
    forgetStatedValues(file, Number(oldest.seq));
    if (forgotten > 0) forgetThePast(file, since);
  });
  database.prepare('DELETE FROM first_of_day WHERE day < ?').run(Number(oldest.day));
  trimCoverage(file, since);
  giveSpaceBack(file);
  return forgotten;
}

function forgetStep({ database }: StateFile, before: number): number {
  const events = database
    .prepare(
      // A chunk that has not advanced is published again: its events stay.
      `SELECT seq, id, at, panel, head, tail, rows FROM event LEFT JOIN event_rows USING (seq)
       WHERE seq < ? AND seq < (SELECT max(seq) FROM event) AND seq NOT IN (SELECT seq FROM recorded) ORDER BY seq LIMIT ?`,
    )
    .all(before, STEP);
  const indexed = Number(database.prepare('SELECT max(rowid) AS seq FROM search_docsize').get()?.seq ?? 0);
  keepApart({ database }, Number(events.at(-1)?.seq ?? 0));
  const statements = {
    words: database.prepare("INSERT INTO search (search, rowid, words) VALUES ('delete', ?, ?)"),
    name: database.prepare('DELETE FROM event_name WHERE name = ? AND at = ? AND seq = ?'),
    id: database.prepare('DELETE FROM event_id WHERE id = ? AND seq = ?'),
    panel: database.prepare('DELETE FROM event_panel WHERE panel = ? AND at = ? AND seq = ?'),
    rows: database.prepare('DELETE FROM event_rows WHERE seq = ?'),
    event: database.prepare('DELETE FROM recorded_event WHERE seq = ?'),
  };
  for (const { seq: number, id, at, panel, head, tail, rows } of events) {
    const seq = Number(number);
    const event = JSON.parse(`${head}${rows ?? ''}${tail}`) as PanelEvent;
    if (seq <= indexed) statements.words.run(seq, searchedWords(event).join(' '));
    for (const name of factsOf(event).entityNames) statements.name.run(name, Number(at), seq);
    statements.id.run(String(id), seq);
    statements.panel.run(Number(panel ?? NO_PANEL), Number(at), seq);
    statements.rows.run(seq);
    statements.event.run(seq);
  }
  return events.length;
}

/** An answer as of a time before events were forgotten is refused: what it would need is of no use, and as of later they are gone. */
function forgetThePast({ database }: StateFile, since: Instant): void {
  database.exec('INSERT OR REPLACE INTO forgotten VALUES (1, recording_time())');
  for (const table of ['listing_before', 'panel_item_before'])
    database.exec(`DELETE FROM ${table} WHERE until <= (SELECT at FROM forgotten)`);
  database
    .prepare('DELETE FROM appended WHERE until <= ? AND n < (SELECT max(n) FROM appended)')
    .run(Number(since));
  database
    .prepare('UPDATE appended SET since = min(until, ?) WHERE since < ?')
    .run(Number(since), Number(since));
}

/** The history covers no period of which it forgot events. */
function trimCoverage({ database, transaction }: StateFile, since: Instant): void {
  transaction(() => {
    database.prepare('DELETE FROM coverage WHERE until <= ?').run(Number(since));
    database.prepare('UPDATE coverage SET since = ? WHERE since < ?').run(Number(since), Number(since));
  });
}

function giveSpaceBack({ database }: StateFile): void {
  const free = Number(database.prepare('PRAGMA freelist_count').get()?.freelist_count ?? 0);
  const all = Number(database.prepare('PRAGMA page_count').get()?.page_count ?? 0);
  if (free < FREE_PAGES || free < all * FREE_SHARE) return;
  database.exec('VACUUM');
}
