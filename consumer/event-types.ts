// Made from lambdas/events by npm run docs; do not edit it.

/** The rating of a gene, STR or region on a panel. */
export type Rating = 'green' | 'amber' | 'red' | 'none';

/**
 * `activity`, or absent: in the log. `listing`: by comparing two listings. `snapshot`: by comparing what the panel held at two versions, or in the list of signed-off versions.
 */
export type Via = 'activity' | 'listing' | 'snapshot';

/** What two versions of a panel say of one gene, STR or region. */
export interface ComparedEntity {
  entity: {
    type: 'gene' | 'str' | 'region';
    name: string;
    hgncId?: string;
  };
  /** `absent`: the version does not hold it. Null: the catalogue did not serve it. */
  before: (Rating | 'absent') | null;
  /** `absent`: the version does not hold it. Null: the catalogue did not serve it. */
  after: (Rating | 'absent') | null;
  /** In the later version. */
  modeOfInheritance: string | null;
}

/** What a panel of one of two compared catalogues says of a gene, STR or region. */
export interface DisagreementSide {
  /** `absent`: the panel was read, and does not hold it. */
  rating: Rating | 'absent';
  /** As the catalogue writes them; of a super panel several. */
  modesOfInheritance: string[];
  /** Since when it is rated so, or has this mode of inheritance, in UTC. */
  since: string;
  /** False where it may have been so earlier. */
  sinceIsExact: boolean;
  /** The signed-off version; null where none is, or it was not read. */
  signedOff: {
    version: string;
    date: string;
    /** Null where it is unknown. */
    rating: (Rating | 'absent') | null;
  } | null;
  /** Who rated it last; like the comment, null where no event that was read says. */
  ratedBy: string | null;
  /** What somebody wrote about it last. */
  comment: string | null;
  /** Who wrote it. */
  commentBy: string | null;
}

/** A gene, STR or region on a panel. */
export interface Entity {
  type: 'gene' | 'str' | 'region';
  /** Gene symbol, or name of the STR or region, as the catalogue spells it. */
  name: string;
  /** Such as `HGNC:1100`. It stays the same where the symbol changes. Absent where the panel was not read. */
  hgncId?: string;
  /** Of GRCh38, in the newest release that the catalogue gives. */
  ensemblId?: string;
  /** Of the gene in OMIM. */
  omimIds?: string[];
}

/** The panel that changed, as far as it is known. */
export interface EventPanel {
  /** Null where the catalogue had deleted the panel when the row was read. */
  id: number | null;
  /** The name at the time of the change. */
  name: string;
  /** The version after the change; null in rows from before June 2018. */
  version: string | null;
  /** Slugs of the panel types, such as `gms-signed-off`. */
  types?: string[];
  diseaseGroup?: string;
  diseaseSubGroup?: string;
  /** Disorder names and test-directory codes such as R59. */
  relevantDisorders?: string[];
  /** Whether one of the types says that some version of the panel is signed off. */
  signedOff?: boolean;
  /** The super panels that hold the panel, where the catalogue lists them. */
  superPanels?: {
    id: number;
    name: string;
  }[];
  /** The version that was signed off at the time of the change; hardly ever `version`. */
  signedOffVersion?: string;
  /** The day from which it is signed off, such as `2024-03-06`; it may lie in the future. */
  signedOffDate?: string;
  /**
   * When the list of public panels was read that gave these facts, in UTC. Later rows replace facts that they state.
   */
  factsReadAt?: string;
}

/** A row of the log as received, under the names of the catalogue. */
export interface Row {
  /** Present where the text was cut, to fit into a message. */
  textTruncated?: true;
  [k: string]: unknown;
}

/** The attributes of CloudEvents 1.0 that every event has. */
export interface Envelope {
  specversion: '1.0';
  /** The same change read again has the same id. */
  id: string;
  /** The catalogue's `/api/v1/` URL. */
  source: string;
  /** `panels/<id>` or `panels/<id>/<entity type>/<entity name>`. */
  subject?: string;
  /**
   * When the change happened, in UTC with six fractional digits. The row's `created`; when a listing was read or a disagreement found; or when the version began whose state shows the change, or just after the last row of that entity in it. Absent where the row has no usable time.
   */
  time?: string;
  datacontenttype: 'application/json';
  dataschema: string;
}

