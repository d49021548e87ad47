import type { PanelStateStore } from '../panels/panel-state-store.ts';
import type { PanelProver } from './panel-prover.ts';

interface FromStart {
  readonly panels: readonly number[];
  readonly prover: Pick<PanelProver, 'readFromStart' | 'prove'>;
  readonly states: Pick<PanelStateStore, 'versions'>;
  /** Called after each panel: how many are left. */
  readonly onRead: (panelId: number, panelsLeft: number) => void;
}

/**
 * Reads and proves every version of panels. The states of a super panel follow from those of its panels, so that these are
 * read too, and the super panels are proven last.
 * @throws {ArchivePaused | LogUnread} where that has to wait
 */
export async function readFromStart({ panels, prover, states, onRead }: FromStart): Promise<void> {
  const wanted = new Set(panels);
  const superPanels: number[] = [];
  let read = 0;
  // A set is gone through with what is added to it meanwhile.
  for (const panelId of wanted) {
    await prover.readFromStart(panelId);
    const held = (await states.versions(panelId)).flatMap(({ childPanels }) => childPanels);
    if (held.length > 0) superPanels.push(panelId);
    for (const id of held) wanted.add(id);
    read += 1;
    onRead(panelId, wanted.size - read);
  }
  for (const panelId of superPanels) await prover.prove(panelId);
}
