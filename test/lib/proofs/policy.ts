import * as z from 'zod';
import { at, listOf, place, type Resource, textsOf } from './resolved-stack.ts';

/** A call as IAM sees it. */
export interface Call {
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  /** Condition keys, such as `aws:SourceArn`, in lower case. */
  readonly context: Readonly<Record<string, string>>;
}

const statementSchema = z.object({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: z.unknown(),
  Resource: z.unknown().optional(),
  Principal: z.unknown().optional(),
  Condition: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});
export type Statement = z.output<typeof statementSchema>;

/** The statements of a policy document. */
export const statementsOf = (document: unknown): readonly Statement[] =>
  z.array(statementSchema).parse(listOf(at(document, 'Statement')));

/** Whether a text matches a pattern of IAM, in which `*` is any characters and `?` is one. */
export function matchesPattern(text: string, pattern: string): boolean {
  const literal = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text);
}

const operators: Readonly<Record<string, (seen: string, wanted: string) => boolean>> = {
  ArnEquals: matchesPattern,
  ArnLike: matchesPattern,
  StringLike: matchesPattern,
  StringEquals: (seen, wanted) => seen === wanted,
  Bool: (seen, wanted) => seen === wanted,
};

function meets(condition: Statement['Condition'], context: Call['context']): boolean {
  return Object.entries(condition).every(([operator, keys]) => {
    if (operator === 'Null')
      return Object.entries(keys).every(
        ([key, isAbsent]) => (context[key.toLowerCase()] === undefined) === (isAbsent === 'true'),
      );
    const mayLack = operator.startsWith('ForAllValues:') || operator.endsWith('IfExists');
    const compare = operators[operator.replace(/^ForAllValues:|IfExists$/g, '')];
    if (compare === undefined) throw new Error(`The operator ${operator} is unknown here; add it`);
    return Object.entries(keys).every(([key, wanted]) => {
      const seen = context[key.toLowerCase()];
      if (seen === undefined) return mayLack;
      return textsOf(wanted).some((value) => compare(seen, filledIn(value, context)));
    });
  });
}

/** A value whose variable of IAM is that of the call. */
const filledIn = (value: string, context: Call['context']): string =>
  value.replace(/^\$\{(.*)\}$/, (_, key: string) => context[key.toLowerCase()] ?? '');

/** Whether statements allow a call, and none denies it. Who calls is for the caller to compare. */
export function allow(statements: readonly Statement[], { action, resource, context }: Call): boolean {
  const overTls = { 'aws:securetransport': 'true', ...context };
  const about = statements.filter(
    (statement) =>
      textsOf(statement.Action).some((pattern) =>
        matchesPattern(action.toLowerCase(), pattern.toLowerCase()),
      ) &&
      (statement.Resource === undefined ||
        textsOf(statement.Resource).some((pattern) => matchesPattern(resource, pattern))) &&
      meets(statement.Condition, overTls),
  );
  return about.some(({ Effect }) => Effect === 'Allow') && about.every(({ Effect }) => Effect === 'Allow');
}

/** The statements that apply to a service, such as `sns.amazonaws.com`. */
export const ofService = (statements: readonly Statement[], service: string): readonly Statement[] =>
  statements.filter(
    ({ Principal }) => Principal === '*' || textsOf(at(Principal, 'Service')).includes(service),
  );

/** The statements that apply to callers of another account. */
export const ofCaller = (statements: readonly Statement[], account: string): readonly Statement[] =>
  statements.filter(
    ({ Principal }) =>
      Principal === '*' ||
      textsOf(at(Principal, 'AWS')).some((each) => ['*', `arn:aws:iam::${account}:root`].includes(each)),
  );

/** What a role may do by its own policies and those that name it. */
export function statementsOfRole(role: Resource, stack: readonly Resource[]): readonly Statement[] {
  const own = listOf(role.properties.Policies).flatMap((policy) =>
    statementsOf(at(policy, 'PolicyDocument')),
  );
  const attached = stack
    .filter(
      ({ type, properties }) => type === 'AWS::IAM::Policy' && textsOf(properties.Roles).includes(role.ref),
    )
    .flatMap(({ properties }) => statementsOf(properties.PolicyDocument));
  return [...own, ...attached];
}

/** Where a resource's own policy is: the type of the policy, and the property that names whose it is. */
const policyTypes: Readonly<Record<string, { readonly type: string; readonly names: string }>> = {
  'AWS::SNS::Topic': { type: 'AWS::SNS::TopicPolicy', names: 'Topics' },
  'AWS::SQS::Queue': { type: 'AWS::SQS::QueuePolicy', names: 'Queues' },
  'AWS::S3::Bucket': { type: 'AWS::S3::BucketPolicy', names: 'Bucket' },
};

/** The statements of a resource's own policy. */
export function resourcePolicy(resource: Resource, stack: readonly Resource[]): readonly Statement[] {
  if (resource.type === 'AWS::KMS::Key') return statementsOf(resource.properties.KeyPolicy);
  const kind = policyTypes[resource.type];
  if (kind === undefined) throw new Error(`${resource.type} has no policy that is known here; add it`);
  return stack
    .filter(
      ({ type, properties }) => type === kind.type && textsOf(properties[kind.names]).includes(resource.ref),
    )
    .flatMap(({ properties }) => statementsOf(properties.PolicyDocument));
}

/** Whether the policy of a key leaves it to the account's IAM policies who may use it. */
export const leavesToAccount = (key: Resource): boolean =>
  statementsOf(key.properties.KeyPolicy).some(
    ({ Effect, Action, Principal }) =>
      Effect === 'Allow' &&
      textsOf(Action).includes('kms:*') &&
      textsOf(at(Principal, 'AWS')).includes(`arn:aws:iam::${place.account}:root`),
  );
