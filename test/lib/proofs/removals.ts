import { keptIn } from './deliveries.ts';
import { at, listOf, type Resource, textsOf } from './resolved-stack.ts';

/** A stack from which one thing was taken by hand. */
interface Removal {
  readonly title: string;
  /** Logical ids, ARNs and names by which a finding may name what is wrong. */
  readonly names: readonly string[];
  /** The stack without it; the given one is left as it is. */
  readonly without: () => readonly Resource[];
}

type Statement = Record<string, unknown>;
type Document = { Statement: Statement[] };

/** The policy documents of a resource, to be changed. */
function documentsOf({ properties }: Resource): readonly Document[] {
  const { PolicyDocument, KeyPolicy, AssumeRolePolicyDocument, Policies } = properties;
  const own = listOf(Policies).map((policy) => Object(policy).PolicyDocument);
  return [PolicyDocument, KeyPolicy, AssumeRolePolicyDocument, ...own].filter(
    (each) => each !== undefined,
  ) as Document[];
}

/** Statements that the CDK adds, and whose rights another statement of the stack or of AWS gives as well. */
function isRepeated({ id, type }: Resource, { Sid, Principal, Action }: Statement): boolean {
  // The key leaves its use to the account's IAM policies by its first statement.
  if (type === 'AWS::KMS::Key' && String(at(Principal, 'AWS')).endsWith(':root'))
    return !textsOf(Action).includes('kms:*');
  // An e-mail subscription admits its own topic, which `KeepUndelivered` admits too.
  if (type === 'AWS::SQS::QueuePolicy' && id.includes('undelivered'))
    return Sid === undefined && textsOf(Action).includes('sqs:SendMessage');
  // What the CDK grants the function of a consumer is its own choice.
  return type === 'AWS::IAM::Policy' && id.startsWith('Reanalyse');
}

/** Each action of each statement of each policy of a stack, and each of its alarms, taken away one at a time. */
export function removals(stack: readonly Resource[]): readonly Removal[] {
  const copied = (index: number, change: (resource: Resource) => void): readonly Resource[] =>
    stack.map((resource, place) => {
      if (place !== index) return resource;
      const copy = structuredClone(resource);
      change(copy);
      return copy;
    });
  return stack.flatMap((resource, index) => {
    const names = [
      resource.id,
      ...['Topics', 'Queues', 'Bucket', 'Roles'].flatMap((name) => textsOf(resource.properties[name])),
    ];
    const ids = stack.filter(({ ref }) => names.includes(ref)).map(({ id }) => id);
    if (resource.type === 'AWS::CloudWatch::Alarm') {
      const title = `the alarm ${resource.ref}`;
      const watched = listOf(resource.properties.Dimensions).map((each) => String(at(each, 'Value')));
      return [
        {
          title,
          names: [resource.ref, resource.id, ...watched],
          without: () => stack.filter((each) => each !== resource),
        },
      ];
    }
    const kept = keptIn[resource.type] ?? (resource.properties.RedrivePolicy ? ['RedrivePolicy'] : []);
    const [first = '', ...inner] = kept;
    const redrive: readonly Removal[] =
      kept.length === 0
        ? []
        : [
            {
              title: `${kept.join('.')} of ${resource.id}`,
              names: [resource.id],
              without: () =>
                copied(index, ({ properties }) => {
                  const holder = inner
                    .slice(0, -1)
                    .reduce<unknown>((value, name) => at(value, name), properties[first]);
                  if (inner.length === 0) Reflect.deleteProperty(properties, first);
                  else Reflect.deleteProperty(Object(holder), inner.at(-1) ?? '');
                }),
            },
          ];
    const statements = documentsOf(resource).flatMap((document, which) =>
      document.Statement.flatMap((statement, place) =>
        isRepeated(resource, statement)
          ? []
          : textsOf(statement.Action).map((action) => ({
              title: `${String(statement.Effect)} ${action} (${String(statement.Sid ?? place)}) of ${resource.id}`,
              names: [...names, ...ids, ...textsOf(resource.arn)],
              without: () =>
                copied(index, (copy) => {
                  const changed = documentsOf(copy)[which]?.Statement[place];
                  if (changed) changed.Action = textsOf(changed.Action).filter((each) => each !== action);
                }),
            })),
      ),
    );
    return [...redrive, ...statements];
  });
}
