import * as z from 'zod';
import { type DisagreementStanding, ratingSchema } from '../../events/changes.ts';

/** What an entry of the worklist can be about, in words that follow the name of a gene or of a panel. */
export const changeWords = {
  'now-green': 'now green',
  'no-longer-green': 'no longer green',
  'inheritance-changed': 'mode of inheritance changed',
  'signed-off-as-green': 'signed off as green',
  'no-longer-signed-off-as-green': 'no longer signed off as green',
  'signed-off-with-other-inheritance': 'signed off with another mode of inheritance',
  'sign-off-not-compared': 'signed off; what this changed is unknown',
  'sign-off-withdrawn': 'sign-off withdrawn',
  'green-here-alone': 'green in this catalogue only',
  'green-there-alone': 'green in the other catalogue only',
  'green-here-red-there': 'green in this catalogue, red or unrated in the other one',
  'green-there-red-here': 'green in the other catalogue, red or unrated in this one',
  'other-inheritance-there': 'green in both catalogues, with different modes of inheritance',
  'agreed-again': 'agreed on again by both catalogues',
  'other-change': 'changed',
} as const;
/** The same where it is uncertain whether the entity was, or is, green. */
export const uncertainWords: Partial<Record<ChangeKind, string>> = {
  'now-green': 'rated green, perhaps green before',
  'no-longer-green': 'may no longer be green',
  'inheritance-changed': 'mode of inheritance changed, rating unknown',
  'signed-off-as-green': 'signed off as green, perhaps green before',
  'no-longer-signed-off-as-green': 'may no longer be signed off as green',
};
/** The direction of each kind of change, as `impact` names it; null where it has none. */
export const changeDirections = {
  'now-green': 'now green',
  'inheritance-changed': 'mode of inheritance changed',
  'signed-off-with-other-inheritance': 'mode of inheritance changed',
  'signed-off-as-green': 'now green',
  'no-longer-green': 'no longer green',
  'no-longer-signed-off-as-green': 'no longer green',
  'sign-off-not-compared': null,
  'sign-off-withdrawn': null,
  'green-here-alone': null,
  'green-there-alone': null,
  'green-here-red-there': null,
  'green-there-red-here': null,
  'other-inheritance-there': null,
  'agreed-again': null,
  'other-change': null,
} as const satisfies Readonly<
  Record<ChangeKind, 'now green' | 'no longer green' | 'mode of inheritance changed' | null>
>;
/** The kinds that state what two catalogues disagree about, by how they stand to each other. */
export const disagreementKinds = {
  here: 'green-here-alone',
  there: 'green-there-alone',
  'here-two-steps': 'green-here-red-there',
  'there-two-steps': 'green-there-red-here',
  inheritance: 'other-inheritance-there',
  agreed: 'agreed-again',
} as const satisfies Readonly<Record<DisagreementStanding, ChangeKind>>;
const ofDisagreement: ReadonlySet<string> = new Set(Object.values(disagreementKinds));
/** Whether an entry states what two catalogues disagree about, or agree about again. */
export const isOfDisagreement = ({ kind }: { readonly kind: string }): boolean => ofDisagreement.has(kind);
type ChangeKind = keyof typeof changeWords;
/** Every kind of change. */
export const changeKinds = Object.keys(changeWords) as [ChangeKind, ...ChangeKind[]];

const status = z.union([ratingSchema, z.literal(['unknown', 'absent'])]);

/** A change that matters, as it is kept with a decision about it: the history may forget its events. */
export const worklistChangeSchema = z.object({
  /** The same change has the same id in every reading: 32 hexadecimal digits. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  kind: z.enum(changeKinds),
  /** False where the rating before is unknown: it may have been green already, or never. */
  isCertain: z.boolean(),
  catalogue: z.string(),
  /** The catalogue's `/api/v1/` URL. */
  source: z.string(),
  panel: z.object({
    id: z.number().int().nullable(),
    name: z.string(),
    /** After the change; of a sign-off, the version that is signed off. */
    version: z.string().nullable(),
    types: z.array(z.string()),
    disorders: z.array(z.string()),
  }),
  /** Null where the change is about a panel. */
  entity: z
    .object({ type: z.enum(['gene', 'str', 'region']), name: z.string(), hgncId: z.string().nullable() })
    .nullable(),
  from: status.nullable(),
  to: status.nullable(),
  /** The modes of inheritance before and after, null where not stated; absent where the change is none of it. */
  inheritance: z.object({ from: z.string().nullable(), to: z.string().nullable() }).exactOptional(),
  /** When it was made, ISO 8601 in UTC with six fractional digits; empty where the log gives no usable time. */
  at: z.string(),
  actor: z.string().nullable(),
  /** The event that states it. */
  event: z.object({ id: z.string(), type: z.string(), summary: z.string() }),
  late: z.boolean(),
});
export type WorklistChange = z.infer<typeof worklistChangeSchema>;
