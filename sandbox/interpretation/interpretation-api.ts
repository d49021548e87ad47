import * as z from 'zod';
import type { ApplicationName } from './application.ts';
import {
  type ApplicationOptions,
  type ApplicationRoutes,
  createApplication,
  forbidden,
} from './application.ts';
import { type Case, cases } from './cases.ts';

const name = 'interpretation-api';

/** The writes that the interpretation API accepted. */
export interface Written {
  readonly clinicalReports: unknown[];
  readonly exitQuestionnaires: Map<string, unknown>;
  /** How often sample matching was run, by case and sample. */
  readonly matchings: Map<string, number>;
}

/** The store of an application to which no caller has written. */
export const nothingWritten = (): Written => ({
  clinicalReports: [],
  exitQuestionnaires: new Map(),
  matchings: new Map(),
});

/** The interface does not document the payloads. In the sandbox these two fields name the case. */
const payloadSchema = z.looseObject({
  interpretation_request_id: z.int(),
  interpretation_request_version: z.int(),
});

/** Creates the interpretation API. Source: docs/interfaces.md, "The interpretation API family". */
export function createInterpretationApi(options: ApplicationOptions, written: Written): ApplicationRoutes {
  const routes = createApplication(name, options);

  routes.get('/interpretation-request', ({ get }) =>
    Response.json(listOf(get('authorised').visible.map(summaryOf))),
  );

  routes.get('/interpretation-request/:id/:version', ({ req, get }) => {
    const found = findCase(req.param('id'), req.param('version'));
    if (!found) return notFound('The case is unknown');
    return get('authorised').sees(found)
      ? Response.json(summaryOf(found))
      : forbidden(name, 'The case is not visible');
  });

  routes.get('/clinical-report', ({ get }) =>
    Response.json(listOf(visibleOnly(written.clinicalReports, get('authorised').visible))),
  );
  routes.post('/clinical-report', async ({ req }) => {
    const payload = await readPayload(req.raw);
    if (payload instanceof Response) return payload;
    written.clinicalReports.push(payload);
    return Response.json({ ...payload, clinical_report_version: written.clinicalReports.length });
  });

  routes.get('/exit-questionnaire', ({ get }) =>
    Response.json(listOf(visibleOnly([...written.exitQuestionnaires.values()], get('authorised').visible))),
  );
  routes.put('/exit-questionnaire', async ({ req }) => {
    const payload = await readPayload(req.raw);
    if (payload instanceof Response) return payload;
    written.exitQuestionnaires.set(caseKey(payload), payload);
    return Response.json(payload);
  });

  routes.on(['GET', 'PUT'], '/interpretation-request/:id/:version/snp_check/:sample', ({ req, get }) => {
    const { id, version, sample } = req.param();
    const found = findCase(id, version);
    if (!found?.samples.includes(sample)) return notFound('The case has no such sample');
    if (!get('authorised').sees(found)) return forbidden(name, 'The case is not visible');
    const key = `${id}/${version}/${sample}`;
    const runs = (written.matchings.get(key) ?? 0) + (req.method === 'PUT' ? 1 : 0);
    if (req.method === 'PUT') written.matchings.set(key, runs);
    return Response.json({ sample_id: sample, status: runs > 0 ? 'requested' : 'not run', runs });
  });

  return routes;
}

type Payload = z.infer<typeof payloadSchema>;

async function readPayload(request: Request): Promise<Payload | Response> {
  const payload = payloadSchema.safeParse(await request.json().catch(() => null));
  if (!payload.success) {
    const detail =
      'The body is not a JSON object with interpretation_request_id and interpretation_request_version';
    return Response.json({ detail }, { status: 400 });
  }
  const { interpretation_request_id: id, interpretation_request_version: version } = payload.data;
  return findCase(String(id), String(version)) ? payload.data : notFound('The case is unknown');
}

const findCase = (id: string, version: string): Case | undefined =>
  cases.find(({ irId, irVersion }) => String(irId) === id && String(irVersion) === version);

const notFound = (detail: string): Response => Response.json({ detail }, { status: 404 });

const caseKey = (payload: Payload): string =>
  `${payload.interpretation_request_id}/${payload.interpretation_request_version}`;

function visibleOnly(payloads: readonly unknown[], visible: readonly Case[]): unknown[] {
  const keys = new Set(visible.map(({ irId, irVersion }) => `${irId}/${irVersion}`));
  return payloads.filter((payload) => keys.has(caseKey(payload as Payload)));
}

/** A list in the catalogue's envelope, all on one page. */
function listOf(results: readonly unknown[]): object {
  return { count: results.length, next: null, previous: null, results };
}

function summaryOf({ irId, irVersion, samples, panels, participant, origin }: Case): object {
  return {
    interpretation_request_id: irId,
    interpretation_request_version: irVersion,
    participant,
    samples,
    panels,
    ...origin,
  };
}

/**
 * An application beside the interpretation API. The interface documents only that it accepts the same token and
 * authorises callers itself. In the sandbox each has one resource, found by the key of a case.
 */
interface OtherApplication {
  readonly name: ApplicationName;
  readonly path: `/${string}/:key`;
  readonly matches: (one: Case, key: string) => boolean;
  readonly resourceOf: (one: Case, key: string) => object;
}

const applications = {
  'variant-store': {
    name: 'variant-store',
    path: '/variants/:key',
    matches: ({ irId }, key) => String(irId) === key,
    resourceOf: ({ irId }) => ({
      interpretation_request_id: irId,
      variants: [{ assembly: 'GRCh38', variant: '17-43045629-T-C' }],
    }),
  },
  'sample-matching': {
    name: 'sample-matching',
    path: '/samples/:key',
    matches: ({ samples }, key) => samples.includes(key),
    resourceOf: (_one, key) => ({ sample_id: key, match: 0.998 }),
  },
  're-identification': {
    name: 're-identification',
    path: '/participants/:key',
    matches: ({ participant }, key) => participant === key,
    resourceOf: ({ participant }) => ({ participant, identity: `made-up person of ${participant}` }),
  },
  'interpretation-portal': {
    name: 'interpretation-portal',
    path: '/referrals/:key',
    matches: ({ irId }, key) => String(irId) === key,
    resourceOf: ({ irId, irVersion, panels }) => ({
      interpretation_request_id: irId,
      interpretation_request_version: irVersion,
      panels,
    }),
  },
  'variant-annotation-store': {
    name: 'variant-annotation-store',
    path: '/annotations/:key',
    matches: ({ irId }, key) => String(irId) === key,
    resourceOf: ({ irId }) => ({
      interpretation_request_id: irId,
      annotations: [{ variant: '17-43045629-T-C', gene: 'BRCA1', consequence: 'missense_variant' }],
    }),
  },
} as const satisfies Readonly<Record<string, OtherApplication>>;

type OtherApplicationName = keyof typeof applications;

/** Creates one of the applications beside the interpretation API. */
export function createOtherApplication(
  which: OtherApplicationName,
  options: ApplicationOptions,
): ApplicationRoutes {
  const { name, path, matches, resourceOf }: OtherApplication = applications[which];
  const routes = createApplication(name, options);
  routes.get(path, ({ req, get }) => {
    const key = req.param('key');
    const found = cases.filter((one) => matches(one, key));
    if (found.length === 0) return Response.json({ detail: 'Not found' }, { status: 404 });
    const visible = found.find(get('authorised').sees);
    return visible ? Response.json(resourceOf(visible, key)) : forbidden(name, 'The case is not visible');
  });
  return routes;
}
