import { Annotations } from 'aws-cdk-lib';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { catalogueAlarms } from './catalogue-alarms.ts';
import { catalogueMetrics } from './catalogue-metrics.ts';
import type { CatalogueReader } from './catalogue-reader.ts';
import { dashboard } from './dashboard.ts';
import { deadLetterAlarms } from './dead-letter-alarms.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { EventExport } from './event-export.ts';
import type { EventTopics } from './event-topics.ts';
import type { Deployment } from './settings.ts';

interface OperationsProps {
  readonly settings: Deployment;
  readonly namespace: string;
  readonly topics: EventTopics;
  readonly deadLetters: DeadLetters;
  readonly readers: Readonly<Record<string, CatalogueReader>>;
  readonly export: Pick<EventExport, 'alarm'> | undefined;
}

/** The alarms, their e-mail and the dashboard. */
export class Operations extends Construct {
  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const { settings, namespace, topics, deadLetters, readers } = props;
    const { prefix, alarms: limits } = settings;
    const common = { topic: topics.alarms, runbook: limits.runbook };
    const monitored = Object.entries(readers).map(([name, { catalogue, functions }]) => {
      const metrics = catalogueMetrics(namespace, name);
      const rules = catalogueAlarms({ catalogue, metrics, limits, poller: functions.poll.function });
      const alarms = new Alarms(this, name, { ...common, prefix: `${prefix}-${name}`, rules });
      return {
        metrics,
        alarmNames: alarms.names,
        functions: Object.values(functions).map((each) => each.function),
      };
    });
    const letters = new Alarms(this, 'DeadLetters', {
      ...common,
      prefix,
      rules: [...deadLetterAlarms(deadLetters), ...(props.export ? [props.export.alarm] : [])],
    });
    dashboard(this, 'Dashboard', {
      name: prefix,
      alarmNames: [...monitored.flatMap(({ alarmNames }) => alarmNames), ...letters.names],
      catalogues: monitored,
      deadLetters,
    });
    if (limits.email === undefined) {
      Annotations.of(this).addWarningV2(
        'gene-panel-notifier:no-alarm-address',
        'alarms.email is not set: no person is notified of an alarm unless something else subscribes to the alarm topic',
      );
    } else {
      topics.alarms.addSubscription(
        new EmailSubscription(limits.email, { deadLetterQueue: deadLetters.undelivered }),
      );
    }
    if (limits.runbook === undefined) {
      Annotations.of(this).addWarningV2(
        'gene-panel-notifier:no-runbook-address',
        'alarms.runbook is not set: alarms name docs/runbook.md and a heading, without a link. Set it to the address at which your colleagues read that page',
      );
    }
  }
}
