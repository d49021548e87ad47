import type { Instant } from '../run/instant.ts';
import type { Item } from '../store/dynamodb-call.ts';
import { createTable, type TableOptions } from '../store/dynamodb-table.ts';
import { timeKey } from '../store/history/dynamodb-items.ts';

/** The table as panel states use it. Every read is strongly consistent: decisions are taken from it. */
export function createPanelStateTable(options: TableOptions) {
  const where = `panel states in table "${options.table}"`;
  const table = createTable(options, { where, unchanged: 'Nothing was published from them' });
  return {
    ...table,
    /** The items of a query, read to its end. */
    async list(query: Parameters<typeof table.query>[0]): Promise<readonly Item[]> {
      const items: Item[] = [];
      for await (const item of table.query(query)) items.push(item);
      return items;
    },
  };
}

/** Versions in the order in which they began. */
export const stateKey = ({
  version,
  validFrom,
}: {
  readonly version: string;
  readonly validFrom: Instant;
}): string => `${timeKey(validFrom)}#${version}`;
