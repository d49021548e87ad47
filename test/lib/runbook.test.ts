import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { alarmIds } from '../../lambdas/run/alarm-kinds.ts';
import { thrownCodes } from './error-codes.ts';
import { fieldsOf, runQuery } from './logs-insights.ts';
import { writtenLog } from './written-log.ts';

const runbook = readFileSync('docs/runbook.md', 'utf8');
const sections = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
);

describe.each(alarmIds)('the section %s', (id) => {
  test.each(['Look', 'Do'])('says where to look and what to do: %s', (part) => {
    const [, text = ''] = (sections.get(id) ?? '').split(`**${part}:** `);
    expect(text.split('\n\n')[0]?.length).toBeGreaterThan(60);
  });
});

test('no section describes an alarm that does not exist', () => {
  const others = ['How to investigate', 'Error codes', 'Restore the table'];
  expect([...sections.keys()].filter((name) => !others.includes(name)).sort()).toEqual([...alarmIds].sort());
});

describe('error codes', async () => {
  const handlers = globSync('lambdas/functions/*/handler.ts');
  const thrown = new Set((await Promise.all(handlers.map(thrownCodes))).flatMap((codes) => [...codes]));
  const cells = [...(sections.get('Error codes') ?? '').matchAll(/^- ((?:`[^`]+` ?)+):/gm)].map(
    ([, cell = '']) => cell,
  );
  const explained = cells
    .flatMap((cell) => [...cell.matchAll(/`(…?)([\w-]+)`/g)])
    .flatMap(([, ending, name = '']) => {
      if (!ending) return [name];
      // Some endings cannot occur with webhooks.
      const webhook = thrown.has(`WEBHOOK${name}`) ? [`WEBHOOK${name}`] : [];
      return [`CATALOGUE${name}`, `IDENTITY_PROVIDER${name}`, ...webhook];
    });

  test('are found in the code of the functions', () => {
    expect(handlers).toContain('lambdas/functions/poll/handler.ts');
    expect([...thrown]).toEqual(
      expect.arrayContaining(['LOG_EMPTY', 'STATE_LOST', 'CATALOGUE_HTML', 'denied']),
    );
    expect(thrown.size).toBeGreaterThan(50);
  });

  test('all that a function can throw are explained', () => {
    expect([...thrown].filter((code) => !explained.includes(code)).sort()).toEqual([]);
  });

  test('all that are explained can be thrown', () => {
    expect(explained.filter((code) => !thrown.has(code)).sort()).toEqual([]);
  });
});

describe('the queries', async () => {
  const lines = await writtenLog();
  const queries = [...runbook.matchAll(/```\n(.*?)```/gs)]
    .map(([, text = '']) => text.trim())
    .filter((text) => /^(fields|filter|stats) /.test(text));

  test('are five', () => {
    expect(queries).toHaveLength(5);
  });

  test.each(queries)('%s finds lines that the function wrote', (query) => {
    expect(runQuery(query, lines).length).toBeGreaterThan(0);
  });

  test.each(queries)('%s names only fields that the function writes', (query) => {
    const written = new Set(lines.flatMap((line) => fieldsOfLine(line)));
    // Of a request that is sent again, which these polls have no need of.
    const others = ['@timestamp', 'code', 'polls', 'newest'];
    expect(fieldsOf(query).filter((name) => !others.includes(name) && !written.has(name))).toEqual([]);
  });

  test('find the error that ended a poll, and its code', () => {
    const [what = '', often = ''] = queries;
    expect(runQuery(what, lines)).toContainEqual(
      expect.objectContaining({ level: 'ERROR', 'error.code': 'CATALOGUE_FORBIDDEN' }),
    );
    expect(runQuery(often, lines)).toEqual([{ 'error.code': 'CATALOGUE_FORBIDDEN', polls: 1 }]);
  });

  test('show what each poll did, the newest first', () => {
    expect(runQuery(queries[2] ?? '', lines).map(({ activities }) => activities)).toEqual([0, 2]);
  });

  test('count the anomalies of the log', () => {
    expect(runQuery(queries[4] ?? '', lines)).toEqual([
      { anomaly: 'log-shrunken', polls: 1, newest: expect.any(String) },
    ]);
  });
});

function fieldsOfLine(line: string): string[] {
  const names = (value: unknown, name: string): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => names(inner, name === '' ? key : `${name}.${key}`))
      : [name];
  return names(JSON.parse(line), '');
}
