/** The header of a request that an emulator accepts: it asks who calls, not for proof. */
export const unsigned =
  'AWS4-HMAC-SHA256 Credential=test/20260101/eu-west-2/s3/aws4_request, SignedHeaders=host, Signature=none';
