import type { Instant } from '../run/instant.ts';
import type { VersionSummary } from './version-state.ts';

/** Names an answer of the catalogue that showed a panel whole: which version, and when it was read first. */
export interface AnswerKey extends Pick<VersionSummary, 'panelId' | 'version' | 'validFrom' | 'source'> {
  readonly readAt: Instant;
}

/**
 * Keeps what one catalogue answered where panels were asked for, byte by byte: with it the same answer can be given again. States hold
 * what the notifier needs of it.
 * @throws {StateError} from every method, when the store cannot be read or written
 */
export interface AnswerStore {
  /** Keeps an answer. One that equals the last of its version and source is kept once, as it was read first. */
  keep(key: AnswerKey, body: Uint8Array): Promise<void>;
  /** The answers of a panel, oldest version first. */
  of(panelId: number): Promise<readonly AnswerKey[]>;
  /** An answer as it was received. Null where it is not kept. */
  read(key: AnswerKey): Promise<Buffer | null>;
}
