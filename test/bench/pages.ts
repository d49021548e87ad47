import { readFileSync } from 'node:fs';

/** Rows of three saved pages, as the catalogue served them. */
const rows = [1, 2, 3].flatMap((page) => {
  const file = new URL(`../fixtures/catalogue/activities-page-00${page}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { results: Record<string, unknown>[] }).results;
});

const PAGE = 100;
/** One row in so many has a long comment, where there are any. */
const LONG_EVERY = 10;

/**
 * Bodies of the pages of a long log, newest first: the saved rows over and over, a second apart. With a length, every
 * tenth text ends with a comment of so many letters.
 */
export function bodiesOf(count: number, commentLength = 0): Buffer[] {
  const comment = 'Evidence '.repeat(commentLength / 9);
  const newest = Date.UTC(2026, 0, 1);
  const pages = Math.ceil(count / PAGE);
  return Array.from({ length: pages }, (_, page) => {
    const results = Array.from({ length: PAGE }, (_row, place) => {
      const index = page * PAGE + place;
      const created = new Date(newest - index * 1000).toISOString().replace('Z', '001Z');
      const row = rows[index % rows.length];
      return {
        ...row,
        created,
        ...(comment !== '' && index % LONG_EVERY === 0 && { text: `${row?.text}\n${comment}` }),
      };
    });
    const next = page + 1 < pages ? `http://127.0.0.1/api/v1/activities/?page=${page + 2}` : null;
    return Buffer.from(JSON.stringify({ count, next, previous: null, results }));
  });
}
