import * as z from 'zod';

const resourceSchema = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DeletionPolicy: z.string().optional(),
});
const templateSchema = z.object({
  Resources: z.record(z.string(), resourceSchema),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown() })).default({}),
});

export type Resource = z.output<typeof resourceSchema>;
type Template = z.output<typeof templateSchema>;
export const parseTemplate = (json: string): Template => templateSchema.parse(JSON.parse(json));

/** What is known of a stack once it is deployed. */
export interface Deployed {
  readonly account: string;
  readonly region: string;
  readonly template: Template;
  /** What `Ref` gives, by logical id. */
  readonly physicalIds: ReadonlyMap<string, string>;
}

/** A value of the template with its references to other resources filled in. */
export function resolved(value: unknown, deployed: Deployed): unknown {
  if (Array.isArray(value))
    return value.map((item) => resolved(item, deployed)).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  if ('Ref' in value) return reference(String(value.Ref), deployed);
  if ('Fn::GetAtt' in value) return attribute(value['Fn::GetAtt'], deployed);
  if ('Fn::Join' in value) return joined(value['Fn::Join'], deployed);
  if ('Fn::Sub' in value) {
    return String(value['Fn::Sub']).replaceAll(/\$\{([^}]+)\}/g, (_, name: string) =>
      reference(name, deployed),
    );
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, deployed)]));
}

function reference(name: string, { account, region, physicalIds }: Deployed): string {
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::AccountId': account,
    'AWS::Region': region,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
  };
  const value = pseudo[name] ?? physicalIds.get(name);
  if (value === undefined) throw new Error(`The template refers to ${name}, which was not deployed`);
  return value;
}

function joined(value: unknown, deployed: Deployed): string {
  const [separator, parts] = z.tuple([z.string(), z.array(z.unknown())]).parse(value);
  return parts.map((part) => String(resolved(part, deployed))).join(separator);
}

/** The attributes that this project's template asks for. */
function attribute(value: unknown, deployed: Deployed): string {
  const [id, name] = z.tuple([z.string(), z.string()]).parse(value);
  const { account, region, template } = deployed;
  const physical = reference(id, deployed);
  const last = physical.split('/').at(-1) ?? '';
  const arn = (service: string, resource: string): string =>
    `arn:aws:${service}:${region}:${account}:${resource}`;
  const attributes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'AWS::DynamoDB::Table': { Arn: arn('dynamodb', `table/${physical}`) },
    'AWS::IAM::Role': { Arn: `arn:aws:iam::${account}:role/${physical}` },
    'AWS::KMS::Key': { Arn: arn('kms', `key/${physical}`) },
    'AWS::Lambda::Function': { Arn: arn('lambda', `function:${physical}`) },
    'AWS::Logs::LogGroup': { Arn: arn('logs', `log-group:${physical}:*`) },
    'AWS::S3::Bucket': { Arn: `arn:aws:s3:::${physical}` },
    'AWS::SNS::Topic': { TopicName: physical.split(':').at(-1) ?? '' },
    'AWS::SQS::Queue': { Arn: arn('sqs', last), QueueName: last },
    'AWS::Scheduler::ScheduleGroup': { Arn: arn('scheduler', `schedule-group/${physical}`) },
  };
  const type = template.Resources[id]?.Type ?? '';
  const found = attributes[type]?.[name];
  if (found === undefined) throw new Error(`The attribute ${name} of ${type} is unknown here; add it`);
  return found;
}
