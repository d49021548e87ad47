import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readActivity } from '../../lambdas/catalogue/log-row.ts';
import { activitySchema } from '../../lambdas/catalogue/schemas.ts';
import { open } from './http/fixtures/opened.ts';
import { body, json, row } from './http/fixtures/responses.ts';
import { serve } from './http/fixtures/server.ts';

const fields = Object.keys(activitySchema.unwrap().shape) as readonly (keyof typeof row)[];

/** The rows of a page whose JSON is written by hand. */
async function rowsOf(...rows: readonly string[]): Promise<readonly unknown[]> {
  const { url } = await serve(body(`{"count":1,"next":null,"results":[${rows.join(',')}]}`));
  return (await open(url).catalogue.activities(1))?.rows ?? [];
}

const written = (field: keyof typeof row, value: string): string =>
  JSON.stringify({ ...row, [field]: 'HERE' }).replace('"HERE"', value);

test('a valid row is the activity itself', () => {
  const read = readActivity(row);
  expect(read).toEqual({ ok: true, activity: row });
  expect(read.ok && read.activity).toBe(row);
});

test.each(['panel_version', 'user_name', 'item_type', 'entity_name', 'entity_type'] as const)(
  '%s may be null',
  (field) => {
    expect(readActivity({ ...row, [field]: null })).toMatchObject({ ok: true });
  },
);

describe('a row is invalid', () => {
  test.each(fields)('without %s', (field) => {
    const { [field]: _, ...rest } = row;
    expect(readActivity(rest)).toMatchObject({
      ok: false,
      problem: expect.stringContaining(`${field} is missing`),
    });
  });

  test.each([
    ['created', null, 'created is null, expected text'],
    ['panel_name', null, 'panel_name is null, expected text'],
    ['panel_id', '7', 'panel_id is "7", expected a number'],
    ['panel_id', 7.5, 'panel_id is 7.5, expected a whole number'],
    ['panel_id', true, 'panel_id is true, expected a number'],
    ['panel_version', 3, 'panel_version is 3, expected text'],
    ['user_name', { name: 'Zoë' }, 'user_name is an object, expected text'],
    ['text', ['a', 'b'], 'text is a list, expected text'],
    ['text', null, 'text is null, expected text'],
    ['entity_name', 0, 'entity_name is 0, expected text'],
  ] as const)('with a %s of %j', (field, value, problem) => {
    expect(readActivity({ ...row, [field]: value })).toEqual({ ok: false, problem });
  });

  test.each([null, undefined, 7, 'a text', true, [], [row], {}].map((value) => [value]))('as %j', (value) => {
    expect(readActivity(value)).toMatchObject({ ok: false });
  });

  test('and the first problem is named, the others are counted', () => {
    const problem = 'panel_id is "7", expected a number (and 2 more)';
    expect(readActivity({ ...row, panel_id: '7', text: 1, entity_type: 2 })).toEqual({ ok: false, problem });
  });

  test('and the problem is short, even for a long row', () => {
    const read = readActivity({ ...row, panel_id: 'x'.repeat(1_000_000) });
    expect(read.ok ? '' : read.problem).toMatch(/^panel_id is "x{59}…, expected/);
  });
});

describe('a number that JavaScript would change', () => {
  test.each([
    ['panel_version', '3.10', 'text'],
    ['panel_version', '2.1', 'text'],
    ['panel_version', '-0.50', 'text'],
    ['panel_id', '12345678901234567890', 'a number'],
    ['panel_id', '9007199254740993', 'a number'],
    ['panel_id', '1e400', 'a number'],
    ['text', '-1.50e-7', 'text'],
  ] as const)('in %s, %s, is kept as received and is invalid', async (field, value, expected) => {
    const rows = await rowsOf(JSON.stringify(row), written(field, value));
    expect(rows[0]).toEqual(row);
    expect(JSON.stringify(rows[1])).toBe(written(field, value));
    const problem = `${field} is ${value}, expected ${expected}`;
    expect(readActivity(rows[1])).toEqual({ ok: false, problem });
  });

  test('in an unknown field does no harm', async () => {
    const text = `${JSON.stringify(row).slice(0, -1)},"id":12345678901234567890}`;
    const rows = await rowsOf(text);
    expect(readActivity(rows[0])).toMatchObject({ ok: true });
    expect(JSON.stringify(rows[0])).toBe(text);
  });

  test('is found where it is the only number on the page', async () => {
    const { url } = await serve(body('{"results":[{"panel_version":3.10}]}'));
    const page = await open(url).catalogue.activities(1);
    expect(JSON.stringify(page?.rows)).toBe('[{"panel_version":3.10}]');
  });

  test('is the only thing that changes', async () => {
    const all = '{"a":[0,-7,1.5,7e2,true,null,"3.10",{"b":9007199254740991}],"c":3.10}';
    const [read] = await rowsOf(all);
    expect(JSON.stringify(read)).toBe(all.replace('7e2', '700'));
    expect(read).toMatchObject({ a: [0, -7, 1.5, 700, true, null, '3.10', { b: Number.MAX_SAFE_INTEGER }] });
  });
});

describe('unknown fields', () => {
  test.each(['constructor', 'toString', 'hasOwnProperty', 'prototype', 'extra'])(
    'a field named %s is kept',
    async (name) => {
      const { url } = await serve(json({ results: [{ ...row, [name]: { a: 1 } }] }));
      const rows = (await open(url).catalogue.activities(1))?.rows ?? [];
      expect(rows).toEqual([{ ...row, [name]: { a: 1 } }]);
      expect(readActivity(rows[0])).toMatchObject({ ok: true });
    },
  );

  test.each(['7', '3.10'])('a field named __proto__ is removed, beside the number %s', async (number) => {
    const evil = `"__proto__":{"polluted":${number},"panel_id":8},"more":{"__proto__":null}`;
    const [read] = await rowsOf(`${JSON.stringify(row).slice(0, -1)},${evil}}`);
    expect(read).toEqual({ ...row, more: {} });
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(readActivity(read)).toMatchObject({ ok: true });
    expect('polluted' in {}).toBe(false);
  });

  test('a row does not get its fields from __proto__', async () => {
    const [read] = await rowsOf(`{"__proto__":${JSON.stringify(row)}}`);
    expect(readActivity(read)).toMatchObject({ ok: false });
  });
});

test('any JSON value is received as it was sent, and is checked without an exception', async () => {
  const { url } = await serve((response, request) => {
    const [, sent = ''] = /page=(\d+)/.exec(request.url ?? '') ?? [];
    response.end(`{"results":[${texts[Number(sent)]}]}`);
  });
  const { catalogue } = open(url);
  const values = fc.sample(fc.jsonValue({ maxDepth: 6 }), { numRuns: 60, seed: 1 });
  const texts = values.map((value) => JSON.stringify(value));
  for (const [number, text] of texts.entries()) {
    if (number < 2 || text.includes('"__proto__"')) continue;
    const [read] = (await catalogue.activities(number))?.rows ?? [];
    expect(JSON.stringify(read)).toBe(text);
    expect(readActivity(read).ok).toBe(false);
  }
});
