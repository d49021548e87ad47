import * as z from 'zod';
import type { Clock } from '../../lambdas/run/clock.ts';
import { type ItemStore, readValue } from '../../lambdas/store/items.ts';
import { type Person, personSchema } from '../access/access.ts';
import { partitions } from './people-file.ts';

/** What the page keeps for each person: their name, the panels that they chose, and when they came. */
export interface PersonalNotes {
  /** The panels of a person, as they chose them, in the order of the choice. */
  panelsOf(person: string): Promise<readonly string[]>;
  /** Adds a panel; nothing happens where the person has it. */
  addPanel(person: string, panel: string): Promise<void>;
  removePanel(person: string, panel: string): Promise<void>;
  /**
   * Notes that a person is here, unless it is only asked, and returns when they were here before, in milliseconds since the epoch; null at the first
   * time. Requests within half an hour of each other are one visit.
   */
  visit(person: string, isHere?: boolean): Promise<number | null>;
  /** Keeps the name, account and role of a person: so others can assign entries to them. */
  meet(person: Person): Promise<void>;
  /** Everybody who was met, as they were last. */
  people(): Promise<readonly Person[]>;
}

/** A request that comes later than this after the last one begins another visit. */
const VISIT_MS = 1_800_000;

/** The last request of a person, and when the visit before that one ended; null at the first time. */
const visitSchema = z.object({ last: z.number(), before: z.number().nullable() });
/** When a person chose a panel, in milliseconds since the epoch. */
const choiceSchema = z.object({ chosen: z.number() });

/** When a person who is here now was here before; null at the first time. In milliseconds since the epoch. */
function visitAt(now: number, known: z.infer<typeof visitSchema> | null): number | null {
  if (!known) return null;
  return now - known.last > VISIT_MS ? known.last : known.before;
}

/** What is kept of each person, in a store of items. */
export function createPersonalNotes(items: ItemStore, clock: Pick<Clock, 'now'>): PersonalNotes {
  const { place } = items;
  const met = new Map<string, string>();
  return {
    async meet(person) {
      const value = personSchema.parse(person);
      const seen = JSON.stringify(value);
      if (met.get(person.id) === seen) return;
      await items.put({ partition: partitions.people, id: person.id, value });
      met.set(person.id, seen);
    },
    async people() {
      const kept = await items.list(partitions.people);
      return kept.map((item) => readValue(item, { schema: personSchema, place }));
    },
    async panelsOf(person) {
      const kept = await items.list(partitions.panelsOf(person));
      return kept
        .map((item) => ({ panel: item.id, ...readValue(item, { schema: choiceSchema, place }) }))
        .sort((one, other) => one.chosen - other.chosen)
        .map(({ panel }) => panel);
    },
    async addPanel(person, panel) {
      await items.create({
        ...{ partition: partitions.panelsOf(person), id: panel, value: { chosen: clock.now() } },
      });
    },
    removePanel: (person, panel) => items.remove(partitions.panelsOf(person), panel),
    async visit(person, isHere = true) {
      const known = await items.get(partitions.visits, person);
      const last = clock.now();
      const before = visitAt(last, known && readValue(known, { schema: visitSchema, place }));
      if (isHere) await items.put({ partition: partitions.visits, id: person, value: { last, before } });
      return before;
    },
  };
}
