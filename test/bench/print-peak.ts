import { peakMegabytes } from './peak-memory.ts';

// Loaded by `--import` before a program: prints the most memory that the program held, as it ends.
process.on('exit', () => process.stderr.write(`\npeak:${peakMegabytes()}\n`));
