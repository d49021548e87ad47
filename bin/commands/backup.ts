import { statSync } from 'node:fs';
import { printable } from '../../lambdas/run/printable.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { readArguments } from '../arguments.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { writeBackup } from '../local/backup.ts';
import { defaultState, openForReading } from '../local/open-state.ts';

const usage = `
gene-panel-notifier backup FILE [options]

Copies state and history of a folder into one new file, while watch and polls go on. The copy is checked, is for its owner
alone, and never replaces a file.

To restore it, stop watch, put the file into an empty folder as notifier.sqlite, and start watch with that folder as
--state. The first poll says that the state was restored, and publishes again, with the same ids, what was published since
the backup.

Options:
  --state DIR          the folder to copy (default: ${defaultState})

Exit codes: 0 done, 1 failed (nothing was written), 2 wrong arguments.

Example:
  gene-panel-notifier backup /backup/notifier-2026-11-22.sqlite --state /var/lib/gene-panel-notifier
`;

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, { state: { type: 'string' } });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) {
    throw new UsageError(
      `saw ${counted(positionals.length, 'operand')}; expected the FILE to write, and nothing else`,
    );
  }
  const state = openForReading(values.state ?? defaultState);
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

export const command: Command = { name: 'backup', usage, run };
