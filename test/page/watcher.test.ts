import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOutbox } from '../../lambdas/notify/outbox.ts';
import { loadArchiveRecord, updateArchiveRecord } from '../../lambdas/panels/archive-record.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import { createSweepReport } from '../../lambdas/reconcile/sweep-report.ts';
import { createSqliteDocuments, createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import type { Run } from '../../page/route-context.ts';
import { quietReport } from '../poll/quiet-report.ts';
import { NOW, type OpenedPage, openPage } from './open-page.ts';

const at = Date.parse(NOW);
const poll = (report: Partial<PollReport>, minutes: number): Run => ({
  kind: 'poll',
  at: at - minutes * 60_000,
  milliseconds: 400,
  requests: 1,
  report: { ...quietReport, ...report },
});

let page: OpenedPage;
afterEach(() => page.close());

/** What a person reads of a view. */
const words = async (address: string): Promise<string> =>
  (await page.text(address)).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('the watcher that runs', () => {
  const runs: Run[] = [];
  beforeEach(async () => {
    runs.length = 0;
    page = await openPage([], {
      record: { startedAt: at - 3_600_000, every: 60, runs: () => runs, requests: 7 },
    });
  });

  test('lists its runs, quiet polls in one line, and counts its requests', async () => {
    runs.push(
      poll({}, 1),
      poll({}, 2),
      poll(
        { outcome: 'published', activities: 2, late: 1, events: { a: 2, b: 1 }, lagSeconds: 90, waiting: 1 },
        3,
      ),
    );
    const text = await words('/watcher');
    expect(text).toContain('Polls every 60 s since 21 Nov 2026, 11:00; 7 requests so far.');
    expect(text).toContain('nothing new, 2 times in a row');
    expect(text).toContain(
      '3 events of 2 rows; 1 late; 1 row held back; newest row 2 min old 1 request 0.4 s',
    );
    expect(text).toContain('None of the last 3 runs failed.');
    expect(text).toContain('live, read 60 s ago');
  });

  test('shows on every page that the last poll failed, and the reason on the page of the watcher', async () => {
    runs.push(
      { kind: 'failed poll', at: at - 60_000, milliseconds: 10, requests: 3, message: 'answered 503 <b>' },
      poll({}, 5),
    );
    expect(await words('/')).toContain('the last poll failed, read 5 min ago');
    const html = await page.text('/watcher');
    expect(html).toContain('<b>1 run failed.</b> Nothing is lost');
    expect(html).toContain('answered 503 &lt;b&gt;');
  });

  test('says in words what looked wrong', async () => {
    const report = createSweepReport().end('refused', 'mass-change');
    runs.push(poll({ anomalies: ['log-shrunken'] }, 0), {
      ...{ kind: 'sweep', at, milliseconds: 400, requests: 3 },
      report,
    });
    const text = await words('/watcher');
    expect(text).toContain('the log has far fewer rows than before');
    expect(text).toContain('published nothing: many panels have the same kind of change');
  });

  test('says that the catalogue asked to wait', async () => {
    runs.push(poll({ outcome: 'postponed', notBefore: at + 300_000 }, 0));
    expect(await words('/')).toContain('the catalogue asked to wait');
    expect(await words('/watcher')).toContain('was asked to wait until 21 Nov 2026, 12:05');
  });
});

test('a page without a watcher shows what earlier polls kept: how far the log was read, wordings that are not recognised, and the listing', async () => {
  page = await openPage();
  const store = createSqliteStore(page.file, 'uk');
  const mark = BigInt(at) * 1000n - 60_000_000n;
  await store.begin({ mark, start: 0n, count: 300, source: 'https://panelapp.example/api/v1/' }, []);
  await store.countShapes(new Map([['Gene … was frobnicated', 3]]), mark);
  const text = await words('/watcher');
  expect(text).toContain('It does not read the catalogue itself.');
  expect(text).toContain('Address https://panelapp.example/api/v1/');
  expect(text).toContain('Log read up to 21 Nov 2026, 11:59 every row up to here was published (60 s ago)');
  expect(text).toContain('Rows in the log 300');
  expect(text).toContain('Gene … was frobnicated 3 21 Nov 2026, 11:59');
  expect(text).toContain('Lists of panels and regions not read yet; the first sweep reads them');
});

test('a catalogue that serves no states any more is named, and asked again at once by a button', async () => {
  page = await openPage();
  await createSqliteStore(page.file, 'uk').begin(
    { mark: 0n, start: 0n, count: 3, source: 'https://panelapp.example/api/v1/' },
    [],
  );
  const documents = createSqliteDocuments(page.file, 'uk');
  const refused = { since: at - 8 * 3_600_000, until: at + 6 * 86_400_000, why: 'answered <b>HTML</b>' };
  await updateArchiveRecord(documents, (record) => ({ ...record, answered: true, off: refused }));
  expect(await words('/watcher')).toContain(
    'The catalogue has served no states of panels since 21 Nov 2026, 04:00: answered &lt;b&gt;HTML&lt;/b&gt;. It is asked again after 27 Nov 2026, 12:00; what was missed is read then.',
  );
  const send = async (token: string): Promise<number> => {
    const origin = 'http://127.0.0.1:7208';
    const body = new URLSearchParams({ token, catalogue: 'uk' }).toString();
    const headers = {
      origin,
      host: '127.0.0.1:7208',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
    };
    return (await page.request(new Request(`${origin}/watcher/ask-again`, { method: 'POST', headers, body })))
      .status;
  };
  expect(await send('made up')).toBe(403);
  expect((await loadArchiveRecord(documents)).off).not.toBeNull();
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await page.text('/watcher')) ?? [];
  expect(await send(token)).toBe(303);
  expect((await loadArchiveRecord(documents)).off).toBeNull();
  expect(await words('/watcher')).not.toContain('serves no states');
});

