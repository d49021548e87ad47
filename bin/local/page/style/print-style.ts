/** What differs on paper. */
export const printStyle = `
@media print {
  :root {
    color-scheme: light;
    font-size: 10.5pt;
    --paper: #ffffff;
  }
  .top,
  .side,
  .skip,
  .inline,
  .pager,
  .tools,
  .highlights,
  #new-changes,
  .close,
  .tabs {
    display: none;
  }
  .columns,
  .page {
    display: block;
    padding: 0;
    max-width: none;
  }
  a {
    color: inherit;
    text-decoration: none;
  }
  section.panel {
    break-inside: avoid;
  }
  .rating {
    print-color-adjust: exact;
    -webkit-print-color-adjust: exact;
  }
}
`;
