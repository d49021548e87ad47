import * as z from 'zod';
import { rCodesIn } from '../events/r-codes.ts';
import type { Filter } from './filter.ts';
import { nameKey } from './names.ts';

export const followedPanelsSchema = z.lazy(() =>
  z.object({
    /** Ids, and names in any letter case. */
    panels: z.array(z.union([z.int(), z.string()])),
    types: z.array(z.string()),
    codes: z.array(z.string()),
  }),
);
/** The panels of one catalogue that subscriptions name: only an order follows from it, never what is published. */
export type FollowedPanels = z.infer<typeof followedPanelsSchema>;

/** What a listing shows of a panel. */
interface Listed {
  readonly name?: string;
  readonly facts: { readonly types: readonly string[]; readonly relevantDisorders: readonly string[] };
}

/** The panels of a catalogue that filters name. A filter that names none, such as one of genes, adds nothing. */
export function followedPanels(filters: readonly Filter[], catalogue: string): FollowedPanels {
  const own = filters.filter(({ catalogues }) => catalogues?.includes(catalogue) ?? true);
  return {
    panels: [...new Set(own.flatMap(({ panels = [] }) => panels))],
    types: [...new Set(own.flatMap(({ panelTypes = [] }) => panelTypes))],
    codes: [...new Set(own.flatMap(({ rCodes = [] }) => rCodes.map((code) => code.toUpperCase())))],
  };
}

/** The ids of the listed panels that are followed. */
export function idsOfFollowed(
  { panels, types, codes }: FollowedPanels,
  listed: ReadonlyMap<number, Listed>,
): ReadonlySet<number> {
  const wanted = {
    panels: new Set(panels.map((panel) => nameKey(String(panel)))),
    types: new Set(types),
    codes: new Set(codes),
  };
  const isFollowed = ([id, { name, facts }]: readonly [number, Listed]): boolean =>
    wanted.panels.has(String(id)) ||
    (name !== undefined && wanted.panels.has(nameKey(name))) ||
    facts.types.some((type) => wanted.types.has(type)) ||
    rCodesIn(facts.relevantDisorders).some((code) => wanted.codes.has(code));
  return new Set([...listed].flatMap((panel) => (isFollowed(panel) ? [panel[0]] : [])));
}
