import { type Catalogue, createCatalogue } from '../../lambdas/catalogue/client.ts';
import { openAccess } from '../access.ts';
import { readCatalogue } from '../arguments.ts';
import type { Io } from '../command.ts';
import { logLines } from '../log-lines.ts';
import { type OpenPanelStates, openPanelStates } from './open-panel-states.ts';

/** Kept states, and the catalogue that is asked for what is not kept. */
interface AskedStates {
  readonly opened: OpenPanelStates;
  /** Null where no catalogue may be asked. */
  readonly catalogue: Catalogue | null;
  close(): Promise<void>;
}

/**
 * Opens the kept states that the options name, and the catalogue of `--catalogue` where it is given.
 * @throws {UsageError} when an option is wrong
 * @throws {LocalStateError | StateError | SettingsError | DeployedStageError} when the states cannot be opened
 */
export async function openAskedStates(
  values: Parameters<typeof openPanelStates>[0] &
    Parameters<typeof openAccess>[0] & { readonly catalogue?: string | undefined },
  io: Io,
): Promise<AskedStates> {
  const url = values.catalogue === undefined ? undefined : readCatalogue('--catalogue', values.catalogue);
  const opened = await openPanelStates(values, url, io);
  if (url === undefined) return { opened, catalogue: null, close: async () => opened.close() };
  const log = logLines(io);
  const { access, close } = openAccess(values, io, log);
  const catalogue = createCatalogue({ baseUrl: url, access, clock: io.clock, log, signal: io.signal });
  return {
    opened,
    catalogue,
    close: async () => {
      opened.close();
      await catalogue.close();
      await close();
    },
  };
}