/** What the `data` of every event holds. */
export interface Common {
  /** Name of the catalogue, as configured. */
  catalogue: string;
  /** Display name of the curator or reviewer; null where the row names none. */
  actor: string | null;
  /** One sentence for people, complete in itself. */
  summary: string;
  /**
   * True where a later change was published before: the row appeared late, or a change without a row was found after a later event of its entity.
   */
  late: boolean;
  /** The rows of the log that state the change, as received. Empty where no row states it. */
  activities: Row[];
  /** The id of an event that stated something false: this one takes its place. */
  corrects?: string;
  /**
   * With `corrects`: the version that the corrected event named, where the change was already in an earlier one.
   */
  correctedVersion: string;
}

/** A gene, STR or region was rated on a panel. */
export interface EntityClassified {
  /** The previous rating; null where it is unknown. */
  from: Rating | null;
  /** The rating now; null where the log does not state it. */
  to: Rating | null;
  /** From `from` to `to`; `new` for an entity that was just added. */
  direction: 'upgraded' | 'downgraded' | 'new' | 'unchanged' | 'unknown';
  via?: Via;
}

/** A panel got a new major version. */
export interface PanelPromoted {
  /** The version that the panel was promoted to. */
  version: string;
  /** The last version known before; null where none is known. */
  previousVersion: string | null;
  via: Via;
}

/** A version of the panel was signed off, or a sign-off was withdrawn. */
export interface PanelSignedOff {
  /** False where a signed-off version was withdrawn. */
  signedOff: boolean;
  /** The version that was signed off or withdrawn, where the log names it. */
  version?: string;
  /** The date of the sign-off, such as `2024-03-06`, where the log names it. */
  date?: string;
  /**
   * The version that is signed off, by the list of signed-off versions; hardly ever `panel.version`. Absent where the list was not read.
   */
  signedOffVersion?: string;
  /** The day from which it is signed off, such as `2024-03-06`; it may lie in the future. */
  signedOffDate?: string;
  /** The version that was signed off before. Absent where none is known. */
  previousSignedOffVersion?: string;
  previousSignedOffDate?: string;
  /** What the sign-off changed. Webhooks add it; the topics and the history do not have it. */
  comparison?: {
    /** Green in the version that is signed off, and not in the one before. */
    entered: ComparedEntity[] | null;
    /** Green in the one before, and no longer in the one that is signed off. */
    left: ComparedEntity[] | null;
    /** Green in the newest version that is known, and not in the one that is signed off. */
    awaiting: ComparedEntity[] | null;
    /** Green in the one that is signed off, and no longer in the newest one that was read. */
    downgraded: ComparedEntity[] | null;
    /** All that is green, where what was signed off before is unknown. */
    green: ComparedEntity[] | null;
    /** The newest version that is known. */
    newest: string | null;
    /** Another sign-off that counts at present. */
    counting: {
      version: string;
      date: string;
    } | null;
    /** Whether the lists hold only what the subscription asks for. */
    filtered: boolean;
    /** What could not be compared, in sentences. Its list is null, never empty. */
    unknown: string[];
  };
  via: Via;
}

/** Tags of a gene, STR or region were added or removed. */
export interface EntityTagsChanged {
  added: string[];
  removed: string[];
  via?: Via;
}

/** A gene, STR or region was added to a panel. */
export interface EntityAdded {
  /** From an `Expert Review …` source; null where the log does not state the rating. */
  rating: Rating | null;
  sources: string[];
  /** Absent where they cannot be separated; then there is no `entity.tags-changed` either. */
  tags?: string[];
  /** Name of the panel that the entity was copied from. */
  copiedFrom: string | null;
  modeOfInheritance?: string | null;
  modeOfPathogenicity?: string | null;
  penetrance?: string | null;
  phenotypes?: string[];
  publications?: string[];
  via?: Via;
}

/** A gene, STR or region was removed from a panel. */
export interface EntityRemoved {
  /** The last rating known; null where none is. */
  rating: Rating | null;
  via?: Via;
}

