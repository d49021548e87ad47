import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { GenePanelNotifier } from './gene-panel-notifier.ts';
import type { Stage } from './settings.ts';

export interface NotifierStackProps extends StackProps {
  /** Begins the names of what the stack makes. */
  readonly prefix: string;
  readonly stage: Stage;
}

/** One stage of the settings file as a stack. Its outputs are the ARNs and names that subscribers and operators need. */
export class NotifierStack extends Stack {
  /** What the stack holds. */
  readonly notifier: GenePanelNotifier;

  constructor(scope: Construct, id: string, { prefix, stage, ...props }: NotifierStackProps) {
    super(scope, id, props);
    const { account: _account, region: _region, tags: _tags, local: _local, ...deployment } = stage;
    this.notifier = new GenePanelNotifier(this, 'Notifier', { ...deployment, prefix });
  }
}
