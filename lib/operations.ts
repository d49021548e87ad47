import { Annotations } from 'aws-cdk-lib';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { AlarmFacts } from '../lambdas/run/alarm-kind.ts';
import { Alarms } from './alarms.ts';
import type { CatalogueReader } from './catalogue-reader.ts';
import { dashboard } from './dashboard.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { EventBus } from './event-bus.ts';
import type { EventExport } from './event-export.ts';
import type { EventTopics } from './event-topics.ts';
import type { Messages } from './messages.ts';
import type { Catalogue, Deployment } from './settings.ts';
import type { TeamPage } from './team-page.ts';

interface OperationsProps {
  readonly settings: Deployment;
  readonly namespace: string;
  readonly topics: EventTopics;
  readonly deadLetters: DeadLetters;
  readonly readers: Readonly<Record<string, CatalogueReader>>;
  readonly export: Pick<EventExport, 'stream'> | undefined;
  readonly eventBus: Pick<EventBus, 'queue'> | undefined;
  readonly page: Pick<TeamPage, 'api'> | undefined;
  /** What sends messages; undefined where nothing does. */
  readonly messages: Pick<Messages, 'function'> | undefined;
}

/** The alarms, their e-mail, and the dashboard where the settings ask for it. */
export class Operations extends Construct {
  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const { settings, namespace, topics, deadLetters, readers } = props;
    const { prefix, alarms: limits } = settings;
    const monitored = Object.entries(readers).map(([name, { catalogue, functions }]) => {
      const alarms = new Alarms(this, name, {
        topic: topics.alarms,
        prefix: `${prefix}-${name}`,
        scopes: ['catalogue'],
        facts: { limits, ...factsOf(catalogue) },
        watched: {
          namespace,
          catalogue: name,
          functions: {
            poll: functions.poll.function,
            sweep: functions.sweep.function,
            prove: functions.prove.function,
          },
        },
      });
      return { name, alarms, functions: Object.values(functions).map((each) => each.function) };
    });
    const once = new Alarms(this, 'DeadLetters', {
      topic: topics.alarms,
      prefix,
      scopes: [
        'queues',
        ...(props.messages ? (['messages'] as const) : []),
        ...(props.export ? (['export'] as const) : []),
        ...(props.eventBus ? (['event bus'] as const) : []),
        ...(props.page ? (['page'] as const) : []),
      ],
      facts: { limits, ...wholeDeployment },
      watched: {
        namespace,
        functions: { notify: props.messages?.function },
        queues: deadLetters.byName,
        stream: props.export?.stream.ref,
        busQueue: props.eventBus?.queue,
        pageApi: props.page?.api.ref,
      },
    });
    if (settings.dashboard) {
      dashboard(this, 'Dashboard', {
        name: prefix,
        alarmNames: [...monitored.flatMap(({ alarms }) => alarms.names), ...once.names],
        catalogues: monitored,
        deadLetters,
      });
    }
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

type CatalogueFacts = Omit<AlarmFacts, 'limits'>;

function factsOf({
  pollEveryMinutes,
  sweepEveryMinutes,
  proveEveryMinutes,
  access,
}: Catalogue): CatalogueFacts {
  return {
    pollMinutes: pollEveryMinutes,
    sweepMinutes: sweepEveryMinutes,
    proveMinutes: proveEveryMinutes,
    hasCredential: access.kind !== 'none',
    credentialExpires: access.kind === 'none' ? undefined : access.credentialExpires,
  };
}

/** The alarms that a deployment has once depend on no catalogue. */
const wholeDeployment: CatalogueFacts = {
  pollMinutes: 0,
  sweepMinutes: 0,
  proveMinutes: 0,
  hasCredential: false,
  credentialExpires: undefined,
};
