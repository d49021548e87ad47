import { isClassified, type Once, type PanelEvent } from 'gene-panel-notifier/consumer';
import type { Case } from './case.ts';
import type { CaseRegister } from './case-register.ts';
import { listMessages } from './list-message.ts';
import { outdatedCases } from './outdated-cases.ts';
import { type Recipient, sendLists } from './send-lists.ts';

interface ReAnalysisOptions {
  readonly readCases: () => Promise<{ readonly items: readonly Case[]; readonly complete: boolean }>;
  readonly register: CaseRegister;
  readonly recipients: readonly Recipient[];
  readonly once: Once;
  readonly zone: string;
}

/** Sends the list of outdated cases for a gene that turned green on a signed-off panel. */
export function reAnalysis(options: ReAnalysisOptions): (event: PanelEvent) => Promise<void> {
  const { readCases, register, zone } = options;
  return async (event) => {
    if (!isClassified(event) || event.data.panel.signedOff !== true) return;
    const { panel, entity } = event.data;
    const { id: panelId, version } = panel;
    if (panelId === null) return;
    const { items, complete } = await readCases();
    // Claimed before it is sent: a repeat after a failure claims the same cases and sends the rest.
    const cases = await register.claim(outdatedCases(items, { id: panelId, version }, panel.superPanels), {
      eventId: event.id,
      panelId,
      gene: entity.name,
    });
    await sendLists(listMessages({ event, cases, complete, zone }), event.id, options);
  };
}
