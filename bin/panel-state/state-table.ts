import type { VersionState } from '../../lambdas/panels/version-state.ts';
import { byRating, type NamedState } from '../../lambdas/questions/state-rows.ts';
import { formatInstant } from '../../lambdas/run/instant.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { ratingWord } from '../../lambdas/words/phrase.ts';
import { textTable } from '../text-table.ts';

/** States for a person: of each panel what it is a state of, and then its entities in columns. */
export function stateTable(states: readonly NamedState[]): string {
  return states.map(tableOf).join('\n');
}

const heading = ['rating', 'name', 'HGNC', 'Ensembl', 'inheritance', 'GRCh38', 'tags'] as const;

function tableOf({ catalogue, state }: NamedState): string {
  const isSuper = state.entities.some(({ child }) => child !== null);
  const rows = byRating(state.entities).map((entity) => [
    entity.rating === null ? 'unknown' : ratingWord(entity.rating),
    entity.type === 'gene' ? entity.name : `${entity.name} (${entity.type})`,
    entity.hgncId ?? '',
    entity.ensemblIds.GRCh38 ?? '',
    shortInheritance(entity.modeOfInheritance),
    entity.locations.GRCh38 ?? '',
    (entity.tags ?? ['?']).join(', '),
    ...(isSuper ? [entity.child?.name ?? ''] : []),
  ]);
  const columns = isSuper ? [...heading, 'from'] : [...heading];
  return [...headerOf(catalogue, state), '', ...textTable([columns, ...rows]), ''].join('\n');
}

function headerOf(catalogue: string, state: VersionState): readonly string[] {
  const { panelId, panelName, hashId, version, validFrom, validTo, entityCount, greenCount } = state;
  const older = hashId === null ? '' : `, older id ${hashId}`;
  const until = validTo === null ? '' : ` until ${minuteOf(validTo)}`;
  return [
    `${printable(panelName)} (${panelId}${printable(older)}), version ${version} of ${catalogue}, from ${minuteOf(validFrom)}${until}`,
    `${greenCount} green of ${entityCount} genes, STRs and regions; ${sourceOf(state)}`,
    `SHA-256 ${state.sha256}`,
  ];
}

function sourceOf({ source, readAt, version }: VersionState): string {
  return source === 'archive'
    ? `as version ${version} was at its end, by the archive of the catalogue, read ${minuteOf(readAt)}`
    : `as it was when it was read, ${minuteOf(readAt)}`;
}

/** `2026-02-01 10:15Z` */
const minuteOf = (at: bigint): string => `${formatInstant(at).slice(0, 16).replace('T', ' ')}Z`;

/** The first words of the catalogue's fixed list, which the rest explains. */
function shortInheritance(mode: string | null | undefined): string {
  if (mode === undefined) return '?';
  const [first = ''] = (mode ?? '').split(/[,:(]/);
  return first.trim();
}
