import { catalogueDimension, type MetricName, metricList, typeDimension } from './names.ts';

/** The metrics of one run. They are written by `flush`. */
export interface Metrics {
  /** Adds to a counter. Most zeros are not written, because CloudWatch charges by metric. */
  count(name: MetricName, by?: number): void;
  /** Counts events that SNS accepted, in total and by type. */
  published(type: string, by?: number): void;
  /** Sets a measured value; the last one in a run counts. */
  gauge(name: MetricName, value: number): void;
  /** Writes the values so far and clears them, so that a run that ends early still reports them. */
  flush(): void;
}

/** The namespace of the deployment and the configured name of the catalogue. */
interface MetricsOwner {
  readonly namespace: string;
  readonly catalogue: string;
}

const writtenAsZero = new Set<MetricName>(
  metricList.flatMap((facts) => ('zero' in facts ? [facts.name] : [])),
);
const units = new Map<MetricName, string>(metricList.map(({ name, unit }) => [name, unit]));

/**
 * Creates metrics in CloudWatch's embedded metric format: one JSON object a line, which CloudWatch turns into metrics
 * without a request. `write` must write to standard output directly (`process.stdout.write`), because Lambda's console
 * wraps lines, and a wrapped line is not a metric. `now` gives milliseconds since the epoch.
 */
export function metrics(write: (line: string) => void, now: () => number, owner: MetricsOwner): Metrics {
  const values = new Map<MetricName, number>();
  const byType = new Map<string, number>();

  const line = (measured: ReadonlyMap<MetricName, number>, dimensions: Record<string, string>): string => {
    const names = [...measured.keys()].map((name) => ({ Name: name, Unit: units.get(name) }));
    const directive = { Namespace: owner.namespace, Dimensions: [Object.keys(dimensions)], Metrics: names };
    const envelope = { Timestamp: now(), CloudWatchMetrics: [directive] };
    return JSON.stringify({ _aws: envelope, ...dimensions, ...Object.fromEntries(measured) });
  };
  const count = (name: MetricName, by = 1): void => {
    if (by !== 0 || writtenAsZero.has(name)) values.set(name, (values.get(name) ?? 0) + by);
  };

  return {
    count,
    published: (type, by = 1) => {
      if (by === 0) return;
      count('EventsPublished', by);
      byType.set(type, (byType.get(type) ?? 0) + by);
    },
    gauge: (name, value) => {
      if (Number.isFinite(value)) values.set(name, value);
    },
    flush: () => {
      const dimensions = { [catalogueDimension]: owner.catalogue };
      if (values.size > 0) write(line(values, dimensions));
      for (const [type, events] of byType) {
        write(line(new Map([['EventsPublished', events]]), { ...dimensions, [typeDimension]: type }));
      }
      values.clear();
      byType.clear();
    },
  };
}
