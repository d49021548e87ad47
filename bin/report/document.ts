import type { Report } from '../../lambdas/questions/read-report.ts';
import {
  greenSections,
  type PanelSection,
  panelSection,
  type Section,
  summaryLines,
  warningLines,
} from './report-lines.ts';

/** The content of a report in plain text: the layouts escape it. */
export interface ReportDocument {
  readonly title: string;
  /** Sentences below the title. */
  readonly summary: readonly string[];
  /** Sentences about what is missing. */
  readonly warnings?: readonly string[];
  /** The greens of all panels, for layouts that have tables. */
  readonly overview?: readonly Section[];
  readonly sections: readonly PanelSection[];
}

/** The net changes of a period, panel by panel. */
export function documentOf(report: Report): ReportDocument {
  const { panels } = report.changes;
  const severalCatalogues = new Set(panels.map(({ catalogue }) => catalogue)).size > 1;
  return {
    title: `Changes of gene panels: ${report.title}`,
    summary: summaryLines(report),
    warnings: warningLines(report),
    overview: greenSections(panels, severalCatalogues),
    sections: panels.map((panel) => panelSection(panel, severalCatalogues)),
  };
}
