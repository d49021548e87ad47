import * as z from 'zod';
import { eventKindNames, typeName } from '../events/kinds.ts';
import { isRCode } from '../events/r-codes.ts';
import { filterLists } from './filter-lists.ts';

/**
 * The filter language: one vocabulary for the command line, the history and subscriptions. Keys combine with
 * AND, the values inside a key with OR; a filter without keys matches every event.
 * Matching (`filter.ts`) needs no schema, so that a function loads without one.
 */

/** Errors say what was expected, as a phrase that follows "expected". */
const some = <Value extends z.ZodType>(value: Value) =>
  z.array(value, { error: 'a list of values' }).min(1, { error: 'at least one value' }).exactOptional();
const oneOf = <const Values extends readonly string[]>(values: Values, shown: readonly string[] = values) =>
  z.enum(values, { error: `one of ${shown.join(', ')}` });
const name = z.string({ error: 'text' }).trim().min(1, { error: 'text that is not empty' });
const types = [...eventKindNames, ...eventKindNames.map(typeName)] as const;
const rCode = 'a code such as R59 or R59.3';
const panel = 'the id or the name of a panel';
const hgncId = 'a name, or an HGNC id such as HGNC:1100';
const lists = filterLists();

const shape = {
  catalogues: some(name).describe('Names of catalogues, as configured.'),
  panels: some(z.union([z.number().int().positive({ error: panel }), name], { error: panel })).describe(
    'Ids or names of panels. Any name that a panel ever had finds it.',
  ),
  panelTypes: some(name).describe('Slugs of panel types, such as `gms-signed-off`.'),
  rCodes: some(z.string({ error: rCode }).refine(isRCode, { error: rCode })).describe(
    'Codes of the National Genomic Test Directory. `R59` matches `R59.3` too.',
  ),
  genes: some(name.regex(/^(?!hgnc(?!:\d+$))/i, { error: hgncId })).describe(
    'Names of genes, STRs or regions, in any letter case, or HGNC ids such as HGNC:1100. A symbol that HGNC replaced finds its gene on every panel; one that a curator replaced by another gene finds that gene on this panel. An id finds its gene under every symbol. Aliases find nothing.',
  ),
  entityTypes: some(oneOf(lists.entityTypes)),
  topics: some(oneOf(lists.topics)),
  types: some(oneOf(types, eventKindNames)).describe('Event types, with or without `gene-panel.` and `.v1`.'),
  from: some(oneOf(lists.from)).describe('Ratings before; only `entity.classified` matches.'),
  to: some(oneOf(lists.to)).describe('Ratings after; only `entity.classified` matches.'),
  direction: some(oneOf(lists.direction)).describe('Only `entity.classified` matches.'),
  tags: some(name).describe('Tags that were added or removed, in any letter case.'),
  actors: some(name).describe('Display names of curators and reviewers, in any letter case.'),
  late: z.boolean({ error: 'true or false' }).exactOptional().describe('Only late events, or none of them.'),
};

export const filterSchema = z.strictObject(shape, {
  error: ({ code }) =>
    code === 'unrecognized_keys' ? `only ${Object.keys(shape).join(', ')}` : 'an object { … }',
});
