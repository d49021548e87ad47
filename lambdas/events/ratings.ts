import * as z from 'zod';

/** Ratings as lists: green is diagnostic; `none` is "No list". */
export const ratings = ['green', 'amber', 'red', 'none'] as const;
export const ratingSchema = z.enum(ratings);
export type Rating = z.infer<typeof ratingSchema>;
