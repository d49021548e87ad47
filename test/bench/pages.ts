import { readFileSync } from 'node:fs';

/** Rows of three saved pages, as the catalogue served them. */
const rows = [1, 2, 3].flatMap((page) => {
  const file = new URL(`../fixtures/catalogue/activities-page-00${page}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { results: Record<string, unknown>[] }).results;
});

const PAGE = 100;

/** Bodies of the pages of a long log, newest first: the saved rows over and over, a second apart. */
export function bodiesOf(count: number): Buffer[] {
  const newest = Date.UTC(2026, 0, 1);
  const pages = Math.ceil(count / PAGE);
  return Array.from({ length: pages }, (_, page) => {
    const results = Array.from({ length: PAGE }, (_row, place) => {
      const index = page * PAGE + place;
      const created = new Date(newest - index * 1000).toISOString().replace('Z', '001Z');
      return { ...rows[index % rows.length], created };
    });
    const next = page + 1 < pages ? `http://127.0.0.1/api/v1/activities/?page=${page + 2}` : null;
    return Buffer.from(JSON.stringify({ count, next, previous: null, results }));
  });
}
