import { type AlarmKind, alarmIds, alarmKind } from '../../../lambdas/run/alarm-kinds.ts';
import type { WatchedMetric } from '../../../lambdas/run/metric-names.ts';
import type { JobName } from '../../../lib/catalogue-reader.ts';
import { at, listOf, type Resource, textsOf } from './resolved-stack.ts';

/**
 * What shows that a run of a function reached its end; where nothing shows it, an alarm must be raised. A metric of ours has a
 * sample of each such run. Lambda's own `Errors` has a zero of it, and a one of each that failed.
 */
const signOfLife = {
  poll: { metric: 'ActivitiesRead', statistic: 'SampleCount', comparison: 'LessThanThreshold' },
  sweep: { metric: 'Errors', statistic: 'Minimum', comparison: 'GreaterThanOrEqualToThreshold' },
  prove: { metric: 'Errors', statistic: 'Minimum', comparison: 'GreaterThanOrEqualToThreshold' },
  notify: { metric: 'Errors', statistic: 'Maximum', comparison: 'GreaterThanOrEqualToThreshold' },
  relay: { metric: 'Errors', statistic: 'Maximum', comparison: 'GreaterThanOrEqualToThreshold' },
} as const satisfies Readonly<
  Record<
    JobName | 'notify' | 'relay',
    {
      readonly metric: WatchedMetric | 'Errors';
      readonly statistic: string;
      readonly comparison: string;
    }
  >
>;

/** What can stop or fail without anybody being notified; each finding names the alarm or the resource. */
export function silenceFindings(stack: readonly Resource[]): readonly string[] {
  const alarms = stack.filter(({ type }) => type === 'AWS::CloudWatch::Alarm');
  return [
    ...missingAlarms(stack, alarms),
    ...unwatchedSources(stack, alarms),
    ...unwatchedFunctions(stack, alarms),
    ...unwatchedQueues(stack, alarms),
    ...alarms
      .filter(({ properties }) => textsOf(properties.AlarmActions).length === 0)
      .map(({ id }) => `the alarm ${id} has no topic to notify`),
  ];
}

/** The notifier's own functions that a schedule starts: `panels-test-poll-uk` is the poll of the catalogue uk. */
function ownFunctions(stack: readonly Resource[]) {
  return stack.flatMap((each) => {
    if (each.type !== 'AWS::Lambda::Function') return [];
    const [, prefix, job, catalogue] =
      /^(.*?)-(poll|sweep|prove|notify|relay)(?:-(.*))?$/.exec(each.ref) ?? [];
    return prefix === undefined || job === undefined
      ? []
      : [
          {
            id: each.id,
            ref: each.ref,
            prefix,
            job: job as keyof typeof signOfLife,
            catalogue,
            properties: each.properties,
          },
        ];
  });
}

/** Each kind of alarm of each catalogue, and those that a deployment has once. */
function missingAlarms(stack: readonly Resource[], alarms: readonly Resource[]): readonly string[] {
  const functions = ownFunctions(stack);
  const has = (type: string): boolean => stack.some((each) => each.type === type);
  const once: readonly AlarmKind['scope'][] = [
    'queues',
    ...(functions.some(({ job }) => job === 'notify') ? (['messages'] as const) : []),
    ...(has('AWS::KinesisFirehose::DeliveryStream') ? (['export'] as const) : []),
    ...(stack.some(({ ref }) => ref.endsWith('-event-bus')) ? (['event bus'] as const) : []),
    ...(has('AWS::ApiGatewayV2::Api') ? (['page'] as const) : []),
    ...(functions.some(({ job }) => job === 'relay') ? (['relay'] as const) : []),
  ];
  const prefixes = new Set(functions.map(({ prefix }) => prefix));
  const wanted = [
    ...[...prefixes].flatMap((prefix) =>
      alarmIds.filter((id) => once.includes(alarmKind(id).scope)).map((id) => `${prefix}-${id}`),
    ),
    ...functions
      .filter(({ job }) => job === 'poll')
      .flatMap(({ prefix, catalogue, properties }) => {
        const { ACCESS, CREDENTIAL_EXPIRES } = Object(at(properties, 'Environment', 'Variables'));
        const moot = [
          ...(ACCESS === 'none' ? ['credential-refused'] : []),
          ...(CREDENTIAL_EXPIRES === undefined ? ['credential-expiring'] : []),
        ];
        return alarmIds
          .filter((id) => alarmKind(id).scope === 'catalogue' && !moot.includes(id))
          .map((id) => `${prefix}-${catalogue}-${id}`);
      }),
  ];
  const names = alarms.map(({ ref }) => ref);
  return wanted.filter((name) => !names.includes(name)).map((name) => `the alarm ${name} is missing`);
}

