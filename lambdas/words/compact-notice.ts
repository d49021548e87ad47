import type { Notice } from './notice.ts';

/** The notice without the lines below its rows and the addresses of their entities, for a channel that has no space for them. */
export const compactNotice = (notice: Notice): Notice => ({
  ...notice,
  blocks: notice.blocks.map((block) =>
    block.kind !== 'group'
      ? block
      : {
          ...block,
          parts: block.parts.map((part) => ({
            ...part,
            rows: part.rows.map(({ more: _more, address: _address, ...row }) => row),
          })),
        },
  ),
});
