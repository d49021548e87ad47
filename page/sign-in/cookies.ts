/** The cookies of the page. On HTTPS their names tie them to this host, to HTTPS and to the whole page. */
export interface Cookies {
  /** The value that a request sends; null where it sends none, or two of that name. */
  read(headers: Headers, name: CookieName): string | null;
  /** A `Set-Cookie` header. @param seconds how long the browser keeps it; until it is closed where absent */
  set(name: CookieName, value: string, seconds?: number): string;
  /** A `Set-Cookie` header that removes it. */
  clear(name: CookieName): string;
}

type CookieName = 'session' | 'sign-in';

/** @param isSecure whether browsers reach the page by HTTPS */
export function pageCookies(isSecure: boolean): Cookies {
  const nameOf = (name: CookieName): string => (isSecure ? `__Host-${name}` : name);
  // Lax: a link in a chat opens the page without another sign-in. What changes anything is a form with a token.
  const rest = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    read(headers, name) {
      const start = `${nameOf(name)}=`;
      const sent = (headers.get('cookie') ?? '').split(/; */).filter((part) => part.startsWith(start));
      return sent.length === 1 ? (sent[0]?.slice(start.length) ?? null) : null;
    },
    set: (name, value, seconds) =>
      `${nameOf(name)}=${value}; ${rest}${seconds === undefined ? '' : `; Max-Age=${seconds}`}`,
    clear: (name) => `${nameOf(name)}=; ${rest}; Max-Age=0`,
  };
}
