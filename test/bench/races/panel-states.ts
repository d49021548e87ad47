import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Figure, Race } from '../figure.ts';
import type { StatesRun } from '../states-run.ts';
import { LARGEST, MIDDLE, PANELS, SIGNED_OFF } from '../states-server.ts';

/** What reading and proving the states of panels costs, on a catalogue of the size of PanelApp UK. */
export const panelStates: Race = {
  name: 'panel-states',
  title: `The states of ${PANELS} panels, the largest of ${LARGEST.toLocaleString('en')} genes`,
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'states-'));
    try {
      const program = fileURLToPath(new URL('../states-run.ts', import.meta.url));
      const { stdout } = await promisify(execFile)(process.execPath, [program, folder]);
      const run = JSON.parse(stdout) as StatesRun;
      const { baseline, proof, leastOfProof, nothingToProve, stateMilliseconds, quietDay } = run;
      const otherProofs = [
        [`${MIDDLE / 2} genes`, run.halfProof],
        [`${2 * MIDDLE} genes`, run.doubleProof],
        ['the largest panel', run.largestProof],
      ] as const;
      const times = Object.entries(stateMilliseconds).map(
        ([format, value]): Figure => ({
          name: `state of the largest panel as ${format}, within the process`,
          value,
          unit: 'ms',
          goal: 100,
        }),
      );
      return {
        figures: [
          {
            name: `requests of a baseline, ${SIGNED_OFF} signed-off versions included`,
            value: baseline.requests,
            unit: '',
            goal: PANELS + SIGNED_OFF,
          },
          { name: 'its time at the default pace', value: baseline.waitedSeconds / 60, unit: 'min' },
          { name: 'its CPU time', value: baseline.cpuMilliseconds / 1000, unit: 's', goal: 20 },
          { name: 'its peak memory', value: baseline.peakMegabytes, unit: 'MB', goal: 200 },
          { name: 'requests of the proof of one version', value: proof.requests, unit: '', goal: 2 },
          {
            name: `CPU time of the proof of one version, ${MIDDLE} genes, in a warm process`,
            value: proof.cpuMilliseconds,
            unit: 'ms',
            goal: 10,
          },
          {
            name: 'the same for the least that it takes',
            value: proof.cpuMilliseconds / leastOfProof,
            unit: '×',
            baseline: `its two answers fetched, parsed and hashed, one written: ${leastOfProof.toFixed(1)} ms`,
          },
          ...otherProofs.map(
            ([of, { cpuMilliseconds }]): Figure => ({
              name: `the same of ${of}`,
              value: cpuMilliseconds,
              unit: 'ms',
            }),
          ),
          { name: 'CPU time of a run with nothing to prove', value: nothingToProve, unit: 'ms' },
          ...times,
          {
            name: 'requests for states on a day without a change',
            value: quietDay.state ?? 0,
            unit: '',
            goal: 0,
          },
        ],
        notes: [
          `That day: ${Object.entries(quietDay)
            .map(([what, count]) => `${count} ${what}`)
            .join(', ')}.`,
        ],
      };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};
