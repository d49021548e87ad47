import type { LogRow } from '../catalogue/log-row.ts';
import type { Instant } from '../run/instant.ts';
import type { LogCursor } from './log-cursor.ts';
import type { LogPage } from './log-page.ts';
import type { RowNumbers } from './row-numbers.ts';
import { createTie, type Tie } from './tie.ts';
import type { WatermarkLimit } from './watermark-limit.ts';

/** How often to read the pages of an incomplete tie again. */
const TIE_READS = 2;

interface TieReader {
  /** The rows of a page, and those of the tie below it, which is completed first. */
  rowsOf(page: LogPage): Promise<readonly LogRow[]>;
  /** Rows of the log vanished: which rows of the tie were read is unknown. */
  lose(): void;
}

interface TieReaderOptions {
  readonly numbers: RowNumbers;
  /** Rows that were published, with their times. */
  readonly seen: ReadonlyMap<string, Instant | null>;
  readonly floor: Instant;
  readonly limit: WatermarkLimit;
}

/** Reads rows of one microsecond that lie across pages. */
export function createTieReader(
  cursor: () => LogCursor,
  { numbers, seen, floor, limit }: TieReaderOptions,
): TieReader {
  let tie: Tie | null = null;

  /** Reads the pages of a tie again, until every row of it is known. */
  const complete = async (open: Tie, page: LogPage): Promise<void> => {
    for (let reads = 0; reads < TIE_READS; reads++) {
      const { count } = cursor();
      const spanned = count === null ? [page.number, page.number + 1] : open.pagesIn(count);
      for (const number of spanned) {
        if (open.isComplete()) return;
        const again = await cursor().readPage(number);
        if (again) open.add(again);
      }
    }
    if (open.isComplete()) return;
    limit.set(open.at, 'Rows of one instant lie across pages of the log, and perhaps not all were seen', {
      rows: open.rows.size,
    });
  };

  return {
    async rowsOf(page) {
      const open = tie;
      const goesOn = open?.add(page) ?? false;
      if (open?.isSpread && !goesOn && open.at >= floor) await complete(open, page);
      if (!goesOn) tie = createTie(page, { numbers, seen });
      return [...page.rows, ...(open?.rows.values() ?? [])];
    },
    lose: () => tie?.lose(),
  };
}
