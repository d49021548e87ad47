import { describeStateStore } from './behaviour.ts';
import { createMemoryStore, emptyTable, type MemoryTable } from './memory-store.ts';

const tables = new Map<string, MemoryTable>();

describeStateStore('in memory', (catalogue) => {
  const table = tables.get(catalogue) ?? emptyTable();
  tables.set(catalogue, table);
  return createMemoryStore(table);
});
