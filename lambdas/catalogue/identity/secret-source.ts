/** The place where the text of a secret is stored. */
export interface SecretSource {
  /** Its name in messages, such as `the secret arn:…`. */
  readonly name: string;
  /**
   * Reads the present text; each call reads it again.
   *
   * @throws the error of the store
   */
  read(): Promise<string>;
}
