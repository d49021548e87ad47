import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startBacklogServer } from '../backlog-server.ts';
import type { Race } from '../figure.ts';
import { historyOf } from '../history-of.ts';

const EVENTS = Number(process.env.HISTORY ?? 1_000_000);
const program = fileURLToPath(new URL('../readers-run.ts', import.meta.url));

/** What a poll takes beside the page of a history of a million events, while a hundred people read it without a pause. */
export const readers: Race = {
  name: 'readers',
  title: `A hundred readers of the page over ${EVENTS.toLocaleString('en')} events, beside the polls of the same process`,
  run: async () => {
    const { folder } = await historyOf(EVENTS);
    const server = await startBacklogServer(100);
    const { stdout } = await promisify(execFile)(process.execPath, [program, folder, server.catalogue]);
    server.close();
    const found = JSON.parse(stdout) as Record<'alone' | 'beside' | 'viewsASecond', number>;
    return {
      figures: [
        {
          name: 'a quiet poll beside them',
          value: found.beside,
          unit: 'ms',
          baseline: `a quiet poll without readers, ${found.alone.toFixed(1)} ms`,
          goal: 100,
        },
        { name: 'views in a second, of all readers together', value: found.viewsASecond, unit: 'views' },
      ],
      notes: ['Each poll waits for one view at a time, about ten of them: one process does both.'],
    };
  },
};
