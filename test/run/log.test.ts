import { expect, test } from 'vitest';
import { jsonLog } from '../../lambdas/run/log.ts';

function recorded() {
  const lines: string[] = [];
  const log = jsonLog(
    (line) => lines.push(line),
    () => Date.UTC(2026, 0, 31),
  );
  return { log, lines };
}

test('an entry is one JSON object with the field names of Lambda', () => {
  const { log, lines } = recorded();
  log.warn('A request is retried', { retry: 1 });
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    timestamp: '2026-01-31T00:00:00.000Z',
    level: 'WARN',
    message: 'A request is retried',
    retry: 1,
  });
});

test('a text with line breaks stays on one line', () => {
  const { log, lines } = recorded();
  log.info('a\nb', { text: '\r\n{"level":"ERROR"}\u2028' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/[\r\n]/);
});

test('an error is written with name, code, message and causes, without its other properties', () => {
  const { log, lines } = recorded();
  const cause = Object.assign(new TypeError('inner'), { request: 'canary' });
  log.error('It failed', {
    error: Object.assign(new Error('outer', { cause }), { code: 'X', headers: 'canary' }),
  });
  expect(JSON.parse(lines[0] ?? '').error).toEqual({
    name: 'Error',
    code: 'X',
    message: 'outer',
    cause: { name: 'TypeError', message: 'inner' },
  });
  expect(lines[0]).not.toContain('canary');
});
