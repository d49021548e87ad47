import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../lambdas/clock/clock.ts';
import { number, text } from '../../lambdas/dynamodb/attribute-values.ts';
import { personSchema } from '../access/person.ts';
import { type PersonalNotes, unmet, visitAt } from '../sign-in/personal-notes.ts';
import { askTable, isKept, itemsOf, type PeopleTable, partitions } from './people-items.ts';

/** What is kept for each person, in a table. */
export function createDynamoPersonalNotes(place: PeopleTable, clock: Pick<Clock, 'now'>): PersonalNotes {
  const { dynamodb, table: TableName } = place;
  const panelKey = (person: string, panel: string) => ({
    pk: text(partitions.panelsOf(person)),
    sk: text(panel),
  });
  const isNew = unmet();
  return {
    async meet(person) {
      if (!isNew(person)) return;
      const body = text(JSON.stringify(personSchema.parse(person)));
      const Item = { pk: text(partitions.people), sk: text(person.id), body };
      await askTable(place, 'Writing', () => dynamodb.send(new PutItemCommand({ TableName, Item })));
    },
    async people() {
      const items = await itemsOf(place, partitions.people);
      return items.map(({ body }) => personSchema.parse(JSON.parse(body?.S ?? '')));
    },
    async panelsOf(person) {
      const items = await itemsOf(place, partitions.panelsOf(person));
      return items
        .toSorted((one, other) => Number(one.chosen?.N) - Number(other.chosen?.N))
        .map(({ sk }) => sk?.S ?? '');
    },
    async addPanel(person, panel) {
      const Item = { ...panelKey(person, panel), chosen: number(clock.now()) };
      const ConditionExpression = 'attribute_not_exists(pk)';
      await isKept(place, () => dynamodb.send(new PutItemCommand({ TableName, Item, ConditionExpression })));
    },
    async removePanel(person, panel) {
      const Key = panelKey(person, panel);
      await askTable(place, 'Writing', () => dynamodb.send(new DeleteItemCommand({ TableName, Key })));
    },
    async visit(person, isHere = true) {
      const Key = { pk: text(partitions.visits), sk: text(person) };
      const { Item: known } = await askTable(place, 'Reading', () =>
        dynamodb.send(new GetItemCommand({ TableName, Key, ConsistentRead: true })),
      );
      const now = clock.now();
      const before = visitAt(
        now,
        known && { last: Number(known.last?.N), before: known.before ? Number(known.before.N) : null },
      );
      if (!isHere) return before;
      const Item = { ...Key, last: number(now), ...(before !== null && { before: number(before) }) };
      await askTable(place, 'Writing', () => dynamodb.send(new PutItemCommand({ TableName, Item })));
      return before;
    },
  };
}
