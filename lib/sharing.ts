import { AccountPrincipal, type IPrincipal, StarPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Share } from './share-settings.ts';

/** The calls of others that a policy admits, and the condition for it. */
interface Admitted {
  /** Ends the name of the statement. */
  readonly sid: 'Accounts' | 'Organisation';
  readonly principals: readonly IPrincipal[];
  readonly conditions: Readonly<Record<string, string>>;
}

/** One entry a statement: the accounts that are named, and those of the organisation. */
export const admittedBy = ({ accounts, organisation }: Share): readonly Admitted[] => [
  ...(accounts === undefined
    ? []
    : [
        {
          sid: 'Accounts' as const,
          principals: accounts.map((each) => new AccountPrincipal(each)),
          conditions: {},
        },
      ]),
  ...(organisation === undefined
    ? []
    : [
        {
          sid: 'Organisation' as const,
          principals: [new StarPrincipal()],
          conditions: { 'aws:PrincipalOrgID': organisation },
        },
      ]),
];
