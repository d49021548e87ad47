/** Findings of a checker that stay, by rule. docs/permissions.md explains the settings that end some of them. */
interface Exception {
  readonly rule: string;
  /** The types of the resources. */
  readonly on: string;
  /** With which settings the rule is broken. */
  readonly settings: readonly ('default' | 'fullest')[];
  readonly reason: string;
}

const withoutKey =
  'The setting `key` encrypts it with a key of the laboratory; by default AWS holds the key.';
const openFeeds =
  'Feeds and the relay are written anew from the history at each change, and can be read without a key.';

/** Every rule that a template breaks is listed here, and no other. */
export const exceptions: readonly Exception[] = [
  {
    rule: 'W3005',
    on: 'AWS::Lambda::Function',
    settings: ['default', 'fullest'],
    reason: 'The CDK states the dependency of a function on its role twice, which does no harm.',
  },
  {
    rule: 'CKV_AWS_27',
    on: 'AWS::SQS::Queue',
    settings: ['default'],
    reason:
      'The queues state `SqsManagedSseEnabled`, encryption with a key of SQS, which this rule does not know.',
  },
  { rule: 'CKV_AWS_119', on: 'AWS::DynamoDB::Table', settings: ['default'], reason: withoutKey },
  { rule: 'CKV_AWS_158', on: 'AWS::Logs::LogGroup', settings: ['default'], reason: withoutKey },
  { rule: 'CKV_AWS_173', on: 'AWS::Lambda::Function', settings: ['default'], reason: withoutKey },
  {
    rule: 'CKV_AWS_117',
    on: 'AWS::Lambda::Function',
    settings: ['default'],
    reason: 'The setting `network` puts the functions into a VPC; without it they need none.',
  },
  {
    rule: 'CKV_AWS_95',
    on: 'AWS::ApiGatewayV2::Stage',
    settings: ['fullest'],
    reason:
      'A log of each request would hold what each person reads; the audit log has sign-ins and decisions.',
  },
  {
    rule: 'CKV_AWS_116',
    on: 'AWS::Lambda::Function',
    settings: ['default', 'fullest'],
    reason:
      'Failed runs go to the on-failure destination, which records more than the older dead-letter setting.',
  },
  {
    rule: 'CKV_AWS_115',
    on: 'AWS::Lambda::Function',
    settings: ['default', 'fullest'],
    reason:
      'A new account has ten concurrent executions and cannot reserve any. `reserveExecutions` does where there are more; a lease and conditional writes keep runs apart without it.',
  },
  {
    rule: 'CKV_AWS_111',
    on: 'AWS::IAM::Role',
    settings: ['fullest'],
    reason:
      'In a VPC Lambda needs EC2 actions that have no resource; the role denies them to the code of the function.',
  },
  { rule: 'CKV_AWS_18', on: 'AWS::S3::Bucket', settings: ['fullest'], reason: openFeeds },
  { rule: 'CKV_AWS_21', on: 'AWS::S3::Bucket', settings: ['fullest'], reason: openFeeds },
];
