/**
 * Whether a host name, as `URL.hostname` writes it, is the machine that asks: `localhost`, 127.0.0.0/8 or `[::1]`.
 * Only such a host may be reached by http with a credential, and no function on AWS can reach one.
 */
export const isLoopback = (hostname: string): boolean => loopback.test(hostname);

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
