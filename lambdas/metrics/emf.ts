import { catalogueDimension, type MetricName, metricList, typeDimension } from './names.ts';

/** What one run counts and measures; nothing is written before `flush`. */
export interface Metrics {
  /** Adds to a counter. Zeros are mostly not written, since CloudWatch bills by the metric. */
  count(name: MetricName, by?: number): void;
  /** Counts an event accepted by SNS, in all and by its type. */
  published(type: string, by?: number): void;
  /** States a measured value; of several in one run the last counts. */
  gauge(name: MetricName, value: number): void;
  /** Writes what was gathered and forgets it: a run that ends early still tells what it did. */
  flush(): void;
}

/** Where the metrics belong: the namespace of the deployment and the catalogue's configured name. */
export interface MetricsOwner {
  readonly namespace: string;
  readonly catalogue: string;
}

const tellZero = new Set<MetricName>(metricList.flatMap((facts) => ('zero' in facts ? [facts.name] : [])));
const units = new Map<MetricName, string>(metricList.map(({ name, unit }) => [name, unit]));

/**
 * Metrics in CloudWatch's embedded metric format: one JSON object a line, which CloudWatch turns into metrics
 * without a request. `write` must reach standard output itself (`process.stdout.write`): Lambda's console
 * wraps what it is given, and a wrapped line is no metric. `now` gives milliseconds since the epoch.
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
    if (by !== 0 || tellZero.has(name)) values.set(name, (values.get(name) ?? 0) + by);
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
