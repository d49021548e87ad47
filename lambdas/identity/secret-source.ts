/** Where the text of a secret is kept. */
export interface SecretSource {
  /** What messages call it, such as `the secret arn:…`. */
  readonly name: string;
  /** Its present text; each call reads it anew. Fails with whatever its keeper says, or with `NotTextError`. */
  read(): Promise<string>;
}
