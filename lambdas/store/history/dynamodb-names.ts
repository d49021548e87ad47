import { hash } from 'node:crypto';
import type { PanelEvent } from '../../events/schemas.ts';
import { nameKey } from '../../filters/name-key.ts';
import { createNameBook, type NameBook, namingsOf } from '../../filters/names.ts';
import type { Clock } from '../../run/clock.ts';
import { inGroups } from '../../run/in-groups.ts';
import type { Instant } from '../../run/instant.ts';
import { type Item, number, text } from '../dynamodb-call.ts';
import { ABSENT, type DynamoTable, keyItem } from '../dynamodb-table.ts';
import { wasRecorded } from './dynamodb-items.ts';
import { historyPartitions } from './table-keys.ts';

/** How long names that were read are used, in milliseconds. */
const KEPT_FOR = 60_000;

/** A sort key has at most 1,024 bytes. */
const LONGEST_NAME = 150;
/** Writes at the same time. */
const PARALLEL = 16;

interface NamesOptions {
  readonly table: DynamoTable;
  readonly clock: Pick<Clock, 'now'>;
  /** The catalogues that the history has. */
  readonly catalogues: () => Promise<readonly string[]>;
  /** Names that were recorded later are not read. */
  readonly asOf?: Instant | undefined;
}

interface DynamoNames {
  /** Keeps the names that events of one catalogue give. */
  keep(catalogue: string, events: readonly PanelEvent[], recorded: Instant): Promise<void>;
  /** The names that events gave to panels and entities: of one catalogue, or of every one. A function may read its own alone. */
  read(only?: string): Promise<NameBook>;
}

/** The names in the history's table: an item for each name of a panel, for each renaming of an entity, and for each symbol of a gene. */
export function createDynamoNames({ table, clock, catalogues, asOf }: NamesOptions): DynamoNames {
  /** By catalogue; of all under the empty text. */
  const read = new Map<string, { readonly names: NameBook; readonly at: number }>();
  /** The sort keys of the items, as far as this process knows, by catalogue. */
  const kept = new Map<string, Set<string>>();

  const itemsOf = (catalogue: string): AsyncIterable<Item> =>
    table.query({ pk: partitionOf(catalogue), consistent: false });

  const keptOf = async (catalogue: string): Promise<Set<string>> => {
    const known = kept.get(catalogue);
    if (known) return known;
    const keys = new Set<string>();
    for await (const { sk } of itemsOf(catalogue)) keys.add(sk?.S ?? '');
    kept.set(catalogue, keys);
    return keys;
  };

  return {
    async keep(catalogue, events, recorded) {
      if (events.length === 0) return;
      const keys = await keptOf(catalogue);
      const items = new Map(events.flatMap(namingsIn));
      const fresh = [...items].filter(([sk]) => !keys.has(sk));
      if (fresh.length === 0) return;
      const pk = partitionOf(catalogue);
      await inGroups(PARALLEL, fresh, ([sk, naming]) => {
        const value = text(JSON.stringify(naming));
        return table.putIf({ ...keyItem({ pk, sk }), recorded: number(recorded), value }, ABSENT);
      });
      for (const [sk] of fresh) keys.add(sk);
      read.clear();
    },
    async read(only) {
      const known = read.get(only ?? '');
      if (known && clock.now() - known.at < KEPT_FOR) return known.names;
      const book = createNameBook();
      for (const catalogue of only === undefined ? await catalogues() : [only]) {
        for await (const item of itemsOf(catalogue)) if (wasRecorded(item, asOf)) learnItem(book, item);
      }
      read.set(only ?? '', { names: book, at: clock.now() });
      return book;
    },
  };
}

type Namings = ReturnType<typeof namingsOf>;
/** What an item holds: one of these. */
interface KeptNaming {
  readonly naming?: Namings['namings'][number];
  readonly renaming?: Namings['renamings'][number];
  readonly identity?: Namings['identities'][number];
}

/** The items, by their sort keys, of the names that an event gives. */
function namingsIn(event: PanelEvent): readonly (readonly [sk: string, KeptNaming])[] {
  const { namings, renamings, identities } = namingsOf(event);
  return [
    ...namings.map((naming) => [`panel#${naming.id}#${sortKeyOf(naming.name)}`, { naming }] as const),
    ...renamings.map((renaming) => {
      const names = [renaming.from, renaming.to].map(sortKeyOf).join('#');
      return [`renaming#${renaming.panelId}#${names}`, { renaming }] as const;
    }),
    ...identities.map((identity) => {
      const names = [identity.hgncId, identity.name].map(sortKeyOf).join('#');
      return [`gene#${names}`, { identity }] as const;
    }),
  ];
}

/** The name in a sort key. A long one is cut, and followed by its hash. */
function sortKeyOf(name: string): string {
  const key = nameKey(name);
  return key.length <= LONGEST_NAME
    ? key
    : `${key.slice(0, LONGEST_NAME)}~${hash('sha256', key).slice(0, 32)}`;
}

function learnItem(book: NameBook, { value }: Item): void {
  const { naming, renaming, identity } = JSON.parse(value?.S ?? '{}') as KeptNaming;
  if (naming) book.learnPanel(naming);
  if (renaming) book.learnRenaming(renaming);
  if (identity) book.learnIdentity(identity);
}

const partitionOf = (catalogue: string): string => `${historyPartitions(catalogue)}names`;
