import type { AnswerStore } from '../../panels/answer-store.ts';
import type { PanelStateStore } from '../../panels/panel-state-store.ts';
import type { Documents } from '../../store/documents.ts';
import type { History } from '../../store/history/history.ts';
import type { KeptRows } from '../../store/history/kept-rows.ts';
import type { StateStore } from '../../store/store.ts';

/** What the relay of one catalogue answers from: it asks the catalogue for nothing, and writes nothing. */
export interface RelaySource {
  /** The configured name of the catalogue. */
  readonly catalogue: string;
  readonly states: Pick<PanelStateStore, 'versions' | 'panels' | 'signOffs'>;
  readonly answers: Pick<AnswerStore, 'of' | 'read'>;
  readonly documents: Documents;
  readonly state: Pick<StateStore, 'listing'>;
  readonly history: Pick<History, 'find' | 'coverage'>;
  readonly rows: KeptRows;
}

/** The address of the catalogue that a relay serves: the source of its events; null before the first one. */
export async function originalOf({ catalogue, history }: RelaySource): Promise<string | null> {
  for await (const { source } of history.find({ catalogue, limit: 1 })) return source;
  return null;
}

/** What was asked for was not read, so that nothing is known of it; the message is for the client. */
export class NotRead extends Error {
  override readonly name = 'NotRead';
}
