import { isSignedOff, type Once, type PanelEvent } from 'gene-panel-notifier/consumer';
import type { PanelVersions } from 'gene-panel-notifier/impact';
import type { Case } from './case.ts';
import type { CaseRegister } from './case-register.ts';
import { type Recipient, sendLists } from './send-lists.ts';
import { signedOffCases } from './signed-off-cases.ts';
import { signedOffMessages } from './signed-off-message.ts';

interface SignedOffOptions {
  readonly readCases: () => Promise<{ readonly items: readonly Case[]; readonly complete: boolean }>;
  readonly versions: Pick<PanelVersions, 'version'>;
  readonly register: Pick<CaseRegister, 'claim'>;
  readonly recipients: readonly Recipient[];
  readonly once: Once;
}

/**
 * Sends the list of cases for a version that was signed off: those that were analysed when other genes were green. An event
 * without the version is left alone: where the catalogue lists it later, an event of its own states it.
 */
export function signedOffReAnalysis(options: SignedOffOptions): (event: PanelEvent) => Promise<void> {
  const { readCases, versions, register } = options;
  return async (event) => {
    if (!isSignedOff(event) || !event.data.change.signedOff) return;
    const { panel, change } = event.data;
    const { signedOffVersion: version, previousSignedOffVersion } = change;
    if (panel.id === null || version === undefined) return;
    const { id: panelId, superPanels = [] } = panel;
    const { items, complete } = await readCases();
    const found = await signedOffCases(items, { id: panelId, version, superPanels }, versions);
    const cases = await register.claim(found, { eventId: event.id, panelId, gene: `version ${version}` });
    const now = await versions.version(panelId, version);
    const before =
      previousSignedOffVersion === undefined
        ? null
        : await versions.version(panelId, previousSignedOffVersion);
    await sendLists(signedOffMessages({ event, cases, complete, now, before }), event.id, options);
  };
}
