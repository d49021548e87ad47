import { beforeAll, describe, expect, test } from 'vitest';
import { differences, jsonOf, relayOf } from './as-the-catalogue.ts';
import { DAY, type Followed, follow, HOUR, readAll } from './followed.ts';

describe('a relay', () => {
  let followed: Followed;
  let panels: readonly { readonly id: number; readonly version: string; readonly name: string }[];
  let gene: string;

  beforeAll(async () => {
    followed = await follow();
    await readAll(followed);
    const { catalogue } = followed;
    const listed = (await (await fetch(`${catalogue.url}panels/`)).json()) as { results: typeof panels };
    panels = listed.results;
    const detail = (await (await fetch(`${catalogue.url}panels/${panels[0]?.id}/`)).json()) as {
      readonly genes: readonly { readonly entity_name: string }[];
    };
    gene = detail.genes[0]?.entity_name ?? '';
    return async () => {
      await followed.harness.close();
      await catalogue.close();
    };
  });

  const ask = (path: string, init?: RequestInit): Promise<Response> =>
    followed.ask(`/uk/api/v1/${path}`, init);

  test('answers as its catalogue does, page by page', async () => {
    const paths = [
      'panels/',
      'panels/?page=1',
      'panels/signedoff/',
      'regions/',
      'activities/',
      'panels/?page=7',
      'panels/999999/',
      'panels/signedoff/999999/',
      'nothing/',
      ...panels.map(({ id }) => `panels/${id}/`),
      ...panels.map(({ id }) => `panels/${id}/?version=99.99`),
      ...panels.map(({ id }) => `panels/${id}/activities/`),
    ];
    const relay = (path: string): Promise<Response> => ask(path);
    const different = await differences(paths, { catalogue: followed.catalogue.url, relay });
    expect(different).toEqual([]);
    expect(panels.length).toBeGreaterThan(5);
  });

  test('finds a panel by its name, and at its present version, too', async () => {
    const [{ id = 0, name = '', version = '' } = {}] = panels;
    const byId = await (await ask(`panels/${id}/`)).text();
    expect(JSON.parse(byId)).toMatchObject({ id, name, version });
    expect(await (await ask(`panels/${encodeURIComponent(name)}/`)).text()).toBe(byId);
    expect(await (await ask(`panels/${id}/?version=${version}`)).text()).toBe(byId);
  });

  test('lists the entities of a panel with the panel, by confidence, name and tag', async () => {
    const [{ id = 0 } = {}] = panels;
    const list = async (query: string) =>
      (await (await ask(`panels/${id}/genes/${query}`)).json()) as {
        readonly count: number;
        readonly results: readonly Record<string, unknown>[];
      };
    const all = await list('');
    const green = await list('?confidence_level=3');
    expect(green.results).toEqual(
      all.results.filter(({ confidence_level: level }) => ['3', '4'].includes(String(level))),
    );
    expect(green.count).toBeLessThan(all.count);
    const named = await list(`?entity_name=${gene},NONE`);
    expect(named.results.map(({ entity_name: name }) => name)).toEqual([gene]);
    expect(named.results[0]).toMatchObject({ panel: { id } });
    const { results: none } = await list('?tags=no-such-tag');
    expect(none).toEqual([]);
  });

  test('finds panels by number, a part of a name in any case, or a code, as the catalogue does', async () => {
    const listed = async (name: string): Promise<readonly number[]> => {
      const answer = await ask(`panels/?name=${encodeURIComponent(name)}`);
      const { results } = (await answer.json()) as { readonly results: readonly { readonly id: number }[] };
      return results.map(({ id }) => id);
    };
    const [{ id = 0, name = '' } = {}] = panels;
    const part = name.slice(1, -1).toUpperCase();
    const holding = panels.filter((panel) => panel.name.toUpperCase().includes(part));
    expect(await listed(part)).toEqual(holding.map((panel) => panel.id));
    expect(await listed(String(id))).toEqual([id]);
    expect(await listed('no such panel')).toEqual([]);
    const one = (await (await ask(`panels/${encodeURIComponent(part)}/`)).json()) as { readonly id: number };
    expect(one.id).toBe(holding[0]?.id);
  });

  test('finds a gene on every panel that holds it', async () => {
    const details = await Promise.all(
      panels.map(
        async ({ id }) =>
          (await (await ask(`panels/${id}/`)).json()) as {
            readonly id: number;
            readonly genes: readonly { readonly entity_name: string; readonly panel?: unknown }[];
          },
      ),
    );
    const holders = details.filter(({ genes }) =>
      genes.some(({ entity_name: name, panel }) => name === gene && panel === undefined),
    );
    for (const path of [`genes/${gene}/`, `genes/?entity_name=${gene}`, `entities/${gene}/`]) {
      const { results } = (await (await ask(path)).json()) as {
        readonly results: readonly { readonly panel: { readonly id: number } }[];
      };
      expect(results.map(({ panel }) => panel.id)).toEqual(holders.map(({ id }) => id).sort((a, b) => a - b));
    }
    expect(holders.length).toBeGreaterThan(0);
  });

  test('keeps a tool that follows "next" on the relay, with what it asked for', async () => {
    const { next } = (await (await ask('activities/?format=json')).json()) as { readonly next: string };
    expect(next).toBe('http://relay.example/uk/api/v1/activities/?format=json&page=2');
  });

  test('says how well an answer is known, and sends nothing twice', async () => {
    const [{ id = 0 } = {}] = panels;
    const first = await ask(`panels/${id}/`);
    const tag = first.headers.get('etag') ?? '';
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      'relay-proof': expect.stringMatching(/^(?:proven|baseline|explained)$/),
      'relay-read-at': expect.stringMatching(/^2026-11-20T/),
      'relay-as-of': expect.stringMatching(/^2026-11-20T/),
      'content-digest': expect.stringMatching(/^sha-256=:[\w+/=]{44}:$/),
    });
    const again = await ask(`panels/${id}/`, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await ask(`panels/${id}/`, { method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
      200,
      '',
      first.headers.get('content-length'),
    ]);
  });

  test('never says that the log is empty', async () => {
    const { harness, clock } = followed;
    const rows = { ...harness.relaySource.rows, list: () => [] };
    const answer = await relayOf({ ...harness.relaySource, rows }, clock.now)('/uk/api/v1/activities/');
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { detail: 'No row of the log was published by then.' },
    ]);
  });

  test('answers what no tool should ask with a sentence', async () => {
    const seen = async (path: string, init?: RequestInit): Promise<unknown> => {
      const answer = await followed.ask(path, init);
      const { detail } = (await answer.json()) as { readonly detail: string };
      return [answer.status, detail];
    };
    expect(await seen('/uk/api/v1/panels/', { method: 'POST' })).toEqual([405, 'Method "POST" not allowed.']);
    expect(await seen('/au/api/v1/panels/')).toEqual([404, 'There is no such catalogue here. There is uk.']);
    expect(await seen('/uk/at/2026-02-31/api/v1/panels/')).toEqual([
      404,
      expect.stringContaining('There is no such day.'),
    ]);
    expect(await seen('/uk/at/2027-01-01/api/v1/panels/')).toEqual([
      404,
      '2027-01-01 is not over; days before it are served',
    ]);
    expect(await seen('/uk/at/2020-01-01/api/v1/panels/')).toEqual([
      503,
      'Nothing has been read for that day.',
    ]);
    expect(await seen(`/uk/api/v1/panels/${panels[0]?.id}/?version=abc`)).toEqual([
      404,
      'Incorrect version supplied',
    ]);
    expect(await seen('/uk/api/v1/panels/%ff/')).toEqual([400, expect.stringContaining('UTF-8')]);
    expect(await seen('/uk/api/v1/../../../etc/passwd')).toEqual([
      404,
      expect.stringContaining('Expected /uk/api/v1/'),
    ]);
    expect(await seen('/uk/api/v1/panels/?retired=True')).toEqual([
      400,
      expect.stringContaining('retired panels'),
    ]);
    const moved = await followed.ask('/uk/api/v1/panels?page=1');
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/uk/api/v1/panels/?page=1']);
    expect((await followed.ask('/uk/api/v1/panels/', { method: 'OPTIONS' })).status).toBe(200);
  });
});

