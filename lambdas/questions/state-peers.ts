import type { StateEntity } from '../panels/version-state.ts';
import { formatInstant } from '../run/instant.ts';
import { onOneLine } from '../run/unprintable.ts';
import type { NamedState } from './state-bed.ts';

/** The green genes of states in a file that another program loads. Source: docs/panel-states.md, "Choose a format". */
interface GeneFile {
  readonly text: string;
  /** Sentences about what is not in the file. */
  readonly notes: readonly string[];
}

/** So many names are written out in a sentence. */
const MOST_NAMED = 20;

const greenGenes = ({ state }: NamedState): readonly StateEntity[] =>
  state.entities.filter(({ rating, type }) => rating === 'green' && type === 'gene');

/** A gene panel as Scout loads one. It knows genes by their HGNC numbers. */
export function scoutPanel(states: readonly NamedState[]): GeneFile {
  const [only, ...others] = states;
  if (!only) return { text: '', notes: ['The file is empty: the answer has no gene, STR or region.'] };
  if (others.length > 0)
    return {
      text: '',
      notes: [`The file is empty: Scout loads one panel from a file, and the answer has ${states.length}.`],
    };
  const { state } = only;
  const genes = new Map<string, { readonly name: string; readonly models: Set<string> }>();
  const unnumbered: string[] = [];
  for (const { name, hgncId, modeOfInheritance } of greenGenes(only)) {
    const [, number] = /^HGNC:(\d+)$/.exec(hgncId ?? '') ?? [];
    if (number === undefined) {
      unnumbered.push(name);
      continue;
    }
    // A super panel may hold a gene several times.
    const gene = genes.get(number) ?? { name, models: new Set() };
    for (const model of modelsOf(modeOfInheritance)) gene.models.add(model);
    genes.set(number, gene);
  }
  const lines = [
    `##panel_id=panel-${state.panelId}`,
    `##version=${state.version}`,
    `##date=${formatInstant(state.validFrom).slice(0, 10)}`,
    `##display_name=${onOneLine(state.panelName)}`,
    '#hgnc_id\thgnc_symbol\tinheritance_models',
    ...[...genes].map(
      ([number, { name, models }]) => `${number}\t${onOneLine(name)}\t${[...models].join(',')}`,
    ),
  ];
  const isAmbiguous = String(Number(state.version)) !== state.version;
  return {
    text: `${lines.join('\n')}\n`,
    notes: [
      ...(genes.size === 0 ? ['The file has no gene: none with an HGNC id is green.'] : []),
      ...leftOut(unnumbered, 'no HGNC id'),
      ...(isAmbiguous
        ? [`Scout reads the version as a number: ${state.version} is ${Number(state.version)} there.`]
        : []),
    ],
  };
}

/** A list of genes as seqr takes one: Ensembl ids of GRCh38, which no change of a symbol touches. */
export function seqrGenes(states: readonly NamedState[]): GeneFile {
  const green = states.flatMap(greenGenes);
  const ids = new Set(green.flatMap(({ ensemblIds }) => ensemblIds.GRCh38 ?? []));
  const without = green.filter(({ ensemblIds }) => ensemblIds.GRCh38 === null).map(({ name }) => name);
  return {
    text: [...ids].map((id) => `${id}\n`).join(''),
    notes: leftOut(without, 'no Ensembl id of GRCh38'),
  };
}

function leftOut(names: readonly string[], lack: string): readonly string[] {
  const own = [...new Set(names)].sort();
  if (own.length === 0) return [];
  const more = own.length > MOST_NAMED ? ` and ${own.length - MOST_NAMED} more` : '';
  return [
    `Green genes that have ${lack} are not in the file: ${own.slice(0, MOST_NAMED).join(', ')}${more}.`,
  ];
}

/** The models of a mode of inheritance, by the words with which the catalogue begins its fixed list. */
function modelsOf(mode: string | null | undefined): readonly string[] {
  const text = mode ?? '';
  if (/^BOTH/i.test(text)) return ['AD', 'AR'];
  if (/^MONOALLELIC/i.test(text)) return ['AD'];
  if (/^BIALLELIC/i.test(text)) return ['AR'];
  if (/^X-LINKED.*\bbiallelic/i.test(text)) return ['XR'];
  if (/^X-LINKED.*\bmonoallelic/i.test(text)) return ['XD'];
  return /^MITOCHONDRIAL/i.test(text) ? ['MT'] : [];
}
