import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { topics as families } from '../lambdas/events/topics.ts';
import { GenePanelNotifier } from './gene-panel-notifier.ts';
import type { Stage } from './settings.ts';

export interface NotifierStackProps extends StackProps {
  /** Begins the names of what the stack makes. */
  readonly prefix: string;
  readonly stage: Stage;
}

/** One stage of the settings file as a stack. Its outputs are the ARNs and names that subscribers and operators need. */
export class NotifierStack extends Stack {
  readonly notifier: GenePanelNotifier;

  constructor(scope: Construct, id: string, { prefix, stage, ...props }: NotifierStackProps) {
    super(scope, id, props);
    const { account: _account, region: _region, tags: _tags, local: _local, ...deployment } = stage;
    const notifier = new GenePanelNotifier(this, 'Notifier', { ...deployment, prefix });
    this.notifier = notifier;

    const output = (name: string, value: string, description: string): CfnOutput =>
      new CfnOutput(this, name, { value, description });
    for (const family of families) {
      output(`Topic${capital(family)}`, notifier.topics[family].topicArn, `Subscribe here to ${family}`);
    }
    output('TopicAlarms', notifier.alarmTopic.topicArn, 'Where alarms go');
    for (const [name, { secret }] of Object.entries(notifier.readers)) {
      if (secret)
        output(`Secret${capital(name)}`, secret.secretArn, `Put the credential for ${name} in here`);
    }
    const { secret, chatTopics = {}, feeds } = notifier.messages ?? {};
    if (secret) output('SecretChannels', secret.secretArn, 'Put webhook addresses and passwords in here');
    for (const [name, { topicArn }] of Object.entries(chatTopics)) {
      output(`TopicChat${capital(name)}`, topicArn, `Subscribe Amazon Q to this topic for ${name}`);
    }
    if (feeds)
      output('FeedBucket', feeds.bucketName, 'Holds an Atom feed for each subscription that has one');
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
    output('HistoryTable', notifier.history.tableName, 'Every published event; kept when the stack goes');
  }
}

/** An output's name has letters and digits only. */
const capital = (name: string): string =>
  name.replaceAll(/(?:^|-+)(.?)/g, (_, letter: string) => letter.toUpperCase());
