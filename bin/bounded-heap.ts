import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the memory of this process near what its work holds at once, which is small. By default the engine gives young
 * objects up to 48 MB a thread, and lets old ones double before it collects them. Measured with a backlog of 30,000 rows:
 * 165 MB in place of 330 MB, for a fifth more CPU time. To be called before the work begins.
 */
export function boundHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=70');
}
