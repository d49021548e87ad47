import { afterEach, beforeEach, expect, test } from 'vitest';
import { rated, turnedGreen } from '../words/events.ts';
import { type OpenedPage, openPage } from './open-page.ts';

let page: OpenedPage;
beforeEach(async () => {
  page = await openPage([turnedGreen({ id: 'a1' })]);
});
afterEach(() => page.close());

/** Reads a live stream until a text has come, waking the page as often as it sleeps. */
async function readUntil(response: Response, wanted: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let reads = 0; reader && !text.includes(wanted) && reads < 20; reads++) {
    const next = reader.read();
    await new Promise((resolve) => setImmediate(resolve));
    page.wake();
    text += (await next).value ?? '';
  }
  await reader?.cancel();
  return text;
}

test('a live stream counts the new changes that match the view', async () => {
  const response = await page.get('/live?after=1&to=green');
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  await page.append(
    turnedGreen({ id: 'b1', gene: 'PALB2' }),
    rated('green', 'red', 'downgraded', { id: 'b2' }),
    turnedGreen({ id: 'b3', gene: 'ATM' }),
  );
  const text = await readUntil(response, 'event: changes');
  expect(text).toContain('id: 4\nevent: changes\ndata: {"count":2}\n\n');
});

test('a reader who comes back misses no change, also one that appeared late', async () => {
  await page.append(
    turnedGreen({ id: 'b1', time: '2026-11-01T10:00:00.000000Z', late: true }),
    turnedGreen({ id: 'b2' }),
  );
  const again = await page.get('/live?after=1', { 'last-event-id': '2' });
  expect(await readUntil(again, 'event: changes')).toContain('data: {"count":1}');
  const fresh = await page.get('/live?after=1');
  expect(await readUntil(fresh, 'event: changes')).toContain('data: {"count":2}');
});

test('changes that do not match are not counted, and not sent again to a reader who comes back', async () => {
  await page.append(rated('green', 'red', 'downgraded', { id: 'b1' }));
  const text = await readUntil(await page.get('/live?after=1&to=green'), 'id: 2');
  expect(text).toContain('id: 2\n\n');
  expect(text).not.toContain('event: changes');
});

test('a live stream searches the words of a view too', async () => {
  await page.append(turnedGreen({ id: 'b1', actor: 'Zoë Jones' }), turnedGreen({ id: 'b2' }));
  expect(await readUntil(await page.get('/live?after=1&q=zoe'), 'event: changes')).toContain(
    'data: {"count":1}',
  );
});

test('a reader with the place of another history starts at the newest event', async () => {
  const text = await readUntil(await page.get('/live?after=99999'), 'event: status');
  expect(text).toMatch(/^retry: \d+\nid: 1\n\n/);
});

test('a page states the place that it shows, so that nothing between page and stream is missed', async () => {
  expect(await page.text('/?to=green')).toContain('data-live="/live?to=green&amp;after=1"');
});
