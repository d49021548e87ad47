/* Views of the page that are fetched, to show a part of them without losing the place in this one. */

/** The same page at another address, without running or loading anything of it. */
export async function pageAt(address) {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** The children of an element of a fetched page, for this one. */
export const copiesOf = (node) => [...node.childNodes].map((child) => document.importNode(child, true));

/** The view that the page shows, which going back changes. */
const shown = { search: location.search };

/** Notes that the address was changed to what the page shows now. */
export const noteShown = () => {
  shown.search = location.search;
};

// A link within the page, such as the one that skips to the content, comes here too.
window.addEventListener('popstate', () => {
  if (location.search !== shown.search) location.reload();
});