describe('before all is read, a relay', () => {
  test('says that the panels were not listed, and which one was not read: never an empty list', async () => {
    const followed = await follow();
    const seen = async (path: string): Promise<unknown> => {
      const answer = await followed.ask(`/uk/api/v1/${path}`);
      return [answer.status, answer.headers.get('retry-after'), await answer.json()];
    };
    const unlisted = { detail: 'The panels of the catalogue have not been listed yet.' };
    for (const path of ['panels/', 'panels/1/', 'genes/', 'regions/', 'activities/', 'panels/signedoff/'])
      expect(await seen(path)).toEqual([503, '60', unlisted]);
    await followed.harness.poll();
    await followed.harness.sweep();
    followed.clock.pass(HOUR);
    const unread = {
      detail: expect.stringMatching(/^Panel \d+, version \S+, has not been read yet, and \d+ more panels\.$/),
    };
    for (const path of ['panels/', 'genes/', 'regions/'])
      expect(await seen(path)).toEqual([503, '60', unread]);
    expect(await seen('panels/signedoff/')).toEqual([
      503,
      '60',
      { detail: 'The list of signed-off versions has not been read yet.' },
    ]);
    await followed.harness.close();
    await followed.catalogue.close();
  });
});

describe('as of a day, a relay', () => {
  test('answers as the catalogue did, with the same bytes whenever it is asked', async () => {
    const followed = await follow();
    const { clock, catalogue, harness, ask } = followed;
    await readAll(followed);
    const paths = ['panels/', 'regions/', 'activities/'];
    const { results } = (await (await fetch(`${catalogue.url}panels/`)).json()) as {
      readonly results: readonly { readonly id: number }[];
    };
    paths.push(...results.map(({ id }) => `panels/${id}/`));
    const then = await Promise.all(paths.map(async (path) => jsonOf(await fetch(`${catalogue.url}${path}`))));
    clock.pass(DAY);
    for (let act = 0; act < 40; act += 1) {
      catalogue.act();
      clock.pass(60_000);
    }
    await readAll(followed);
    const day = (path: string): Promise<Response> => ask(`/uk/at/2026-11-20/api/v1/${path}`);
    const answers = await Promise.all(paths.map(day));
    const seen = await Promise.all(answers.map((answer) => jsonOf(answer.clone())));
    for (const [index, path] of paths.entries()) expect(seen[index], path).toEqual(then[index]);
    const now = await Promise.all(paths.map(async (path) => jsonOf(await ask(`/uk/api/v1/${path}`))));
    expect(now).not.toEqual(then);
    clock.pass(DAY);
    await readAll(followed);
    for (const [index, answer] of answers.entries()) {
      const again = await relayOf(harness.relaySource, clock.now)(`/uk/at/2026-11-20/api/v1/${paths[index]}`);
      expect(await again.text()).toBe(await answer.text());
    }
    expect(answers[0]?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    await harness.close();
    await catalogue.close();
  });
});
