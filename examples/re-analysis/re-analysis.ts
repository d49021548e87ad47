import { isClassified, type Once, type PanelEvent } from 'gene-panel-notifier/consumer';
import type { Case } from './case.ts';
import type { CaseRegister } from './case-register.ts';
import { type ListMessage, listMessages } from './list-message.ts';
import { outdatedCases } from './outdated-cases.ts';

/** A place that lists go to. */
export interface Recipient {
  readonly name: string;
  send(message: ListMessage, eventId: string): Promise<void>;
}

interface ReAnalysisOptions {
  readonly readCases: () => Promise<{ readonly items: readonly Case[]; readonly complete: boolean }>;
  readonly register: CaseRegister;
  readonly recipients: readonly Recipient[];
  /** Keeps a message that was sent from being sent again when the event is repeated. */
  readonly once: Once;
  readonly zone: string;
}

/** Sends the list of outdated cases for a gene that turned green on a signed-off panel. */
export function reAnalysis(options: ReAnalysisOptions): (event: PanelEvent) => Promise<void> {
  const { readCases, register, recipients, once, zone } = options;
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
    for (const [index, message] of listMessages({ event, cases, complete, zone }).entries()) {
      for (const recipient of recipients) {
        await once(`${event.id} ${recipient.name} ${index + 1}`, () => recipient.send(message, event.id));
      }
    }
  };
}
