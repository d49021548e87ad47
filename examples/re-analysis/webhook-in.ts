import * as z from 'zod';

const schema = z.object({ webhook: z.url().optional() });

/**
 * The address of the webhook in the text of the secret; undefined where it has none.
 *
 * @throws {Error} when the text is no JSON object or the address is no URL. The message shows nothing of the text.
 */
export function webhookIn(secret: string): string | undefined {
  const found = schema.safeParse(jsonOrNull(secret));
  if (found.success) return found.data.webhook;
  throw new Error(
    'The secret is not a JSON object, or its webhook is not a URL. Put {"client_id": "…", "client_secret": "…", "webhook": "https://…"} into it; webhook may be left out.',
  );
}

/** The parser's error would quote the text. */
function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
