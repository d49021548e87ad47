/** What differs by the width of the screen. */
export const screenStyle = `
/* Wide: filters beside the stream, and an open event beside both */

@media (min-width: 1100px) {
  .columns {
    grid-template-columns: 250px minmax(0, 1fr);
    gap: 28px;
  }
  .with-event .columns {
    grid-template-columns: minmax(0, 1fr) minmax(420px, 40%);
  }
  .with-event .side {
    grid-column: 1;
    grid-row: 1;
  }
  .with-event .stream {
    grid-column: 1;
  }
  aside.event {
    scroll-margin-top: 100vh;
  }
  .with-event aside.event {
    grid-column: 2;
    grid-row: 1 / span 2;
  }
  aside.event article {
    position: sticky;
    top: 16px;
    max-height: calc(100vh - 32px);
    overflow-y: auto;
  }
  .changes:not(.with-event) .filters {
    border: 0;
    background: none;
  }
  .changes:not(.with-event) .filters form {
    columns: auto;
    padding: 0;
  }
  @supports selector(::details-content) {
    .changes:not(.with-event) .filters summary {
      display: none;
    }
    .changes:not(.with-event) .filters::details-content {
      content-visibility: visible;
      display: block;
    }
  }
}

@media (min-width: 1500px) {
  .with-event .columns {
    grid-template-columns: 230px minmax(0, 1fr) minmax(460px, 38%);
  }
  .with-event .side {
    grid-row: auto;
  }
  .with-event .stream {
    grid-column: 2;
  }
  .with-event aside.event {
    grid-column: 3;
    grid-row: 1;
  }
  .with-event .filters {
    border: 0;
    background: none;
  }
  .with-event .filters form {
    columns: auto;
    padding: 0;
  }
  @supports selector(::details-content) {
    .with-event .filters summary {
      display: none;
    }
    .with-event .filters::details-content {
      content-visibility: visible;
      display: block;
    }
  }
}

/* Narrow: an open event in place of the stream */

@media (max-width: 1099px) {
  .with-event .side,
  .with-event .stream {
    display: none;
  }
}

@media (max-width: 640px) {
  .notice {
    margin: 16px 14px;
    padding: 16px 18px;
  }
  .stream .notice {
    margin: 16px 0;
  }
  .top {
    grid-template-columns: 1fr auto;
    padding: 10px 14px 0;
  }
  .search {
    grid-column: 1 / -1;
    justify-self: stretch;
  }
  .search input {
    flex: 1;
    width: auto;
  }
  .status {
    grid-column: 1 / -1;
    grid-row: 2;
  }
  .search {
    grid-row: 3;
  }
  .top nav {
    grid-row: 4;
  }
  .highlights {
    gap: 5px;
  }
  .highlights a,
  .highlights span {
    padding: 2px 9px;
    font-size: 0.93em;
  }
  .highlights .none {
    display: none;
  }
  .columns,
  .page {
    padding-left: 14px;
    padding-right: 14px;
  }
  li.event {
    grid-template-columns: 2.7rem minmax(0, 1fr);
  }
  li.event .who {
    grid-column: 2;
    text-align: left;
    max-width: none;
  }
  .known > div {
    display: block;
  }
  .line {
    grid-template-columns: 6.4rem minmax(0, 1fr);
    gap: 8px;
  }
  .timeline .wide {
    display: none;
  }
  aside.event article {
    padding: 14px;
  }
  table.plain,
  .plain tbody,
  .plain tr,
  .plain td,
  .plain tbody th {
    display: block;
  }
  .plain thead {
    position: absolute;
    clip-path: inset(50%);
    width: 1px;
    height: 1px;
    overflow: hidden;
  }
  .plain tr {
    display: flex;
    flex-wrap: wrap;
    gap: 0 14px;
    padding: 6px 0;
    border-bottom: 1px solid var(--line);
  }
  .plain td,
  .plain tbody th {
    border: 0;
    padding: 1px 0;
  }
}
`;
