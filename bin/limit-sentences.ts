import type { AnswerLimits } from '../lambdas/questions/answer-limits.ts';
import { dayOf } from '../lambdas/run/instant.ts';
import { howMuchWasRead } from '../lambdas/store/history/read-part.ts';
import { nothingFoundWords, unreadSentences } from '../lambdas/store/history/read-part-words.ts';

/**
 * What the reader of an answer must know: names that do not exist, and times that were not read.
 * @param found how many events were found
 */
export function limitSentences({ names, read, isAnswer }: AnswerLimits, found: number): readonly string[] {
  const unread = unreadSentences(read, dayOf);
  if (found > 0) return howMuchWasRead(read) === 'all' ? names : [...names, ...unread];
  return [...names, nothingFoundWords('No event was found', read, isAnswer), ...unread];
}

/** The exit code of an answer that says nothing, in the help of a command. */
export const limitedExitUsage = '3 a name in the filter is unknown, or nothing of the period was read';
