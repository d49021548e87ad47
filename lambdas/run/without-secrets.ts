/** Shorter texts are no secrets: to take them out would make every sentence unreadable. */
const SHORTEST_SECRET = 6;

/** Stands where a credential was. */
const TAKEN_OUT = '…';

/**
 * A text that a service answered, without the credentials that were sent to it: servers repeat what they refuse, as it
 * is or encoded (percent, base64, hexadecimal, quoted in JSON), alone or within a longer encoded text such as the line
 * of an SMTP login.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const wanted = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  if (wanted.length === 0) return text;
  const forms = new Set(wanted.flatMap(plainForms));
  const longestFirst = [...forms].sort((one, other) => other.length - one.length);
  const plain = longestFirst.reduce((rest, form) => rest.replaceAll(form, TAKEN_OUT), text);
  return wanted.flatMap(base64Forms).reduce(withoutEncoded, plain);
}

function plainForms(secret: string): readonly string[] {
  const percent = encodeURIComponent(secret.toWellFormed());
  const hex = Buffer.from(secret).toString('hex');
  const quoted = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    percent,
    percent.toLowerCase(),
    percent.replaceAll('%20', '+'),
    hex,
    hex.toUpperCase(),
    quoted,
    ...decoded(secret),
  ];
}

/** The secret of an address may be percent-encoded there, and plain in the answer. */
function decoded(secret: string): readonly string[] {
  try {
    const plain = decodeURIComponent(secret);
    return plain.length >= SHORTEST_SECRET ? [plain] : [];
  } catch {
    return [];
  }
}

/** How the bytes of a secret look within base64: one form for each place in which a group of three bytes can begin. */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last characters also depend on the bytes beside the secret.
    const inner = whole.slice(
      before === 0 ? 0 : before + 1,
      whole.length - ((before + bytes.length) % 3 ? 1 : 0),
    );
    return inner.length < SHORTEST_SECRET ? [] : [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Takes out the run of base64 in which a form stands, but no slash beside it, which may be one of an address. */
function withoutEncoded(text: string, form: string): string {
  let rest = text;
  for (let at = rest.indexOf(form); at >= 0; at = rest.indexOf(form, at + TAKEN_OUT.length)) {
    const before = rest.slice(0, at).replace(/[\w+-]+$/, '');
    const after = rest.slice(at + form.length).replace(/^[\w+=-]+/, '');
    rest = `${before}${TAKEN_OUT}${after}`;
    at = before.length;
  }
  return rest;
}
