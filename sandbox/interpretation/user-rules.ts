import type { Role, UserAttributes } from '../identity/tenants.ts';
import type { Case } from './cases.ts';
import type { ApplicationName } from './registrations.ts';

type Sees = (user: UserAttributes, one: Case) => boolean;

/** Which laboratories of the legacy programme a user's attributes name. */
const laboratoriesOf = ({
  primaryLdpCode100k,
  secondaryLdpCodes100k = [],
}: UserAttributes): readonly string[] =>
  primaryLdpCode100k === undefined ? secondaryLdpCodes100k : [primaryLdpCode100k, ...secondaryLdpCodes100k];

/**
 * Current programme: what belongs to the user's country. Legacy programme: the user's own laboratories in the
 * user's own centre, and nothing where the attributes do not say which.
 */
const clinical: Sees = (user, { origin }) =>
  origin.programme === 'current'
    ? origin.country === user.country
    : laboratoriesOf(user).includes(origin.laboratory) && origin.centre === user.centre;

const everything: Sees = () => true;

/** Which cases each role sees (interface specification, "Authorisation for user identities"). */
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
 * Which applications let each role read. The specification names the interpretation API for all of them and the
 * variant store for the clinical roles; that the operator's own staff may read everywhere, and nobody else
 * anywhere else, is the sandbox's reading of its silence.
 */
const readers: Readonly<Record<ApplicationName, ReadonlySet<Role>>> = {
  'interpretation-api': new Set(['NCR003', 'NCR004', 'NNR501', 'NNR502', 'NNR503', 'NNR504']),
  'variant-store': new Set(['NCR003', 'NCR004', 'NNR501']),
  'sample-matching': new Set(['NNR501']),
  're-identification': new Set(['NNR501']),
};

/** Whether a user may read in this application at all. */
export function userMayRead(user: UserAttributes, application: ApplicationName): boolean {
  return user.roles.some((role) => readers[application].has(role));
}

/** Whether one of the user's roles lets them see this case in this application. */
export function userSees(user: UserAttributes, one: Case, application: ApplicationName): boolean {
  return user.roles.some((role) => readers[application].has(role) && sees[role](user, one));
}
