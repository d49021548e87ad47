/** An address cannot be shown; the message says what was seen and what was expected. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}
