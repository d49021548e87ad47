import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { type Topic as Family, topics as families } from '../lambdas/events/kinds.ts';
import type { CatalogueReader } from './catalogue-reader.ts';
import type { EventExport } from './event-export.ts';
import type { Messages } from './messages.ts';
import type { Relay } from './relay.ts';
import type { TeamPage } from './team-page.ts';

/** The construct of a notifier, whose parts the outputs name. */
interface NotifierParts extends Construct {
  readonly topics: Readonly<Record<Family, ITopic>>;
  readonly alarmTopic: ITopic;
  readonly table: Pick<ITable, 'tableName'>;
  readonly history: Pick<ITable, 'tableName'>;
  readonly worklist: Pick<ITable, 'tableName'> | undefined;
  readonly key: IKey | undefined;
  readonly readers: Readonly<Record<string, Pick<CatalogueReader, 'secret'>>>;
  readonly messages: Pick<Messages, 'secret' | 'chatTopics' | 'feeds'> | undefined;
  readonly export: Pick<EventExport, 'bucket'> | undefined;
  readonly page: Pick<TeamPage, 'address' | 'api' | 'people' | 'clientSecret'> | undefined;
  readonly relay: Pick<Relay, 'bucket' | 'secret'> | undefined;
}

/**
 * The ARNs and names that subscribers, operators and the command line need, as outputs of the stack. The outputs of a second
 * notifier in one stack begin with its prefix.
 */
export function notifierOutputs(notifier: NotifierParts, prefix: string): void {
  const stack = Stack.of(notifier);
  const taken = new Set(
    stack.node
      .findAll()
      .flatMap((each) => (each instanceof CfnOutput ? [stack.resolve(each.logicalId)] : [])),
  );
  const start = taken.has('TableName') ? capital(prefix) : '';
  const output = (name: string, value: string, description: string): void =>
    new CfnOutput(notifier, `Output-${name}`, { value, description }).overrideLogicalId(`${start}${name}`);
  for (const family of families) {
    output(`Topic${capital(family)}`, notifier.topics[family].topicArn, `Subscribe here to ${family}`);
  }
  output('TopicAlarms', notifier.alarmTopic.topicArn, 'Where alarms go');
  for (const [name, { secret }] of Object.entries(notifier.readers)) {
    if (secret) output(`Secret${capital(name)}`, secret.secretArn, `Put the credential for ${name} in here`);
  }
  const { secret, chatTopics, feeds } = notifier.messages ?? {};
  if (secret) output('SecretChannels', secret.secretArn, 'Put webhook addresses and passwords in here');
  if (chatTopics !== undefined)
    output('TopicChat', chatTopics, 'Subscribe Amazon Q to this, followed by the name of a subscription');
  if (feeds) output('FeedBucket', feeds.bucketName, 'Holds an Atom feed for each subscription that has one');
  if (notifier.export)
    output(
      'ExportBucket',
      notifier.export.bucket.bucketName,
      'Every event as a file, by day; kept when the stack goes',
    );
  if (notifier.key)
    output('KeyArn', notifier.key.keyArn, 'Encrypts everything; kept when the stack is deleted');
  output(
    'TableName',
    notifier.table.tableName,
    'Marks, rows seen and events sent; kept when the stack is deleted',
  );
  output('Catalogues', Object.keys(notifier.readers).join(','), 'The catalogues that are read');
  if (notifier.page) {
    const { address, api, people, clientSecret } = notifier.page;
    output('PageAddress', address, 'The page for the team');
    output('PageApi', api.ref, 'The HTTP API of the page');
    output('PeopleTable', people.tableName, 'Audit log and sessions of the page; kept when the stack goes');
    if (clientSecret)
      output(
        'SecretPage',
        clientSecret.secretArn,
        'Put the secret of the page at the identity provider in here',
      );
  }
  if (notifier.relay) {
    const { bucket, secret: signing } = notifier.relay;
    output('RelayBucket', bucket.bucketName, 'The files of the relay; kept when the stack goes');
    output('SecretRelay', signing.secretArn, 'Put the key that signs the files of the relay in here');
  }
  if (notifier.worklist)
    output('WorklistTable', notifier.worklist.tableName, 'Every decision; kept when the stack goes');
  output('HistoryTable', notifier.history.tableName, 'Every published event; kept when the stack goes');
}

/** An output's name has letters and digits only. */
const capital = (name: string): string =>
  name.replaceAll(/(?:^|-+)(.?)/g, (_, letter: string) => letter.toUpperCase());
