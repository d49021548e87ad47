import { catalogueDimension, type MetricName, metricList, typeDimension } from './metric-names.ts';

interface MetricsOwner {
  /** Of the deployment. */
  readonly namespace: string;
  /** Its configured name; undefined for what a deployment has once. */
  readonly catalogue?: string;
}

const writtenAsZero = new Set<MetricName>(
  metricList.flatMap((facts) => ('zero' in facts ? [facts.name] : [])),
);
const watched = new Set<MetricName>(metricList.flatMap((facts) => ('watched' in facts ? [facts.name] : [])));
const units = new Map<MetricName, string>(
  metricList.flatMap((facts) => ('unit' in facts ? [[facts.name, facts.unit]] : [])),
);

/**
 * Creates the metrics of one run, in CloudWatch's embedded metric format: one JSON object a line, whose figures that an alarm watches
 * CloudWatch turns into metrics without a request. The other figures are fields of the line, for queries. `write` must write to standard output directly (`process.stdout.write`), because Lambda's console
 * wraps lines, and a wrapped line is not a metric. `now` gives milliseconds since the epoch.
 */
export function metrics(write: (line: string) => void, now: () => number, owner: MetricsOwner) {
  const values = new Map<MetricName, number>();
  const byType = new Map<string, number>();

  const dimensions = owner.catalogue === undefined ? {} : { [catalogueDimension]: owner.catalogue };
  const line = (): string => {
    const names = [...values.keys()].filter((name) => watched.has(name));
    const directive = {
      Namespace: owner.namespace,
      Dimensions: [Object.keys(dimensions)],
      Metrics: names.map((name) => ({ Name: name, Unit: units.get(name) ?? 'Count' })),
    };
    const envelope = { _aws: { Timestamp: now(), CloudWatchMetrics: [directive] } };
    return JSON.stringify({
      ...(names.length > 0 && envelope),
      ...dimensions,
      ...Object.fromEntries(values),
    });
  };
  const count = (name: MetricName, by = 1): void => {
    if (by !== 0 || writtenAsZero.has(name)) values.set(name, (values.get(name) ?? 0) + by);
  };

  return {
    /** Adds to a counter. Most zeros are not written, because CloudWatch charges by metric. */
    count,
    /** Counts events that SNS accepted, in total and, as a log line of its own, by type. */
    published: (type: string, by = 1): void => {
      if (by === 0) return;
      count('EventsPublished', by);
      byType.set(type, (byType.get(type) ?? 0) + by);
    },
    /** Sets a measured value; the last one in a run counts. */
    gauge: (name: MetricName, value: number): void => {
      if (Number.isFinite(value)) values.set(name, value);
    },
    /** Writes the values so far and clears them, so that a run that ends early still reports them. */
    flush: (): void => {
      if (values.size > 0) write(line());
      for (const [type, events] of byType)
        write(JSON.stringify({ ...dimensions, [typeDimension]: type, EventsOfType: events }));
      values.clear();
      byType.clear();
    },
  };
}

/** The metrics of one run. */
export type Metrics = ReturnType<typeof metrics>;
