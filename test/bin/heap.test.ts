import { execFile } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { run } from '../../bin/main.ts';
import { systemClock } from '../../lambdas/run/clock.ts';

const heap = fileURLToPath(new URL('../../bin/command.ts', import.meta.url));

/** Prints the megabytes of the space of young objects, after work in which all survive, under each of the bounds. */
const program = `
  import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
  import { allowYoungObjects, boundHeap } from ${JSON.stringify(heap)};
  const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1024 ** 2;
  const kept = [];
  const work = () => {
    for (let index = 0; index < 10_000; index++) kept.push({ index });
  };
  // As the engine begins; until here, loading was kept from growing it.
  setFlagsFromString('--semi-space-growth-factor=2');
  boundHeap();
  for (let chunk = 0; chunk < 100; chunk++) work();
  const bounded = size();
  for (let chunk = 0; chunk < 100; chunk++) {
    allowYoungObjects();
    work();
  }
  const allowed = size();
  console.log(JSON.stringify({ bounded, allowed }));
`;

// Unbounded, it grows to 64 MB here. How much it has beyond its bound depends on when the engine gives pages back.
test('young objects have little memory, also while a backlog is read', async () => {
  const flags = ['--semi-space-growth-factor=1', '--input-type=module'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', program]);
  const { bounded, allowed } = JSON.parse(stdout);
  expect(bounded).toBeLessThan(32);
  expect(allowed).toBeLessThan(32);
});

test.each(['worklist', 'poll'])(
  '%s is named once it is loaded, for the bound of its memory',
  async (name) => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const { signal } = new AbortController();
    const loaded: string[] = [];
    const io = { stdin, stdout, stderr, env: {}, clock: systemClock, signal };
    expect(await run([name, '--no-such-option'], io, (command) => loaded.push(command))).toBe(2);
    expect(loaded).toEqual([name]);
  },
);
