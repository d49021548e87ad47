import { statSync } from 'node:fs';
import { printable } from '../../lambdas/run/printable.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { type Io, UsageError } from '../command.ts';
import { declareWithOperands, type OptionValues, text } from '../declare-command.ts';
import { writeBackup } from '../local/backup.ts';
import { defaultState, openForReading } from '../local/open-state.ts';

const options = { state: text('DIR', 'the folder to copy', defaultState) };

async function run(
  values: OptionValues<typeof options>,
  operands: readonly string[],
  io: Io,
): Promise<number> {
  const [file, ...others] = operands;
  if (file === undefined || others.length > 0) {
    throw new UsageError(
      `saw ${counted(operands.length, 'operand')}; expected the FILE to write, and nothing else`,
    );
  }
  const state = openForReading(values.state);
  try {
    const { events, marks } = writeBackup(state, file, io.clock);
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    const published = marks.map(({ catalogue, mark }) => `"${catalogue}" published up to ${mark}`);
    io.stderr.write(
      `${printable([`${file}: ${megabytes} MB, ${counted(events, 'event')}`, ...published].join(', '))}\n`,
    );
    return 0;
  } finally {
    state.close();
  }
}

export const command = declareWithOperands({
  name: 'backup',
  synopsis: ['FILE [options]'],
  about: [
    'Copies state and history of a folder into one new file, while watch and polls go on. The copy is checked, is for its owner alone, and never replaces a file.',
    'To restore it, stop watch, put the file into an empty folder as notifier.sqlite, and start watch with that folder as --state. The first poll says that the state was restored, and publishes again, with the same ids, what was published since the backup.',
  ],
  options,
  exitCodes: '0 done, 1 failed (nothing was written), 2 wrong arguments',
  examples: ['$0 backup /backup/notifier-2026-11-22.sqlite --state /var/lib/gene-panel-notifier'],
  run,
});
