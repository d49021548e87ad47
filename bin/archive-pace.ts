import { isLoopback } from '../lambdas/catalogue/http/loopback.ts';
import { type ArchivePace, defaultArchivePace, ownArchivePace } from '../lambdas/panels/settings.ts';
import { readDuration } from './arguments.ts';
import { text } from './declare-command.ts';

export const paceOption = text(
  'SECONDS',
  `the least time between two requests for states of panels: 10, or 2m (default: ${defaultArchivePace.secondsBetween})`,
);

/**
 * How often the archive of a catalogue is asked, where the option says so. A catalogue on this machine is not shared.
 * @throws {UsageError} when the text is no length of time
 */
export function readPace(text: string | undefined, url: string): { readonly archivePace?: ArchivePace } {
  if (text === undefined) return {};
  const secondsBetween = readDuration('--pace', text, { unit: 's', min: 0, max: 3600 }) / 1000;
  const usual = isLoopback(new URL(url).hostname) ? ownArchivePace : defaultArchivePace;
  return { archivePace: { ...usual, secondsBetween } };
}
