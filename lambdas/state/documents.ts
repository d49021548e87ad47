/** A text that is kept under a name, with a version that grows by one with every change. */
interface VersionedDocument {
  readonly version: number;
  readonly body: string;
}

/**
 * Keeps documents of one catalogue that are too large or too seldom needed for the position: each is replaced as
 * a whole, by the writer that read it last.
 */
export interface Documents {
  /**
   * The document of that name, or null where there is none.
   *
   * @throws {StateError} `STATE_UNAVAILABLE` when the store does not answer, `STATE_CORRUPT` when a part is missing
   */
  load(name: string): Promise<VersionedDocument | null>;
  /**
   * Replaces the document if it still has the version that was read (0: there was none) and returns the new version.
   *
   * @throws {StateError} `STATE_CONFLICT` when another run has replaced it, `STATE_UNAVAILABLE` as above
   */
  save(name: string, version: number, body: string): Promise<number>;
}
