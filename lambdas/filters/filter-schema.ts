import * as z from 'zod';
import { inheritanceGroupNames, inheritanceGroupOf } from '../events/inheritance.ts';
import { eventKindNames, typeName } from '../events/kinds.ts';
import { isRCode } from '../events/r-codes.ts';
import { filterLists } from './filter-lists.ts';

/**
 * The filter language: one vocabulary for the command line, the history and subscriptions. Keys combine with
 * AND, the values inside a key with OR; a filter without keys matches every event.
 * Matching (`filter.ts`) needs no schema, so that a function loads without one.
 */

/** Whether a text is a group of modes of inheritance, or can be a mode of the catalogue. */
const isMode = (text: string): boolean =>
  inheritanceGroupNames.some((group) => group === text.toLowerCase()) ||
  inheritanceGroupOf(text) !== 'other' ||
  /^other\b/i.test(text);

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
const modeOrGroup = `one of ${inheritanceGroupNames.join(', ')}, or the text of a mode of inheritance`;
const mode = name.refine(isMode, { error: modeOrGroup });
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
  green: some(oneOf(lists.green)).describe(
    'What the change means for the green list: `now` green; `maybe-now`: rated green, perhaps green before; `no-longer` green: downgraded, unrated or removed; `maybe-no-longer`: the rating before is unknown, or the rating was lost with its source.',
  ),
  inheritanceFrom: some(mode).describe(
    'Modes of inheritance before a change of them: a group (`mono`, `bi`, `both`, `x`, `mitochondrial`, `other`, `unknown`) or the text of the catalogue, in any letter case. Only `entity.annotated` matches.',
  ),
  inheritanceTo: some(mode).describe(
    'Modes of inheritance after a change of them, as for `inheritanceFrom`.',
  ),
  tags: some(name).describe('Tags that were added or removed, in any letter case.'),
  actors: some(name).describe('Display names of curators and reviewers, in any letter case.'),
  late: z.boolean({ error: 'true or false' }).exactOptional().describe('Only late events, or none of them.'),
};

export const filterSchema = z.strictObject(shape, {
  error: ({ code }) =>
    code === 'unrecognized_keys' ? `only ${Object.keys(shape).join(', ')}` : 'an object { … }',
});
