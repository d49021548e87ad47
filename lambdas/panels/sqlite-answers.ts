import { packNear, unpackAgainst } from '../store/packed-against.ts';
import type { StateFile } from '../store/sqlite-file.ts';
import type { AnswerKey, AnswerStore } from './answer-store.ts';
import { openPanelStateAccess, type PanelStateAccess, type Row } from './sqlite-access.ts';

/** The answers of one catalogue, in the state file of a local run. */
export function createSqliteAnswers(file: StateFile, catalogue: string): AnswerStore {
  const access = openPanelStateAccess(file, catalogue);
  const { prepare, attempt, write, parsed } = access;
  const bases = createBases(access);

  const keyIn = ({ panel, version, valid_from: validFrom, source, read_at: readAt }: Row): AnswerKey => ({
    panelId: Number(panel),
    version: String(version),
    validFrom: BigInt(Number(validFrom)),
    source: source === 'archive' ? 'archive' : 'present',
    readAt: BigInt(Number(readAt)),
  });
  const bodyIn = ({ base, body }: Row): Buffer =>
    parsed(() => unpackAgainst(body as Uint8Array, bases.read(Number(base))));

  return {
    keep: ({ panelId, version, validFrom, source, readAt }, body) =>
      write(() => {
        const key = [catalogue, panelId, Number(validFrom), version, source] as const;
        const last = prepare(
          `SELECT base, body FROM panel_answer WHERE catalogue = ? AND panel = ? AND valid_from = ? AND version = ? AND source = ?
           ORDER BY read_at DESC LIMIT 1`,
        ).get(...key);
        if (last && bodyIn(last).equals(body)) return;
        const { base, packed } = bases.pack({ panelId, source }, body);
        prepare('INSERT OR REPLACE INTO panel_answer VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
          ...key,
          Number(readAt),
          base,
          packed,
        );
      }),
    of: (panelId) =>
      attempt('Reading', () =>
        prepare('SELECT * FROM panel_answer WHERE catalogue = ? AND panel = ? ORDER BY valid_from, read_at')
          .all(catalogue, panelId)
          .map(keyIn),
      ),
    read: ({ panelId, version, validFrom, source, readAt }) =>
      attempt('Reading', () => {
        const row = prepare(
          'SELECT base, body FROM panel_answer WHERE catalogue = ? AND panel = ? AND valid_from = ? AND version = ? AND source = ? AND read_at = ?',
        ).get(catalogue, panelId, Number(validFrom), version, source, Number(readAt));
        return row ? bodyIn(row) : null;
      }),
  };
}

/** The answers that others are compressed against, several for each panel; within an attempt. */
interface Bases {
  read(id: number): Buffer;
  /** Compresses an answer against the newest base, or makes it one. */
  pack(
    of: Pick<AnswerKey, 'panelId' | 'source'>,
    body: Uint8Array,
  ): { readonly base: number | bigint; readonly packed: Buffer };
}

function createBases({ catalogue, prepare }: PanelStateAccess): Bases {
  return {
    read: (id) => {
      const row = prepare('SELECT body FROM panel_answer_base WHERE id = ?').get(id);
      if (!row) throw new Error('an answer that others are compressed against is gone');
      return unpackAgainst(row.body as Uint8Array, null);
    },
    pack: ({ panelId, source }, body) => {
      const newest = prepare(
        'SELECT id, body FROM panel_answer_base WHERE catalogue = ? AND panel = ? AND source = ? ORDER BY id DESC LIMIT 1',
      ).get(catalogue, panelId, source);
      const { base, packed } = packNear(body, newest ? (newest.body as Uint8Array) : null);
      if (base === null) return { base: Number(newest?.id), packed };
      const { lastInsertRowid } = prepare(
        'INSERT INTO panel_answer_base (catalogue, panel, source, body) VALUES (?, ?, ?, ?)',
      ).run(catalogue, panelId, source, base);
      return { base: lastInsertRowid, packed };
    },
  };
}
