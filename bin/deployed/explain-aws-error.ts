import { awsProblem } from './aws-problem.ts';

/**
 * The message of an error that a table caused, for the person who runs a command. The error itself is worded for a
 * function, whose next run tries again; a person needs to know what to do. Null where AWS did not cause it.
 */
export function explainAwsError({ message, cause }: Error): string | null {
  if (!(cause instanceof Error)) return null;
  const isAws =
    '$metadata' in cause || /ProviderError$/.test(cause.name) || cause.message.startsWith('Region ');
  const end = message.indexOf(`: ${cause.name}: `);
  if (!isAws || end < 0) return null;
  const { seen, remedy } = awsProblem(cause);
  return `${message.slice(0, end)}: ${seen}. ${remedy}`;
}
