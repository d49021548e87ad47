import {
  type ApplicationOptions,
  type ApplicationRoutes,
  createApplication,
  forbidden,
} from './application.ts';
import { type Case, cases } from './cases.ts';
import type { ApplicationName } from './registrations.ts';

/**
 * The three applications beside the interpretation API. The specification says of them only that they take the
 * same token and authorise by themselves, so each has one resource, found by what the case is known by there.
 */
interface Neighbour {
  readonly name: ApplicationName;
  readonly path: `/${string}/:key`;
  readonly knows: (one: Case, key: string) => boolean;
  readonly tells: (one: Case, key: string) => object;
}

const neighbours = {
  'variant-store': {
    name: 'variant-store',
    path: '/variants/:key',
    knows: ({ irId }, key) => String(irId) === key,
    tells: ({ irId }) => ({
      interpretation_request_id: irId,
      variants: [{ assembly: 'GRCh38', variant: '17-43045629-T-C' }],
    }),
  },
  'sample-matching': {
    name: 'sample-matching',
    path: '/samples/:key',
    knows: ({ samples }, key) => samples.includes(key),
    tells: (_one, key) => ({ sample_id: key, match: 0.998 }),
  },
  're-identification': {
    name: 're-identification',
    path: '/participants/:key',
    knows: ({ participant }, key) => participant === key,
    tells: ({ participant }) => ({ participant, identity: `made-up person of ${participant}` }),
  },
} as const satisfies Readonly<Record<string, Neighbour>>;

export type NeighbourName = keyof typeof neighbours;

export function createNeighbour(which: NeighbourName, options: ApplicationOptions): ApplicationRoutes {
  const { name, path, knows, tells }: Neighbour = neighbours[which];
  const routes = createApplication(name, options);
  routes.get(path, ({ req, get }) => {
    const key = req.param('key');
    const known = cases.filter((one) => knows(one, key));
    if (known.length === 0) return Response.json({ detail: 'Not found' }, { status: 404 });
    const seen = known.find(get('visit').sees);
    return seen ? Response.json(tells(seen, key)) : forbidden(name, 'The case is not visible');
  });
  return routes;
}
