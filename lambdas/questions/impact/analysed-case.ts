import * as z from 'zod';

/**
 * What one line of a file of cases says: that a case was analysed with a panel, at a version, on a day, or both. A case
 * may have several lines.
 */
export const analysedCaseSchema = z.object({
  /** Counted from 1, as editors show it: all that a message may say of a case. */
  line: z.int(),
  /** What the laboratory calls the case. It stays on this machine. */
  case: z.string(),
  /** A panel's number, `hash_id`, R code, present or former name. */
  panel: z.string(),
  version: z.string().nullable(),
  /** ISO 8601: a day, in UTC, or a time. */
  date: z.string().nullable(),
  /** Why nothing can be known of the line, as a clause that quotes nothing of the case; absent for a usable line. */
  unknown: z.string().optional(),
});
export type AnalysedCase = z.infer<typeof analysedCaseSchema>;