/** A gene was replaced by another symbol, or an STR or region was renamed. */
export interface EntityRenamed {
  /** The name before. */
  from: string;
  /** The name now. */
  to: string;
  via?: Via;
}

/** What a panel says of a gene, STR or region was changed, apart from its rating and tags. */
export interface EntityAnnotated {
  changes: {
    field:
      | 'modeOfInheritance'
      | 'modeOfPathogenicity'
      | 'phenotypes'
      | 'publications'
      | 'penetrance'
      | 'transcript'
      | 'sources'
      | 'gene'
      | 'verboseName'
      | 'chromosome'
      | 'coordinates'
      | 'repeats'
      | 'dosage'
      | 'variantType'
      | 'requiredOverlapPercentage'
      | 'hgncId';
    /**
     * Which of several: `GRCh37` or `GRCh38` (coordinates), `sequence`, `normal` or `pathogenic` (repeats), `haploinsufficiency` or `triplosensitivity` (dosage), `all` (every source that curators gave was removed).
     */
    aspect?: string;
    from?: string | string[] | null;
    to?: string | string[] | null;
    added?: string[];
    removed?: string[];
  }[];
  /**
   * Null where it is unknown. Stated with a change of the mode of inheritance; and the last one known, where the source of the rating was removed.
   */
  rating?: Rating | null;
  via?: Via;
}

/** Somebody reviewed a gene, STR or region, or edited their review. */
export interface EntityReviewed {
  /** The reviewer's own rating, not the panel's. */
  rating?: Rating | null;
  modeOfPathogenicity?: string | null;
  /** Also absent where the items cannot be separated. */
  publications?: string[];
  /** Also absent where the items cannot be separated. */
  phenotypes?: string[];
  modeOfInheritance?: string | null;
  currentDiagnostic?: boolean;
  clinicallyRelevant?: boolean;
  /** The comment given with an edited review, where the log holds it. */
  comment?: string;
  /** True where an earlier review was changed; then only what changed is given. */
  edited: boolean;
}

/** Somebody deleted their review. */
export type EntityReviewDeleted = Record<string, never>;

/** A comment was added, edited or deleted. */
export interface EntityCommented {
  /** Null where the log does not hold the text. */
  comment: string | null;
  action: 'added' | 'edited' | 'deleted';
  previousComment?: string | null;
}

/** Reviews of a gene, STR or region were copied from another panel. */
export interface EntityReviewsCopied {
  /** Name of the other panel. */
  fromPanel: string;
}

/** A curator marked a gene, STR or region as ready. */
export type EntityMarkedReady = Record<string, never>;

/** A panel was created. */
export interface PanelCreated {
  name: string;
  relatedPanels?: string[];
  childPanels?: string[];
  types?: string[];
}

/** A panel was deleted. */
export interface PanelDeleted {
  name: string;
}

/** A panel became public. */
export interface PanelPublished {
  via: Via;
}

/** A panel is no longer public. */
export interface PanelWithdrawn {
  via: Via;
}

/** The name, status, types or other properties of a panel were changed. */
export interface PanelChanged {
  changes: {
    field:
      | 'name'
      | 'description'
      | 'status'
      | 'types'
      | 'childPanels'
      | 'relatedPanels'
      | 'hpoTerms'
      | 'diseaseGroup'
      | 'diseaseSubGroup'
      | 'relevantDisorders'
      | 'version'
      | 'numberOfGenes'
      | 'numberOfStrs'
      | 'numberOfRegions';
    from?: string | string[] | null;
    to?: string | string[] | null;
  }[];
  via?: Via;
}

/**
 * Two catalogues that are compared stand otherwise to each other: a gene, STR or region became green in one alone, or red or unrated against green; it is green in both and its modes of inheritance now differ; or both agree again.
 */
