import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DisagreementsRun } from '../disagreements-run.ts';
import type { Race } from '../figure.ts';

/** Panels of each catalogue, genes of a panel, and versions of a panel in the year. */
export const YEAR = { panels: 400, genes: 60, versions: 12 } as const;

const MEGABYTE = 1_000_000;

/** What comparing two catalogues costs after a year of both; nothing is asked of them. */
export const disagreements: Race = {
  name: 'disagreements',
  title: `Two catalogues of ${YEAR.panels} panels of ${YEAR.genes} genes, each panel with ${YEAR.versions} versions in a year`,
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'disagreements-'));
    try {
      const program = fileURLToPath(new URL('../disagreements-run.ts', import.meta.url));
      const { stdout } = await promisify(execFile)(process.execPath, [program, folder]);
      const run = JSON.parse(stdout) as DisagreementsRun;
      return {
        figures: [
          { name: 'CPU time of the first comparison of every pair', value: run.first / 1000, unit: 's' },
          { name: 'the same once a day, with 20 new versions', value: run.daily / 1000, unit: 's', goal: 30 },
          { name: 'CPU time of a turn without a change', value: run.quiet, unit: 'ms', goal: 50 },
          { name: 'the same with one', value: run.oneChange, unit: 'ms', goal: 500 },
          { name: 'events of these', value: run.events, unit: '' },
          { name: 'CPU time of `compare`, every row described', value: run.question / 1000, unit: 's' },
          {
            name: 'peak memory, the year made up and compared',
            value: run.peakMegabytes,
            unit: 'MB',
            goal: 300,
          },
          { name: 'what the year takes on disk', value: run.yearBytes / MEGABYTE, unit: 'MB' },
          { name: 'what the comparison adds', value: run.addedBytes / MEGABYTE, unit: 'MB', goal: 5 },
        ],
      };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};
