import { readFileSync } from 'node:fs';
import { platform } from 'node:process';

/**
 * The most memory that this process held, the engine itself included, in megabytes.
 *
 * On Linux a new process inherits the peak of the one that started it in `maxRSS`, so that a small program started by
 * a large one looks large; the kernel's own count for the program begins at its start.
 */
export function peakMegabytes(): number {
  const kilobytes =
    platform === 'linux'
      ? Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
      : process.resourceUsage().maxRSS;
  return kilobytes / 1024;
}
