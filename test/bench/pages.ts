import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Row = Readonly<Record<string, unknown>>;

/** Rows of saved pages, as the catalogue served them: those beside the repository where they are, its own elsewhere. */
const saved = ['../../../shared/samples', '../fixtures/catalogue']
  .map((folder) => rowsIn(join(import.meta.dirname, folder)))
  .find((rows) => rows.length > 0) as readonly Row[];

function rowsIn(folder: string): readonly Row[] {
  return globSync('activities-page-*.json', { cwd: folder })
    .sort()
    .flatMap((file) => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { results: Row[] }).results);
}

/** So many rows add an entity where a row has 1.45 events, as in the years of a catalogue: panels are filled, which saved pages show too little of. */
const ADDING = 0.28;

/** Runs of saved rows, newest first: all of them, and again those that add an entity, until these come so often as in life. */
function rowsAsInLife(): readonly (readonly Row[])[] {
  const additions = saved.filter(({ text }) => /^\w+: \S+ was added\n/.test(String(text)));
  const others = saved.length - additions.length;
  const missing = Math.round((others * ADDING) / (1 - ADDING)) - additions.length;
  const again = Array.from({ length: Math.ceil(missing / additions.length) }, (_, time) =>
    additions.slice(0, missing - time * additions.length),
  );
  return [saved, ...again];
}

const PAGE = 100;
/** One row in so many has a long comment, where there are any. */
const LONG_EVERY = 10;
/** Seconds between two runs of rows, in which panels go back to their first versions: less is read as transactions that overlapped. */
const BETWEEN = 180;

/**
 * Bodies of the pages of a long log, newest first: the saved rows over and over, a second apart, and runs of them minutes apart. With a
 * length, every tenth text ends with a comment of so many letters.
 */
export function bodiesOf(count: number, commentLength = 0): Buffer[] {
  const runs = rowsAsInLife();
  const rows = runs.flatMap((run, number) => run.map((row) => ({ row, number })));
  const comment = 'Evidence '.repeat(commentLength / 9);
  const newest = Date.UTC(2026, 0, 1);
  const pages = Math.ceil(count / PAGE);
  return Array.from({ length: pages }, (_, page) => {
    const results = Array.from({ length: PAGE }, (_row, place) => {
      const index = page * PAGE + place;
      const { row, number } = rows[index % rows.length] as (typeof rows)[number];
      const runsSince = Math.floor(index / rows.length) * runs.length + number;
      const seconds = index + runsSince * BETWEEN;
      const created = new Date(newest - seconds * 1000).toISOString().replace('Z', '001Z');
      return {
        ...row,
        created,
        ...(comment !== '' && index % LONG_EVERY === 0 && { text: `${row.text}\n${comment}` }),
      };
    });
    const next = page + 1 < pages ? `http://127.0.0.1/api/v1/activities/?page=${page + 2}` : null;
    return Buffer.from(JSON.stringify({ count, next, previous: null, results }));
  });
}
