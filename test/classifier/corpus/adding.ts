import { added, addedAs, addedWithUnknownTags, classified, commented, reviewed, tags } from './expected.ts';
import { BRCA1, type CorpusRow, HTT, ISCA, MT, on } from './row.ts';

/** `added` and `copied` in docs/wordings.md: entities added to a panel. */

const start = 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: Literature';
const literature = { sources: ['Literature'] };

// biome-ignore format: one wording a line
export const adding: readonly CorpusRow[] = [
  { on: BRCA1, text: start, form: 'added', draft: added(literature) },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: ', form: 'added', draft: added() },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: Expert List,Expert Review Green', form: 'added', draft: addedAs('green', ['Expert List', 'Expert Review Green']) },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: Expert Review Amber', form: 'added', draft: addedAs('amber', ['Expert Review Amber']) },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: Expert Review Red', form: 'added', draft: addedAs('red', ['Expert Review Red']) },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: Expert Review Removed', form: 'added', draft: addedAs('none', ['Expert Review Removed']) },
  // Sources that disagree carry no rating.
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: Expert Review Green,Expert Review Red', form: 'added', draft: added({ sources: ['Expert Review Green', 'Expert Review Red'] }) },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: Expert Review Green,Expert Review Green', form: 'added', draft: addedAs('green', ['Expert Review Green', 'Expert Review Green']) },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: Radboud University Medical Center, Nijmegen,UKGTN', form: 'added', draft: added({ sources: ['Radboud University Medical Center, Nijmegen', 'UKGTN'] }) },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources:  Great Ormond Street, London,UKGTN', form: 'added', draft: added({ sources: [' Great Ormond Street, London', 'UKGTN'] }) },
  { on: on('gene', 'BRCA1', 'A. Sources: B'), text: 'gene: BRCA1 was added\ngene: BRCA1 was added to A. Sources: B. Sources: C', form: 'added', draft: added({ sources: ['C'] }) },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: A. Sources: B', form: 'added', draft: added({ sources: ['A. Sources: B'] }) },
  // A panel that goes by another name than the row says
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Deafness. Sources: Literature', form: 'added', draft: added(literature) },
  { on: HTT, text: 'STR: HTT_CAG was added\nSTR: HTT_CAG was added to Hearing loss. Sources: NHS GMS', form: 'added', draft: added({ sources: ['NHS GMS'] }) },
  { on: ISCA, text: 'Region: ISCA-37390-Loss was added\nRegion: ISCA-37390-Loss was added to Hearing loss. Sources: Expert Review Green', form: 'added', draft: addedAs('green', ['Expert Review Green']) },
  { on: BRCA1, text: `${start}\nwatchlist tags were added to gene: BRCA1.`, form: 'added', draft: { ...added({ ...literature, tags: ['watchlist'] }), ...tags({ added: ['watchlist'] }) } },
  { on: BRCA1, text: `${start}\nQ3_23, de novo, v1.2. tags were added to gene: BRCA1.`, form: 'added', draft: { ...added({ ...literature, tags: ['Q3_23', 'de novo', 'v1.2.'] }), ...tags({ added: ['Q3_23', 'de novo', 'v1.2.'] }) } },
  { on: BRCA1, text: `${start}\nlocus-type-rna-lncrna, Skewed; X tags were added to gene: BRCA1.`, form: 'added', draft: { ...added({ ...literature, tags: ['locus-type-rna-lncrna', 'Skewed; X'] }), ...tags({ added: ['locus-type-rna-lncrna', 'Skewed; X'] }) } },
  // Where a tag may hold a comma, the split is uncertain.
  { on: BRCA1, text: `${start}\nwatchlist, Skewed, X tags were added to gene: BRCA1.`, form: 'added', draft: addedWithUnknownTags(literature) },
  // A panel's name with a line break
  { on: on('gene', 'BRCA1', 'Hearing\nloss'), text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing\nloss. Sources: Literature\nPenetrance for gene: BRCA1 were set to Complete', form: 'added', draft: added({ ...literature, penetrance: 'Complete' }) },
  { on: BRCA1, text: `${start}\nMode of inheritance for gene: BRCA1 was set to BIALLELIC, autosomal or pseudoautosomal`, form: 'added', draft: added({ ...literature, modeOfInheritance: 'BIALLELIC, autosomal or pseudoautosomal' }) },
  { on: BRCA1, text: `${start}\nMode of inheritance for gene: BRCA1 was set to `, form: 'added', draft: added({ ...literature, modeOfInheritance: null }) },
  { on: BRCA1, text: `${start}\nMode of inheritance for gene: BRCA1 was set to None`, form: 'added', draft: added({ ...literature, modeOfInheritance: null }) },
  // Written even where another value was stored
  { on: MT, text: 'gene: MT-ND1 was added\ngene: MT-ND1 was added to Hearing loss. Sources: \nMode of inheritance for gene gene: MT-ND1 was set to MITOCHONDRIAL', form: 'added', draft: added() },
  { on: HTT, text: 'STR: HTT_CAG was added\nSTR: HTT_CAG was added to Hearing loss. Sources: \nMode of inheritance for gene STR: HTT_CAG was set to MITOCHONDRIAL', form: 'added', draft: added() },
  { on: ISCA, text: 'Region: ISCA-37390-Loss was added\nRegion: ISCA-37390-Loss was added to Hearing loss. Sources: \nMode of inheritance for gene Region: ISCA-37390-Loss was set to MITOCHONDRIAL', form: 'added', draft: added() },
  { on: BRCA1, text: `${start}\nPublications for gene: BRCA1 were set to 28708303; PMID: 32275884 `, form: 'added', draft: added({ ...literature, publications: ['28708303', 'PMID: 32275884 '] }) },
  { on: BRCA1, text: `${start}\nPhenotypes for gene: BRCA1 were set to Kabuki syndrome 1, 147920; Ataxia\nwith second line`, form: 'added', draft: added({ ...literature, phenotypes: ['Kabuki syndrome 1, 147920', 'Ataxia\nwith second line'] }) },
  { on: BRCA1, text: `${start}\nPenetrance for gene: BRCA1 were set to Incomplete`, form: 'added', draft: added({ ...literature, penetrance: 'Incomplete' }) },
  { on: BRCA1, text: `${start}\nMode of pathogenicity for gene: BRCA1 was set to Other`, form: 'added', draft: added({ ...literature, modeOfPathogenicity: 'Other' }) },
  // Given to the software, but never stored
  { on: HTT, text: 'STR: HTT_CAG was added\nSTR: HTT_CAG was added to Hearing loss. Sources: \nMode of pathogenicity for STR: HTT_CAG was set to None', form: 'added', draft: added() },
  { on: ISCA, text: 'Region: ISCA-37390-Loss was added\nRegion: ISCA-37390-Loss was added to Hearing loss. Sources: \nMode of pathogenicity for Region: ISCA-37390-Loss was set to Other', form: 'added', draft: added() },
  { on: BRCA1, text: `${start}\nReview for gene: BRCA1 was set to GREEN\nAdded comment: Sources: Literature`, form: 'added', draft: { ...added(literature), ...reviewed({ rating: 'green' }), ...commented('Sources: Literature') } },
  { on: BRCA1, text: `${start}\nReview for gene: BRCA1 was set to AMBER`, form: 'added', draft: { ...added(literature), ...reviewed({ rating: 'amber' }) } },
  { on: BRCA1, text: `${start}\nReview for gene: BRCA1 was set to RED`, form: 'added', draft: { ...added(literature), ...reviewed({ rating: 'red' }) } },
  { on: BRCA1, text: `${start}\ngene: BRCA1 was marked as clinically relevant`, form: 'added', draft: { ...added(literature), ...reviewed({ clinicallyRelevant: true }) } },
  { on: BRCA1, text: `${start}\ngene: BRCA1 was marked as current diagnostic`, form: 'added', draft: { ...added(literature), ...reviewed({ currentDiagnostic: true }) } },
  { on: HTT, text: 'STR: HTT_CAG was added\nSTR: HTT_CAG was added to Hearing loss. Sources: \nSTR: HTT_CAG was marked as clinically relevant\nSTR: HTT_CAG was marked as current diagnostic', form: 'added', draft: { ...added(), ...reviewed({ clinicallyRelevant: true, currentDiagnostic: true }) } },
  { on: BRCA1, text: `${start}\nAdded comment: One family. \nSources: Literature`, form: 'added', draft: { ...added(literature), ...commented('One family. \nSources: Literature') } },
  { on: BRCA1, text: `${start}\nAdded comment: One family;\nanother one. \nSources: Literature`, form: 'added', draft: { ...added(literature), ...commented('One family;\nanother one. \nSources: Literature') } },
  { on: BRCA1, text: `${start}\nAdded comment:  \nSources: Literature`, form: 'added', draft: { ...added(literature), ...commented(' \nSources: Literature') } },
  // Without sources, a comment that was given is dropped.
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: \nAdded comment: Sources: ', form: 'added', draft: { ...added(), ...commented('Sources: ') } },
  {
    on: ISCA,
    text: [
      'Region: ISCA-37390-Loss was added',
      'Region: ISCA-37390-Loss was added to Hearing loss. Sources: Expert List,Expert Review Red',
      'mosaicism tags were added to Region: ISCA-37390-Loss.',
      'Mode of inheritance for Region: ISCA-37390-Loss was set to MONOALLELIC, autosomal or pseudoautosomal',
      'Publications for Region: ISCA-37390-Loss were set to 12345678',
      'Phenotypes for Region: ISCA-37390-Loss were set to Ataxia; 608716',
      'Penetrance for Region: ISCA-37390-Loss were set to Complete',
      'Mode of pathogenicity for Region: ISCA-37390-Loss was set to None',
      'Review for Region: ISCA-37390-Loss was set to GREEN',
      'Region: ISCA-37390-Loss was marked as clinically relevant',
      'Region: ISCA-37390-Loss was marked as current diagnostic',
      'Added comment: Reported twice. ',
      'Sources: Expert List, Expert Review Red',
    ].join('\n'),
    form: 'added',
    draft: {
      ...added({
        rating: 'red', sources: ['Expert List', 'Expert Review Red'], tags: ['mosaicism'], penetrance: 'Complete',
        modeOfInheritance: 'MONOALLELIC, autosomal or pseudoautosomal', publications: ['12345678'], phenotypes: ['Ataxia', '608716'],
      }),
      ...classified('red', { from: null, direction: 'new' }),
      ...tags({ added: ['mosaicism'] }),
      ...reviewed({ rating: 'green', clinicallyRelevant: true, currentDiagnostic: true }),
      ...commented('Reported twice. \nSources: Expert List, Expert Review Red'),
    },
  },
  {
    on: HTT,
    text: [
      'STR: HTT_CAG was added',
      'STR: HTT_CAG was added to Hearing loss. Sources: Literature',
      'STR tags were added to STR: HTT_CAG.',
      'Mode of inheritance for STR: HTT_CAG was set to ',
      'Publications for STR: HTT_CAG were set to 1; 2',
      'Phenotypes for STR: HTT_CAG were set to Ataxia',
      'Penetrance for STR: HTT_CAG were set to unknown',
      'Review for STR: HTT_CAG was set to AMBER',
      'Added comment: Sources: Literature',
    ].join('\n'),
    form: 'added',
    draft: {
      ...added({ ...literature, tags: ['STR'], modeOfInheritance: null, publications: ['1', '2'], phenotypes: ['Ataxia'], penetrance: 'unknown' }),
      ...tags({ added: ['STR'] }),
      ...reviewed({ rating: 'amber' }),
      ...commented('Sources: Literature'),
    },
  },
  // Newer software writes the origin of a copy in a row of the entity.
  { on: BRCA1, text: 'Entity copied from Ataxia v1.3', form: 'copied', draft: added({ copiedFrom: 'Ataxia' }) },
  { on: HTT, text: 'Entity copied from Ataxia v2 v10.0', form: 'copied', draft: added({ copiedFrom: 'Ataxia v2' }) },
  { on: ISCA, text: 'Entity copied from Entity copied from Ataxia v0.1', form: 'copied', draft: added({ copiedFrom: 'Entity copied from Ataxia' }) },
];
