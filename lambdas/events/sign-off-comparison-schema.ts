import * as z from 'zod';
import { ratingSchema } from './ratings.ts';

const ratingAt = () =>
  z
    .union([ratingSchema, z.literal('absent')])
    .nullable()
    .describe('`absent`: the version does not hold it. Null: the catalogue did not serve it.');

const comparedEntity = () =>
  z.object({
    entity: z.object({
      type: z.enum(['gene', 'str', 'region']),
      name: z.string(),
      hgncId: z.string().optional(),
    }),
    before: ratingAt(),
    after: ratingAt(),
    modeOfInheritance: z.string().nullable().describe('In the later version.'),
  });

const compared = (description: string) => z.array(comparedEntity()).nullable().describe(description);

/** What a sign-off changed of what counts. A list is null where one of its versions is unknown; `unknown` says which. */
export const signOffComparisonSchema = () =>
  z.object({
    entered: compared('Green in the version that is signed off, and not in the one before.'),
    left: compared('Green in the one before, and no longer in the one that is signed off.'),
    awaiting: compared('Green in the newest version that is known, and not in the one that is signed off.'),
    downgraded: compared(
      'Green in the one that is signed off, and no longer in the newest one that was read.',
    ),
    green: compared('All that is green, where what was signed off before is unknown.'),
    newest: z.string().nullable().describe('The newest version that is known.'),
    counting: z
      .object({ version: z.string(), date: z.string() })
      .nullable()
      .describe('Another sign-off that counts at present.'),
    filtered: z.boolean().describe('Whether the lists hold only what the subscription asks for.'),
    unknown: z
      .array(z.string())
      .describe('What could not be compared, in sentences. Its list is null, never empty.'),
  });
