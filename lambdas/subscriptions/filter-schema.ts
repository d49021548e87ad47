import * as z from 'zod';
import { directions, eventKindNames, ratings } from '../events/changes.ts';
import { entityTypes, typeName } from '../events/schemas.ts';
import { topics } from '../events/topics.ts';

/**
 * The filter language: one vocabulary for the command line, the history and subscriptions. Keys combine with
 * AND, the values inside a key with OR; a filter without keys matches every event.
 * Matching (`filter.ts`) needs no schema, so that a function loads without one.
 */

const some = <Value extends z.ZodType>(value: Value) => z.array(value).min(1).exactOptional();
const name = z.string().trim().min(1);
const types = [...eventKindNames, ...eventKindNames.map(typeName)] as const;
/** `unknown`: the rating is unknown. */
const filterRatings = [...ratings, 'unknown'] as const;

export const filterSchema = z.strictObject({
  catalogues: some(name).describe('Names of catalogues, as configured.'),
  panels: some(z.union([z.number().int(), name])).describe(
    'Ids or names of panels. A renamed panel matches by both names.',
  ),
  panelTypes: some(name).describe('Slugs of panel types, such as `gms-signed-off`.'),
  rCodes: some(z.string().regex(/^R\d+(?:\.\d+)?$/i, 'expected a code such as R59 or R59.3')).describe(
    'Codes of the National Genomic Test Directory. `R59` matches `R59.3` too.',
  ),
  genes: some(name).describe(
    'Names of genes, STRs or regions, in any letter case. A replaced symbol matches by both names.',
  ),
  entityTypes: some(z.enum(entityTypes)),
  topics: some(z.enum(topics)),
  types: some(z.enum(types)).describe('Event types, with or without `gene-panel.` and `.v1`.'),
  from: some(z.enum(filterRatings)).describe('Ratings before; only `entity.classified` matches.'),
  to: some(z.enum(filterRatings)).describe('Ratings after; only `entity.classified` matches.'),
  direction: some(z.enum(directions)).describe('Only `entity.classified` matches.'),
  tags: some(name).describe('Tags that were added or removed, in any letter case.'),
  actors: some(name).describe('Display names of curators and reviewers, in any letter case.'),
  late: z.boolean().exactOptional().describe('Only late events, or none of them.'),
});
