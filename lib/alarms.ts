import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { AlarmRule } from './alarm-rule.ts';

interface AlarmsProps {
  /** Begins each alarm's name; it includes the catalogue's name where the alarms are of one catalogue. */
  readonly prefix: string;
  readonly rules: readonly AlarmRule[];
  /** Gets a message when an alarm is raised, and another when it ends. */
  readonly topic: ITopic;
  /** Where docs/runbook.md is published, if the settings say so. */
  readonly runbook: string | undefined;
}

const operators = {
  'at least': ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  above: ComparisonOperator.GREATER_THAN_THRESHOLD,
  below: ComparisonOperator.LESS_THAN_THRESHOLD,
} as const;

const missingData = { ok: TreatMissingData.NOT_BREACHING, alarm: TreatMissingData.BREACHING } as const;

/** One alarm for each rule. Its description ends in the heading of the runbook, as a link where there is an address. */
export class Alarms extends Construct {
  readonly names: readonly string[];

  constructor(scope: Construct, id: string, { prefix, rules, topic, runbook }: AlarmsProps) {
    super(scope, id);
    const notify = new SnsAction(topic);
    const headingOf = ({ id }: AlarmRule): string =>
      runbook === undefined ? `"${id}" in docs/runbook.md` : `${runbook}#${id}`;
    const nameOf = (rule: AlarmRule): string => `${prefix}-${rule.id}`;
    for (const rule of rules) {
      const alarm = new Alarm(this, rule.id, {
        alarmName: nameOf(rule),
        alarmDescription: `${rule.observation}. What to do: ${headingOf(rule)}`,
        metric: rule.metric,
        comparisonOperator: operators[rule.comparison],
        threshold: rule.threshold,
        evaluationPeriods: rule.periods,
        treatMissingData: missingData[rule.withoutData],
      });
      alarm.addAlarmAction(notify);
      alarm.addOkAction(notify);
    }
    this.names = rules.map(nameOf);
  }
}
