import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedProgram } from '../../package/install.ts';
import { startBacklogServer } from '../backlog-server.ts';
import { childCpu } from '../child-cpu.ts';
import type { Race } from '../figure.ts';

const ROUNDS = 15;

/** What the command line of the package takes where there is nothing to do. */
export const startUp: Race = {
  name: 'start-up',
  title: 'The command line as installed, in a new process (CPU)',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'start-up-'));
    const server = await startBacklogServer(1_000);
    try {
      const program = installedProgram(folder);
      const poll = [
        'poll',
        '--only',
        'log',
        '--catalogue',
        server.catalogue,
        '--state',
        join(folder, 'state'),
      ];
      const [node = 0, help = 0, pollHelp = 0, quiet = 0, checkout = 0] = await childCpu(
        [
          { args: ['--eval', '0'] },
          { args: [program, '--help'] },
          { args: [program, 'poll', '--help'] },
          { args: [program, ...poll] },
          { args: ['bin/gene-panel-notifier.js', '--help'] },
        ],
        ROUNDS,
      );
      const baseline = `node --eval 0: ${Math.round(node)} ms`;
      return {
        figures: [
          { name: '--help', value: help, unit: 'ms', baseline, goal: 120 },
          { name: 'poll --help', value: pollHelp, unit: 'ms', baseline },
          { name: 'poll that finds nothing new', value: quiet, unit: 'ms', baseline, goal: 300 },
          { name: '--help in the checkout, from its sources', value: checkout, unit: 'ms', baseline },
        ],
      };
    } finally {
      server.close();
      await rm(folder, { recursive: true });
    }
  },
};
