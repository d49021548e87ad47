import { serveSavedLog } from '../poll/saved-log.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { openLocalTable } from '../store/local-table.ts';

/** Tables and a catalogue on this machine, in which a poll finds nothing new once it has started. */
interface QuietPlaces {
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function openQuietPlaces(): Promise<QuietPlaces> {
  const [log, table] = await Promise.all([serveSavedLog(), openLocalTable()]);
  return {
    environment: {
      AWS_ACCESS_KEY_ID: 'bench',
      AWS_SECRET_ACCESS_KEY: 'bench',
      AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
      CATALOGUE_URL: log.url,
      TABLE_NAME: table.table,
      HISTORY_TABLE_NAME: await createHistoryTable(table.dynamodb),
    },
    close: async () => {
      await Promise.all([log.close(), table.close()]);
    },
  };
}
