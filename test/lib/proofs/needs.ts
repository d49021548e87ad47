import {
  allow,
  type Call,
  leavesToAccount,
  ofService,
  resourcePolicy,
  statementsOf,
  statementsOfRole,
} from './policy.ts';
import { place, type Resource } from './resolved-stack.ts';

/** Something that one resource must be allowed to do on another, or the deployment fails silently on AWS. */
export interface Need extends Omit<Call, 'context'> {
  /** The logical id of the resource that would not work, and what of it. */
  readonly of: string;
  /** A service, such as `sns.amazonaws.com`, or a role of the stack. */
  readonly by: string | Resource;
  readonly context?: Call['context'];
}

/** What keeps a need from being met, in a sentence that names the resources; nothing where it is met. */
export function unmet(
  { of, by, action, resource, context = {} }: Need,
  stack: readonly Resource[],
): readonly string[] {
  const target = stack.find(({ arn }) => arn !== undefined && isOn(arn, resource));
  const call = { action, resource, context };
  if (typeof by === 'string') {
    if (target === undefined) return [];
    const { id } = target;
    return allow(ofService(resourcePolicy(target, stack), by), call)
      ? []
      : [`${of}: the policy of ${id} does not let ${by} ${action}`];
  }
  const byRole = allow(statementsOfRole(by, stack), call);
  const byKey = target?.type !== 'AWS::KMS::Key' || leavesToAccount(target);
  return [
    ...(byRole ? [] : [`${of}: the role ${by.id} may not ${action} on ${resource}`]),
    ...(byKey ? [] : [`${of}: the policy of ${resource} does not leave it to the account who may use it`]),
  ];
}

/** Whether a resource is this one, or an object of this bucket. */
const isOn = (arn: string, resource: string): boolean => arn === resource || resource.startsWith(`${arn}/`);

/** A service must be able to take a role. */
export function untrusted({
  of,
  role,
  service,
  context = {},
}: {
  of: string;
  role: Resource;
  service: string;
  context?: Call['context'];
}): readonly string[] {
  const statements = ofService(statementsOf(role.properties.AssumeRolePolicyDocument), service);
  return allow(statements, { action: 'sts:AssumeRole', resource: '', context })
    ? []
    : [`${of}: the role ${role.id} does not trust ${service}`];
}

/** The resource with this ARN. @throws {Error} where the stack does not have it */
export function byArn(stack: readonly Resource[], arn: unknown): Resource {
  const found = stack.find((resource) => resource.arn === arn);
  if (found === undefined) throw new Error(`No resource of the stack has the ARN ${String(arn)}`);
  return found;
}

/** The one with this `Ref`. @throws {Error} where the stack does not have it */
export function byRef(stack: readonly Resource[], ref: unknown): Resource {
  const found = stack.find((resource) => resource.ref === ref);
  if (found === undefined) throw new Error(`No resource of the stack is called ${String(ref)}`);
  return found;
}

/** Use of a key by a role through a service, such as `sqs`. */
export const throughService = (service: string): Call['context'] => ({
  'kms:viaservice': `${service}.${place.region}.amazonaws.com`,
});
