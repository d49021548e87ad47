import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Race } from '../figure.ts';
import type { RelayRun } from '../relay-run.ts';
import { PANELS } from '../states-server.ts';

const program = fileURLToPath(new URL('../relay-run.ts', import.meta.url));

/** What the relay takes to answer with a panel, against files of the same bytes by the same server. */
export const relay: Race = {
  name: 'relay',
  title: `Fifty tools that ask the relay for ${PANELS} panels, one after another`,
  run: async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    const found = JSON.parse(stdout) as RelayRun;
    return {
      figures: [
        {
          name: 'a panel from the relay, against the same bytes from a file (CPU)',
          value: found.relay / found.files,
          unit: '×',
          baseline: `a file of ${found.kilobytes.toFixed(0)} kB, ${found.files.toFixed(2)} ms`,
          goal: 2,
        },
        // One thread then answers a thousand requests a second.
        { name: 'a panel from the relay (CPU)', value: found.relay, unit: 'ms', goal: 1 },
        { name: 'answers in a second, beside the tools', value: found.answersASecond, unit: '' },
      ],
    };
  },
};