describe('messages that could not be sent', () => {
  const channel = { subscription: 'greens', channel: 'slack:lab', now: () => at };
  const outboxOf = (options = channel) =>
    createOutbox(createSqliteItems(page.file, { what: 'the messages', now: () => at }), options);
  const since = at - 3 * 3_600_000;

  beforeEach(async () => {
    page = await openPage();
    const store = createSqliteItems(page.file, { what: 'the messages', now: () => at });
    for (const id of ['greens#slack:lab', 'weekly#smtp:lab@example.org'])
      await store.create({ partition: 'notify#recipients', id, value: null });
  });

  test('a failed attempt is listed with its subscription, channel and next attempt', async () => {
    const outbox = outboxOf();
    await outbox.begin({ kind: 'events', events: ['e1', 'e2'] }, since);
    const [delivery] = await outbox.deliveries();
    if (!delivery) throw new Error('the outbox has no delivery');
    await outbox.update({ ...delivery, attempts: 4, notBefore: at + 600_000 });
    const text = await words('/watcher');
    expect(text).toContain('1 message could not be sent. The log of watch says why.');
    expect(text).toContain('21 Nov 2026, 09:00 greens slack:lab 2 events 4 attempts next at 12:10');
  });

  test('a message that was set aside is listed with its next attempt', async () => {
    const outbox = outboxOf({ ...channel, subscription: 'weekly', channel: 'smtp:lab@example.org' });
    const period = { since: '2026-11-14T09:00:00Z', until: '2026-11-21T09:00:00Z' };
    await outbox.begin({ kind: 'digest', period }, since);
    const [delivery] = await outbox.deliveries();
    if (!delivery) throw new Error('the outbox has no delivery');
    await outbox.setAside({ ...delivery, attempts: 12, notBefore: at + 600_000 });
    expect(await words('/watcher')).toContain(
      'weekly smtp:lab@example.org digest of 14 Nov 2026, 09:00 to 21 Nov 2026, 09:00 12 attempts next at 12:10',
    );
  });

  test('the oldest 25 are listed', async () => {
    const outbox = outboxOf();
    for (let index = 1; index <= 26; index++) {
      const alarm = {
        alarm: `alarm-${index}`,
        catalogue: 'uk',
        state: 'alarm',
        description: '',
        at: NOW,
      } as const;
      await outbox.begin({ kind: 'alarm', alarm }, since + index);
    }
    for (const delivery of await outbox.deliveries())
      await outbox.update({ ...delivery, attempts: 1, notBefore: at });
    const text = await words('/watcher');
    expect(text).toContain('26 messages could not be sent.');
    expect(text).toContain('alarm alarm-25 1 attempt next now');
    expect(text).not.toContain('alarm-26');
    expect(text).toContain('The 25 oldest are shown.');
  });

  test('a message that was never tried, or was sent, is not listed', async () => {
    const store = createSqliteItems(page.file, { what: 'the messages', now: () => at });
    const outbox = createOutbox(store, channel);
    await outbox.begin({ kind: 'events', events: ['never-tried'] }, since);
    await outbox.begin({ kind: 'events', events: ['sent'] }, since);
    const sent = (await outbox.deliveries()).find(
      ({ content }) => content.kind === 'events' && content.events[0] === 'sent',
    );
    if (!sent) throw new Error('the outbox has no delivery');
    await outbox.update({ ...sent, attempts: 1 });
    expect(await words('/watcher')).toContain('1 message could not be sent.');
    // A run that was cut off within `finish` left the delivery behind.
    await store.create({ partition: 'notify#greens#slack:lab#marks', id: `sent#${sent.id}`, value: null });
    expect(await words('/watcher')).not.toContain('could not be sent');
    expect(await words('/watcher')).not.toContain('Messages that were sent');
    await outbox.begin({ kind: 'events', events: ['third'] }, since);
    for (const delivery of await outbox.deliveries())
      await outbox.finish(delivery, { headline: 'BRCA1 is now green', answer: '250 2.0.0 OK queued as 4F1' });
    expect(await words('/watcher')).toContain('BRCA1 is now green 250 2.0.0 OK queued as 4F1');
  });
});
