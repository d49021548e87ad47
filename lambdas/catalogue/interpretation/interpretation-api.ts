import {
  type ApplicationClient,
  type ApplicationOptions,
  createApplicationClient,
  type Payload,
} from './application-client.ts';

/** A sample within a version of an interpretation request. */
interface SampleInCase {
  readonly irId: string | number;
  readonly irVersion: string | number;
  readonly sampleId: string;
}

/**
 * A client of the interpretation API with the rights of a registered system: it reads everything and writes these three
 * resources. Source: docs/interfaces.md, "The interpretation API family".
 */
export interface InterpretationApi extends ApplicationClient {
  /** Adds a summary of findings to a case. It is sent once, because a retry might add a second one. */
  clinicalReport(payload: Payload): Promise<unknown>;
  /** Adds an exit questionnaire to a case. */
  exitQuestionnaire(payload: Payload): Promise<unknown>;
  /** Re-runs sample matching for a sample. */
  snpCheck(sample: SampleInCase): Promise<unknown>;
}

/**
 * Creates a client. Another application of the family, whose name its errors carry, is only read.
 *
 * @throws {InterpretationError} `INTERPRETATION_ADDRESS_WRONG` when the base address is unusable
 */
export function createInterpretationApi(
  options: Omit<ApplicationOptions, 'application'> & Partial<Pick<ApplicationOptions, 'application'>>,
): InterpretationApi {
  const client = createApplicationClient({ application: 'interpretation API', ...options });
  return {
    ...client,
    clinicalReport: (payload) => client.post(['clinical-report'], payload),
    exitQuestionnaire: (payload) => client.put(['exit-questionnaire'], payload),
    snpCheck: ({ irId, irVersion, sampleId }) =>
      client.put(['interpretation-request', irId, irVersion, 'snp_check', sampleId]),
  };
}
