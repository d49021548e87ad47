import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { AlarmFacts, AlarmKind, Watch } from '../lambdas/run/alarm-kind.ts';
import { type AlarmId, alarmIds, alarmKind, whatToDo } from '../lambdas/run/alarm-kinds.ts';
import { type Watched, watchedMetric } from './watched-metric.ts';

interface AlarmsProps {
  /** Begins each alarm's name; it includes the catalogue's name where the alarms are of one catalogue. */
  readonly prefix: string;
  /** The kinds of these scopes are made. */
  readonly scopes: readonly AlarmKind['scope'][];
  readonly facts: AlarmFacts;
  readonly watched: Watched;
  /** Gets a message when an alarm is raised, and another when it ends. */
  readonly topic: ITopic;
}

const operators = {
  'at least': ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  above: ComparisonOperator.GREATER_THAN_THRESHOLD,
  below: ComparisonOperator.LESS_THAN_THRESHOLD,
} as const satisfies Record<Watch['comparison'], ComparisonOperator>;

const missingData = { ok: TreatMissingData.NOT_BREACHING, alarm: TreatMissingData.BREACHING } as const;

/** One alarm for each kind of some scopes. Its description ends in the heading of the runbook, as a link where there is an address. */
export class Alarms extends Construct {
  readonly names: readonly string[];

  constructor(scope: Construct, id: string, { prefix, scopes, facts, watched, topic }: AlarmsProps) {
    super(scope, id);
    const notify = new SnsAction(topic);
    const names: string[] = [];
    for (const alarmId of alarmIds) {
      const kind = alarmKind(alarmId);
      const watch = scopes.includes(kind.scope) ? kind.watch(facts) : null;
      if (watch === null) continue;
      const alarmName = `${prefix}-${alarmId satisfies AlarmId}`;
      const alarm = new Alarm(this, alarmId, {
        alarmName,
        alarmDescription: `${kind.observed(facts)}. ${whatToDo(alarmId, facts.limits)}`,
        metric: watchedMetric(watch, watched),
        comparisonOperator: operators[watch.comparison],
        threshold: watch.threshold,
        evaluationPeriods: watch.periods,
        treatMissingData: missingData[watch.withoutData],
      });
      alarm.addAlarmAction(notify);
      alarm.addOkAction(notify);
      names.push(alarmName);
    }
    this.names = names;
  }
}
