import * as z from 'zod';
import { ratings } from './closed-lists.ts';

export { ratings };
export const ratingSchema = z.enum(ratings);
export type Rating = z.infer<typeof ratingSchema>;
