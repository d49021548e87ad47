/**
 * Replaces Node's HTTP/2 in a function's bundle: undici loads it even where requests are sent with HTTP/1.1 (`allowH2`
 * in `attempt.ts`), and so does the SDK, whose clients here use HTTP/1.1 too.
 */
export const constants = {};
export default { constants };
