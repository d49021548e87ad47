import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { metrics } from '../../lambdas/run/emf.ts';
import { metricList } from '../../lambdas/run/metric-names.ts';

/** The parts of the embedded metric format that CloudWatch insists on. */
const emfSchema = z.looseObject({
  _aws: z.strictObject({
    Timestamp: z.int(),
    CloudWatchMetrics: z
      .array(
        z.strictObject({
          Namespace: z.string().min(1).max(1024),
          Dimensions: z.array(z.array(z.string()).max(30)).min(1),
          Metrics: z.array(z.strictObject({ Name: z.string(), Unit: z.string() })).max(100),
        }),
      )
      .length(1),
  }),
});

const gather = () => {
  const lines: string[] = [];
  const at = Date.parse('2026-11-20T09:00:00Z');
  const measured = metrics(
    (line) => lines.push(line),
    () => at,
    { namespace: 'Notifier/test', catalogue: 'uk' },
  );
  const parsed = () => lines.map((line) => emfSchema.parse(JSON.parse(line)));
  return { measured, lines, parsed, at };
};

/** The metrics of one line: name, value, unit and the values of its dimensions. */
const read = (line: z.infer<typeof emfSchema>) =>
  line._aws.CloudWatchMetrics.flatMap((directive) =>
    directive.Metrics.map(({ Name, Unit }) => ({
      name: Name,
      unit: Unit,
      value: line[Name],
      at: directive.Dimensions.map((names) => names.map((name) => line[name])),
    })),
  );

describe('metrics()', () => {
  test('sums a counter and states its unit, catalogue and namespace', () => {
    const { measured, parsed, at } = gather();
    measured.count('ActivitiesRead', 3);
    measured.count('ActivitiesRead');
    measured.flush();
    expect(parsed().flatMap(read)).toEqual([
      { name: 'ActivitiesRead', unit: 'Count', value: 4, at: [['uk']] },
    ]);
    expect(parsed()[0]?._aws.Timestamp).toBe(at);
    expect(parsed()[0]?._aws.CloudWatchMetrics[0]?.Namespace).toBe('Notifier/test');
  });

  test('counts published events in a metric, and by type in log lines', () => {
    const { measured, lines } = gather();
    measured.published('gene-panel.entity.classified.v1', 2);
    measured.published('gene-panel.panel.promoted.v1');
    measured.flush();
    const [all = '', ...byType] = lines;
    expect(read(emfSchema.parse(JSON.parse(all)))).toEqual([
      { name: 'EventsPublished', unit: 'Count', value: 3, at: [['uk']] },
    ]);
    expect(byType.map((line) => JSON.parse(line))).toEqual([
      { Catalogue: 'uk', Type: 'gene-panel.entity.classified.v1', EventsOfType: 2 },
      { Catalogue: 'uk', Type: 'gene-panel.panel.promoted.v1', EventsOfType: 1 },
    ]);
  });

  test('keeps the last of several measured values, zero among them', () => {
    const { measured, parsed } = gather();
    measured.gauge('LagSeconds', 58_926);
    measured.gauge('LagSeconds', 0);
    measured.flush();
    expect(parsed().flatMap(read)).toEqual([{ name: 'LagSeconds', unit: 'Seconds', value: 0, at: [['uk']] }]);
  });

  test('writes a figure that no alarm watches as a field of the line, which CloudWatch does not charge', () => {
    const { measured, lines, parsed } = gather();
    measured.gauge('FeedCount', 600);
    measured.flush();
    expect(lines).toEqual(['{"Catalogue":"uk","FeedCount":600}']);
    measured.gauge('FeedCount', 600);
    measured.count('ActivitiesRead', 3);
    measured.flush();
    lines.shift();
    expect(
      parsed()
        .flatMap(read)
        .map(({ name }) => name),
    ).toEqual(['ActivitiesRead']);
    expect(parsed()[0]).toMatchObject({ FeedCount: 600 });
  });

  test('has no dimension where there is no catalogue', () => {
    const lines: string[] = [];
    const measured = metrics(
      (line) => lines.push(line),
      () => 0,
      { namespace: 'Notifier/test' },
    );
    measured.gauge('OldestUnsentSeconds', 0);
    measured.flush();
    expect(read(emfSchema.parse(JSON.parse(lines[0] ?? '')))).toEqual([
      { name: 'OldestUnsentSeconds', unit: 'Seconds', value: 0, at: [[]] },
    ]);
  });

  test('writes that no activity was read, because an alarm watches for zero over days', () => {
    const { measured, parsed } = gather();
    measured.count('ActivitiesRead', 0);
    measured.flush();
    expect(parsed().flatMap(read)).toEqual([
      { name: 'ActivitiesRead', unit: 'Count', value: 0, at: [['uk']] },
    ]);
  });

  test('writes nothing for a run that measured nothing', () => {
    const { measured, lines } = gather();
    measured.count('Unclassified', 0);
    measured.published('gene-panel.panel.promoted.v1', 0);
    measured.gauge('LagSeconds', Number.NaN);
    measured.flush();
    expect(lines).toEqual([]);
  });

  test('is empty after each flush', () => {
    const { measured, lines } = gather();
    measured.published('gene-panel.panel.promoted.v1');
    measured.flush();
    measured.flush();
    expect(lines).toHaveLength(2);
  });

  test('keeps a hostile type on one line', () => {
    const { measured, lines } = gather();
    measured.published('x\n{"_aws":{}}');
    measured.flush();
    expect(lines.filter((line) => line.includes('\n'))).toEqual([]);
    expect(lines).toHaveLength(2);
  });

  test('gives each metric a different name', () => {
    const names = metricList.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(new Set(names).size).toBe(names.length);
  });
});
