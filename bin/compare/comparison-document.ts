import { dayOf } from '../../lambdas/run/day-of.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { counted } from '../../lambdas/words/counted.ts';
import type { ReportDocument } from '../report/document.ts';
import type {
  ComparedCatalogue,
  ComparedField,
  ComparedPanel,
  Comparison,
  PanelPair,
} from './compare-catalogues.ts';

/** A comparison of two catalogues, as a person reads it: what differs first, then what only one of them has. */
export function comparisonDocument({ catalogues, panels, regions }: Comparison): ReportDocument {
  const [one, other] = catalogues;
  const differingPanels = panels.filter(({ differences }) => differences.length > 0);
  const differingRegions = regions.filter(({ differences }) => differences.length > 0);
  const lineOf = ({ field, values: [mine, theirs] }: ComparedField): string =>
    `${field}: ${mine ?? 'not stated'} in ${one.name}, ${theirs ?? 'not stated'} in ${other.name}`;
  return {
    title: `Gene panels of ${one.name} and ${other.name}`,
    summary: [
      ...catalogues.map(
        ({ name, panels: all, regions: held, listedAt }) =>
          `${name}: ${counted(all, 'panel')} and ${counted(held, 'region')}, listed ${dayOf(instantOf(listedAt))}.`,
      ),
      `${counted(panels.length, 'pair')} of panels by name or R code; ${differingPanels.length} differ.`,
      `${counted(regions.length, 'region')} in both by name; ${differingRegions.length} differ.`,
      'Genes and STRs are compared by their numbers: the listings do not name them.',
    ],
    sections: [
      ...differingPanels.map((pair) => ({
        heading: headingOf(pair),
        facts: [matchOf(pair), versionOf(one, pair.panels[0]), versionOf(other, pair.panels[1])],
        sections: [{ heading: 'Differences', lines: pair.differences.map(lineOf) }],
      })),
      ...differingRegions.map(({ name, differences }) => ({
        heading: `Region ${name}`,
        facts: [],
        sections: [{ heading: 'Differences', lines: differences.map(lineOf) }],
      })),
      ...catalogues.map(({ name, onlyHere }) => ({
        heading: `Only in ${name}`,
        facts: [],
        sections: [
          { heading: 'Panels', lines: onlyHere.panels.map(panelLine) },
          { heading: 'Regions', lines: onlyHere.regions },
        ].filter(({ lines }) => lines.length > 0),
      })),
    ],
  };
}

function headingOf({ panels: [one, other], sameName }: PanelPair): string {
  return sameName ? one.name : `${one.name} / ${other.name}`;
}

function matchOf({ codes, sameName }: PanelPair): string {
  const code = codes.length > 0 ? `R code ${codes.join(', ')}` : null;
  return `the same ${[code, sameName ? 'name' : null].filter((text) => text !== null).join(' and ')}`;
}

const versionOf = ({ name }: ComparedCatalogue, { id, version }: ComparedPanel): string =>
  `version ${version} in ${name} (panel ${id})`;

const panelLine = ({ id, name, version, codes }: ComparedPanel): string =>
  `${name} (${id}), version ${version}${codes.length > 0 ? `, ${codes.join(', ')}` : ''}`;
