/** An item may have 400 kB, its keys and other attributes included. */
export const PART_BYTES = 380_000;

/** A value in parts that each fit into an item of DynamoDB. */
export const inParts = (packed: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(packed.length / PART_BYTES) }, (_, part) =>
    packed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
  );
