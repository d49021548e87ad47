import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Deployment } from './deployment.ts';
import type { Right } from './guard.ts';

const strings = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const policySchema = z.object({
  Statement: z.array(z.object({ Effect: z.literal('Allow'), Action: strings, Resource: strings })),
});

interface Place {
  readonly stack: string;
  /** Queues beside those of the stack to which letters may be sent. */
  readonly others: readonly string[];
}

/** The rights that docs/permissions.md and its policy give to a person who uses the command line, for `messages` too. */
export function readerRights(
  { outputs, region, account }: Deployment,
  { stack, others }: Place,
): readonly Right[] {
  const page = readFileSync('docs/permissions.md', 'utf8');
  const own = page.slice(page.indexOf('## People who use the command line'));
  const filled = (text: string): string =>
    text
      .replaceAll('<region>', region)
      .replaceAll('<account>', account)
      .replaceAll('<stack>', stack)
      .replaceAll('<history>', outputs.HistoryTable ?? '')
      .replaceAll('<marks>', outputs.TableName ?? '');
  const basic = policySchema
    .parse(JSON.parse(filled(readFileSync('docs/policies/reader.json', 'utf8'))))
    .Statement.map(({ Action, Resource }): Right => ({ actions: Action, resources: Resource }));
  const [row = ''] = /^- `messages queues`: .*$/m.exec(own) ?? [];
  const ofQueues = [...row.matchAll(/`(sqs:\w+)`/g)].map(([, action = '']) => action);
  const [worklistRow = ''] = /^- `worklist --stage`: .*$/m.exec(own) ?? [];
  const ofWorklist = [...worklistRow.matchAll(/`(dynamodb:\w+)`/g)].map(([, action = '']) => action);
  const tableArn = (name: string): string => `arn:aws:dynamodb:${region}:${account}:table/${name}`;
  const queue = (name: string): string => `arn:aws:sqs:${region}:${account}:${name}`;
  return [
    ...basic,
    { actions: ofQueues, resources: [queue(`${stack}-*`)] },
    { actions: ['sqs:GetQueueUrl', 'sqs:SendMessage'], resources: others.map(queue) },
    { actions: ofWorklist, resources: [tableArn(outputs.WorklistTable ?? '')] },
    {
      actions: ['lambda:InvokeFunction'],
      resources: [`arn:aws:lambda:${region}:${account}:function:${stack}-notify`],
    },
  ];
}
