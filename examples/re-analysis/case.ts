import * as z from 'zod';

/** A version of an interpretation request, and the panels that it was analysed with. */
export interface Case {
  readonly request: string;
  readonly version: number;
  readonly panels: readonly { readonly id: number; readonly version: string }[];
}

/**
 * Reads a case of the interpretation API. The interface does not document the fields of a case: these are the
 * sandbox's. Compare them with a case of your own (`gene-panel-notifier api get …`) and correct this file alone.
 */
export const caseSchema = z
  .object({
    interpretation_request_id: z.int(),
    interpretation_request_version: z.int(),
    panels: z.array(z.object({ id: z.int(), version: z.string().regex(/^\d+\.\d+$/) })),
  })
  .transform(
    (found): Case => ({
      request: String(found.interpretation_request_id),
      version: found.interpretation_request_version,
      panels: found.panels,
    }),
  );

/** The case as messages name it. */
export const nameOf = ({ request, version }: Case): string => `${request}, version ${version}`;
