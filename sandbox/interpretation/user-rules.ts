import type { Role, UserAttributes } from '../identity/tenants.ts';
import type { Case } from './cases.ts';
import type { ApplicationName } from './registrations.ts';

type Sees = (user: UserAttributes, one: Case) => boolean;

/** The laboratories of the legacy programme that a user's attributes name. */
const laboratoriesOf = ({
  primaryLdpCode100k,
  secondaryLdpCodes100k = [],
}: UserAttributes): readonly string[] =>
  primaryLdpCode100k === undefined ? secondaryLdpCodes100k : [primaryLdpCode100k, ...secondaryLdpCodes100k];

/**
 * Current programme: the cases of the user's country. Legacy programme: the cases of the user's own laboratories in the
 * user's own centre; none where the attributes do not name them.
 */
const clinical: Sees = (user, { origin }) =>
  origin.programme === 'current'
    ? origin.country === user.country
    : laboratoriesOf(user).includes(origin.laboratory) && origin.centre === user.centre;

const everything: Sees = () => true;

/** Which cases each role sees. Source: docs/interfaces.md, "Users". */
const sees: Readonly<Record<Role, Sees>> = {
  NCR003: clinical,
  NCR004: clinical,
  NNR501: everything,
  NNR502: ({ groups = [] }, one) => one.groups.some((group) => groups.includes(group)),
  NNR503: (user, { origin }) =>
    origin.programme === 'legacy' && laboratoriesOf(user).includes(origin.laboratory),
  NNR504: everything,
};

/**
 * The roles that may read in each application. The interface documents the interpretation API for all roles; the variant
 * store, the interpretation portal and the variant annotation store for the clinical ones. Where it is silent, the sandbox lets the operator's staff read and refuses all
 * others.
 */
const readers: Readonly<Record<ApplicationName, ReadonlySet<Role>>> = {
  'interpretation-api': new Set(['NCR003', 'NCR004', 'NNR501', 'NNR502', 'NNR503', 'NNR504']),
  'variant-store': new Set(['NCR003', 'NCR004', 'NNR501']),
  'sample-matching': new Set(['NNR501']),
  're-identification': new Set(['NNR501']),
  'interpretation-portal': new Set(['NCR003', 'NCR004', 'NNR501']),
  'variant-annotation-store': new Set(['NCR003', 'NCR004', 'NNR501']),
};

/** Whether a user may read in this application at all. */
export function userMayRead(user: UserAttributes, application: ApplicationName): boolean {
  return user.roles.some((role) => readers[application].has(role));
}

/** Whether one of the user's roles lets them see this case in this application. */
export function userSees(user: UserAttributes, one: Case, application: ApplicationName): boolean {
  return user.roles.some((role) => readers[application].has(role) && sees[role](user, one));
}
