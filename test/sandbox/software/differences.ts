import type { EventKindName } from '../../../lambdas/events/changes.ts';
import { type Fact, isOneOf, type Stated, type StatedField } from '../../../sandbox/software/state.ts';

/** What an event says, without its envelope. */
export interface PublishedChange {
  readonly type: EventKindName;
  readonly panelId: number;
  readonly entity: { readonly type: string; readonly name: string } | null;
  readonly change: Readonly<Record<string, unknown>>;
}

/**
 * Where what was published differs from the truth, one sentence each; empty where all is right. Every fact must be
 * published once, nothing else may be, and no field may hold what the text does not state. Left out, null, the empty
 * text and the empty list all count as no value.
 */
export function differences(
  truth: readonly Fact[],
  published: readonly PublishedChange[],
): readonly string[] {
  const left = [...published];
  const missing: string[] = [];
  const asked = truth.toSorted(
    (one, other) => Number(one.optional ?? false) - Number(other.optional ?? false),
  );
  for (const fact of asked) {
    const found = left.findIndex((event) => states(event, fact));
    if (found >= 0) left.splice(found, 1);
    else if (!fact.optional) missing.push(`not published: ${print(fact)}`);
  }
  return [...missing, ...left.map((event) => `published, but untrue: ${print(event)}`)];
}

function states(event: PublishedChange, fact: Fact): boolean {
  return (
    event.type === fact.type &&
    event.panelId === fact.panelId &&
    (fact.entity?.type ?? null) === (event.entity?.type ?? null) &&
    agrees(fact.entity?.name ?? null, event.entity?.name ?? null) &&
    fieldsAgree(fact.change, event.change)
  );
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsAgree(stated: Fields, published: Fields): boolean {
  return [...new Set([...Object.keys(stated), ...Object.keys(published)])].every((field) =>
    field === 'changes'
      ? changesAgree(stated.changes as readonly StatedField[], published.changes as readonly StatedField[])
      : agrees(stated[field], published[field]),
  );
}

/** One entry a field and aspect, in any order. */
function changesAgree(stated: readonly StatedField[], published: readonly StatedField[] = []): boolean {
  const entries = [...merged(published)];
  return (
    entries.length === stated.length &&
    stated.every((change) => {
      const entry = entries.find(([name]) => name === nameOf(change));
      return entry !== undefined && fieldsAgree({ ...change }, entry[1]);
    })
  );
}

function nameOf({ field, aspect }: StatedField): string {
  return `${field}/${aspect ?? ''}`;
}

/** What was added and removed may be published in one entry or in several. */
function merged(changes: readonly StatedField[]): ReadonlyMap<string, Fields> {
  const entries = new Map<string, Record<string, unknown>>();
  for (const change of changes) {
    const entry = entries.get(nameOf(change)) ?? {};
    for (const [field, value] of Object.entries(change)) {
      const before = entry[field];
      entry[field] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    }
    entries.set(nameOf(change), entry);
  }
  return entries;
}

function agrees(stated: Stated, published: unknown): boolean {
  if (isOneOf(stated)) return stated.oneOf.some((option) => agrees(option, published));
  if (isNothing(stated) || isNothing(published)) return isNothing(stated) && isNothing(published);
  if (!Array.isArray(stated)) return stated === published;
  return (
    Array.isArray(published) &&
    stated.length === published.length &&
    stated.every((item, index) => agrees(item, published[index]))
  );
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function print(value: unknown): string {
  return JSON.stringify(value);
}
