import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { AlarmRule } from './alarm-rule.ts';

export interface AlarmsProps {
  /** Begins each alarm's name; a catalogue's alarms carry its name too. */
  readonly prefix: string;
  readonly rules: readonly AlarmRule[];
  readonly topic: ITopic;
  /** Where docs/runbook.md can be read, if that is known. */
  readonly runbook: string | undefined;
}

const comparison = {
  'at least': ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  above: ComparisonOperator.GREATER_THAN_THRESHOLD,
  below: ComparisonOperator.LESS_THAN_THRESHOLD,
} as const;

const missing = {
  'is fine': TreatMissingData.NOT_BREACHING,
  'is trouble': TreatMissingData.BREACHING,
} as const;

/** Alarms made from their rules; the text of each ends in its heading in the runbook, as a link where it can be one. */
export class Alarms extends Construct {
  readonly names: readonly string[];

  constructor(scope: Construct, id: string, { prefix, rules, topic, runbook }: AlarmsProps) {
    super(scope, id);
    const action = new SnsAction(topic);
    const headingOf = ({ id }: AlarmRule): string =>
      runbook === undefined ? `"${id}" in docs/runbook.md` : `${runbook}#${id}`;
    const nameOf = (rule: AlarmRule): string => `${prefix}-${rule.id}`;
    for (const rule of rules) {
      const alarm = new Alarm(this, rule.id, {
        alarmName: nameOf(rule),
        alarmDescription: `${rule.says}. What to do: ${headingOf(rule)}`,
        metric: rule.metric,
        comparisonOperator: comparison[rule.when],
        threshold: rule.threshold,
        evaluationPeriods: rule.periods,
        treatMissingData: missing[rule.silence],
      });
      alarm.addAlarmAction(action);
    }
    this.names = rules.map(nameOf);
  }
}