const dimensionsOf = ({ properties }: Resource): readonly string[] =>
  listOf(properties.Dimensions).map((each) => String(at(each, 'Value')));

/** A function must have an alarm that is raised when none of its runs reaches its end. */
function unwatchedFunctions(stack: readonly Resource[], alarms: readonly Resource[]): readonly string[] {
  return ownFunctions(stack)
    .filter(({ job, catalogue, ref }) => {
      const { metric, statistic, comparison } = signOfLife[job];
      return !alarms.some(
        ({ properties, ...alarm }) =>
          properties.MetricName === metric &&
          properties.Statistic === statistic &&
          properties.ComparisonOperator === comparison &&
          properties.Threshold === 1 &&
          properties.TreatMissingData === 'breaching' &&
          dimensionsOf({ ...alarm, properties }).includes(metric === 'Errors' ? ref : String(catalogue)),
      );
    })
    .map(({ id }) => `the function ${id} may stop, and no alarm is raised`);
}

/** A function that only empties a queue must have an alarm on the age of what waits there. */
function unwatchedSources(stack: readonly Resource[], alarms: readonly Resource[]): readonly string[] {
  const scheduled = ownFunctions(stack).map(({ id }) => id);
  const queueOf = (name: unknown) => stack.find(({ arn }) => arn === name);
  return stack
    .filter(({ type }) => type === 'AWS::Lambda::EventSourceMapping')
    .flatMap(({ properties }) => {
      const target = stack.find(({ ref }) => ref === properties.FunctionName);
      const { id = '', properties: own = {} } = queueOf(properties.EventSourceArn) ?? {};
      const isOthers = at(target?.properties, 'Environment', 'Variables', 'EVENT_BUS_ARN') === undefined;
      if (target === undefined || scheduled.includes(target.id) || isOthers) return [];
      return alarms.some(
        (alarm) =>
          alarm.properties.MetricName === 'ApproximateAgeOfOldestMessage' &&
          dimensionsOf(alarm).includes(String(own.QueueName)),
      )
        ? []
        : [`the function ${target.id} may leave events in the queue ${id}, and no alarm is raised`];
    });
}

/** A queue of dead letters must have an alarm on its depth. */
function unwatchedQueues(stack: readonly Resource[], alarms: readonly Resource[]): readonly string[] {
  const named = new Set(
    stack.flatMap(({ properties }) =>
      textsOf([
        at(properties, 'RedrivePolicy', 'deadLetterTargetArn'),
        at(properties, 'DestinationConfig', 'OnFailure', 'Destination'),
        at(properties, 'Target', 'DeadLetterConfig', 'Arn'),
      ]),
    ),
  );
  return stack
    .filter(({ type, arn = '' }) => type === 'AWS::SQS::Queue' && named.has(arn))
    .filter(
      ({ arn = '' }) =>
        !alarms.some(
          (alarm) =>
            alarm.properties.MetricName === 'ApproximateNumberOfMessagesVisible' &&
            dimensionsOf(alarm).includes(arn.split(':').at(-1) ?? ''),
        ),
    )
    .map(({ id, arn }) => `the queue of dead letters ${id} (${arn}) has no alarm`);
}
