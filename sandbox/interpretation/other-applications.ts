import {
  type ApplicationOptions,
  type ApplicationRoutes,
  createApplication,
  forbidden,
} from './application.ts';
import { type Case, cases } from './cases.ts';
import type { ApplicationName } from './registrations.ts';

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