export interface EntityDisagreement {
  /**
   * Where it was green before: `here`, in `data.catalogue` alone; `there`, in the other one alone; `…-two-steps`, the same, and red or unrated in the other of the two; `inheritance`, in both, with modes of inheritance of other groups; `agreed`, in both or in neither.
   */
  from: 'here' | 'there' | 'here-two-steps' | 'there-two-steps' | 'inheritance' | 'agreed';
  /** Where it is green now, in the same words. */
  to: 'here' | 'there' | 'here-two-steps' | 'there-two-steps' | 'inheritance' | 'agreed';
  /** What the panel of `data.catalogue` says. */
  here: DisagreementSide;
  /** What the panel of the other catalogue says that belongs to this one. */
  there: DisagreementSide & {
    catalogue: string;
    panel: {
      id: number;
      name: string;
      version: string;
    };
    /** What the entity is called there; null where the panel does not hold it. */
    name: string | null;
  };
}

/** No template matches a row of the log, or the row is invalid; a person should look at it. */
export interface ActivityUnclassified {
  /**
   * `unknown-text`: no template matches. `unknown-line`: no template matches some lines; the others are events of their own. `invalid-row`: the row could not be read or sent.
   */
  reason: 'unknown-text' | 'unknown-line' | 'invalid-row';
  /** What was wrong with the row, or which lines no template matches. */
  detail?: string;
  /** The wording without names, numbers and free text: equal for texts of one wording. */
  shape?: string;
  /** The row as received. */
  row: {
    [k: string]: unknown;
  };
}

/** Which events someone wants to see. */
export interface Filter {
  /**
   * Names of catalogues, as configured.
   *
   * @minItems 1
   */
  catalogues?: readonly string[];
  /**
   * Ids or names of panels. Any name that a panel ever had finds it.
   *
   * @minItems 1
   */
  panels?: readonly (number | string)[];
  /**
   * Slugs of panel types, such as `gms-signed-off`.
   *
   * @minItems 1
   */
  panelTypes?: readonly string[];
  /**
   * Codes of the National Genomic Test Directory. `R59` matches `R59.3` too.
   *
   * @minItems 1
   */
  rCodes?: readonly string[];
  /**
   * Names of genes, STRs or regions, in any letter case, or HGNC ids such as HGNC:1100. A symbol that HGNC replaced finds its gene on every panel; one that a curator replaced by another gene finds that gene on this panel. An id finds its gene under every symbol. Aliases find nothing.
   *
   * @minItems 1
   */
  genes?: readonly string[];
  /** @minItems 1 */
  entityTypes?: readonly ('gene' | 'str' | 'region')[];
  /** @minItems 1 */
  topics?: (
    | 'classifications'
    | 'promotions'
    | 'tags'
    | 'membership'
    | 'annotations'
    | 'reviews'
    | 'panels'
    | 'disagreements'
    | 'unclassified'
  )[];
  /**
   * Event types, with or without `gene-panel.` and `.v1`.
   *
   * @minItems 1
   */
  types?: (
    | 'entity.classified'
    | 'panel.promoted'
    | 'panel.signed-off'
    | 'entity.tags-changed'
    | 'entity.added'
    | 'entity.removed'
    | 'entity.renamed'
    | 'entity.annotated'
    | 'entity.reviewed'
    | 'entity.review-deleted'
    | 'entity.commented'
    | 'entity.reviews-copied'
    | 'entity.marked-ready'
    | 'panel.created'
    | 'panel.deleted'
    | 'panel.published'
    | 'panel.withdrawn'
    | 'panel.changed'
    | 'entity.disagreement'
    | 'activity.unclassified'
    | 'gene-panel.entity.classified.v1'
    | 'gene-panel.panel.promoted.v1'
    | 'gene-panel.panel.signed-off.v1'
    | 'gene-panel.entity.tags-changed.v1'
    | 'gene-panel.entity.added.v1'
    | 'gene-panel.entity.removed.v1'
    | 'gene-panel.entity.renamed.v1'
    | 'gene-panel.entity.annotated.v1'
    | 'gene-panel.entity.reviewed.v1'
    | 'gene-panel.entity.review-deleted.v1'
    | 'gene-panel.entity.commented.v1'
    | 'gene-panel.entity.reviews-copied.v1'
    | 'gene-panel.entity.marked-ready.v1'
    | 'gene-panel.panel.created.v1'
    | 'gene-panel.panel.deleted.v1'
    | 'gene-panel.panel.published.v1'
    | 'gene-panel.panel.withdrawn.v1'
    | 'gene-panel.panel.changed.v1'
    | 'gene-panel.entity.disagreement.v1'
    | 'gene-panel.activity.unclassified.v1'
  )[];
  /**
   * Ratings before; only `entity.classified` matches.
   *
   * @minItems 1
   */
  from?: readonly ('green' | 'amber' | 'red' | 'none' | 'unknown')[];
  /**
   * Ratings after; only `entity.classified` matches.
   *
   * @minItems 1
   */
  to?: readonly ('green' | 'amber' | 'red' | 'none' | 'unknown')[];
  /**
   * Only `entity.classified` matches.
   *
   * @minItems 1
   */
  direction?: readonly ('upgraded' | 'downgraded' | 'new' | 'unchanged' | 'unknown')[];
  /**
   * What the change means for the green list: `now` green; `maybe-now`: rated green, perhaps green before; `no-longer` green: downgraded, unrated or removed; `maybe-no-longer`: the rating before is unknown, or the rating was lost with its source.
   *
   * @minItems 1
   */
  green?: readonly ('now' | 'maybe-now' | 'no-longer' | 'maybe-no-longer')[];
  /**
   * Modes of inheritance before a change of them: a group (`mono`, `bi`, `both`, `x`, `mitochondrial`, `other`, `unknown`) or the text of the catalogue, in any letter case. Only `entity.annotated` matches.
   *
   * @minItems 1
   */
  inheritanceFrom?: readonly string[];
  /**
   * Modes of inheritance after a change of them, as for `inheritanceFrom`.
   *
   * @minItems 1
   */
  inheritanceTo?: readonly string[];
  /**
   * Tags that were added or removed, in any letter case.
   *
   * @minItems 1
   */
  tags?: readonly string[];
  /**
   * Display names of curators and reviewers, in any letter case.
   *
   * @minItems 1
   */
  actors?: readonly string[];
  /** Only late events, or none of them. */
  late?: boolean;
}

