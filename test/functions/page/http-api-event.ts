/** A request as API Gateway hands it to a function: payload format 2.0 of an HTTP API. */
export async function httpApiEvent(request: Request) {
  const { pathname, search, host } = new URL(request.url);
  const body = Buffer.from(await request.arrayBuffer());
  const headers = Object.fromEntries(request.headers);
  const { cookie, ...others } = headers;
  return {
    version: '2.0' as const,
    routeKey: '$default',
    rawPath: pathname,
    rawQueryString: search.slice(1),
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    headers: { ...others, host: headers.host ?? host },
    requestContext: {
      domainName: host,
      http: { method: request.method, path: pathname, sourceIp: '203.0.113.7' },
    },
    ...(body.length > 0 && { body: body.toString('base64') }),
    isBase64Encoded: body.length > 0,
  };
}
