import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Io } from '../../bin/command.ts';
import { eventOutput, type Format, openOutput, writeDocument } from '../../bin/output.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { anyEvent } from '../events/any-event.ts';
import { newFolder } from '../new-folder.ts';

const directory = newFolder();

const io: Io = {
  stdin: Readable.from([]),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
  clock,
  signal: new AbortController().signal,
};
const events = fc.sample(anyEvent, { seed: 3, numRuns: 3 });

async function append(file: string, format: Format, some: readonly PanelEvent[]): Promise<void> {
  const output = eventOutput(format, openOutput(file, io), io);
  await output.write(some.map((event) => ({ event })));
  output.close();
}

test('a document replaces what its file held', async () => {
  const file = join(directory, 'report.html');
  for (const text of ['a long first report\n', 'a second one\n']) await writeDocument(text, file, io);
  expect(await readFile(file, 'utf8')).toBe('a second one\n');
});

test.skipIf(process.platform === 'win32')('a document that names cases is for its owner alone', async () => {
  const file = join(directory, 'cases.csv');
  await writeDocument('a\n', file, io);
  await chmod(file, 0o644);
  await writeDocument('b\n', file, { ...io, isPersonal: true });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

const hostile = 'BRCA1 \u001b[2J\u009d52;c;eA==\u009c\u007f\u202e\u2066\u200b';

test.each(['ndjson', 'csv', 'table'] as const)('%s holds nothing that steers a terminal', async (format) => {
  const file = join(directory, `hostile.${format}`);
  const [event] = events;
  if (!event) throw new Error('expected an event');
  const data = {
    ...event.data,
    actor: hostile,
    summary: hostile,
    panel: { id: 1, name: hostile, version: null },
  };
  const named = { ...event, data } as PanelEvent;
  const output = eventOutput(format, openOutput(file, io), io);
  // A body that was published before bodies had these characters as escapes.
  await output.write([{ event: named, body: JSON.stringify(named) }]);
  output.close();
  const text = (await readFile(file, 'utf8')).replace('\ufeff', '');
  expect(text).toContain('BRCA1');
  expect(text).not.toMatch(/(?![\r\n])[\p{Cc}\p{Cf}]/u);
});

describe('a file', () => {
  test('gets the lines of several runs, one after the other', async () => {
    const file = join(directory, 'events.ndjson');
    for (const event of events) await append(file, 'ndjson', [event]);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as PanelEvent)).toEqual(events);
  });

  test('gets one heading and one byte order mark from several runs in CSV', async () => {
    const file = join(directory, 'events.csv');
    for (const event of events) await append(file, 'csv', [event]);
    const text = await readFile(file, 'utf8');
    expect(text.match(/\ufefftime,/g)).toHaveLength(1);
    expect(text.match(/\ufeff|time,catalogue/g)).toHaveLength(2);
  });

  test('that ends in an unfinished line gets complete lines after it', async () => {
    const file = join(directory, 'cut.ndjson');
    await writeFile(file, '{"specversion":"1.0","id":"4');
    await append(file, 'ndjson', events);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines.slice(1).map((line) => JSON.parse(line) as PanelEvent)).toEqual(events);
  });

  test.each<readonly [file: string, reason: string]>([
    // Only Linux has a file that is always full.
    ...(process.platform === 'linux' ? [['/dev/full', 'no space is left'] as const] : []),
    [join(tmpdir(), 'nothing', 'events'), 'there is no such directory'],
    [tmpdir(), 'it is a directory'],
  ])('%s is refused with its reason', async (file, reason) => {
    await expect(append(file, 'ndjson', events)).rejects.toMatchObject({
      code: 'OUTPUT_UNWRITABLE',
      message: `Writing to ${file}: ${reason}. Nothing is lost: run the command again.`,
    });
  });
});