/** What changed, by kind of event. */
export interface Changes {
  readonly 'entity.classified': EntityClassified;
  readonly 'panel.promoted': PanelPromoted;
  readonly 'panel.signed-off': PanelSignedOff;
  readonly 'entity.tags-changed': EntityTagsChanged;
  readonly 'entity.added': EntityAdded;
  readonly 'entity.removed': EntityRemoved;
  readonly 'entity.renamed': EntityRenamed;
  readonly 'entity.annotated': EntityAnnotated;
  readonly 'entity.reviewed': EntityReviewed;
  readonly 'entity.review-deleted': EntityReviewDeleted;
  readonly 'entity.commented': EntityCommented;
  readonly 'entity.reviews-copied': EntityReviewsCopied;
  readonly 'entity.marked-ready': EntityMarkedReady;
  readonly 'panel.created': PanelCreated;
  readonly 'panel.deleted': PanelDeleted;
  readonly 'panel.published': PanelPublished;
  readonly 'panel.withdrawn': PanelWithdrawn;
  readonly 'panel.changed': PanelChanged;
  readonly 'entity.disagreement': EntityDisagreement;
  readonly 'activity.unclassified': ActivityUnclassified;
}

/** What each kind of event is about. */
export interface About {
  readonly 'entity.classified': 'entity';
  readonly 'panel.promoted': 'panel';
  readonly 'panel.signed-off': 'panel';
  readonly 'entity.tags-changed': 'entity';
  readonly 'entity.added': 'entity';
  readonly 'entity.removed': 'entity';
  readonly 'entity.renamed': 'entity';
  readonly 'entity.annotated': 'entity';
  readonly 'entity.reviewed': 'entity';
  readonly 'entity.review-deleted': 'entity if named';
  readonly 'entity.commented': 'entity if named';
  readonly 'entity.reviews-copied': 'entity';
  readonly 'entity.marked-ready': 'entity';
  readonly 'panel.created': 'panel';
  readonly 'panel.deleted': 'panel';
  readonly 'panel.published': 'panel';
  readonly 'panel.withdrawn': 'panel';
  readonly 'panel.changed': 'panel';
  readonly 'entity.disagreement': 'entity';
  readonly 'activity.unclassified': 'row';
}
