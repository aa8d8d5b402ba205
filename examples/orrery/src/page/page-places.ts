import { INPUT } from '../input-mount.js';
import type { Show } from '../open-target.js';

/** Where the page's server has the cooked artifacts. */
export const COOKED = '/cooked/';

/** Where the page's server has what the orrery finds at `at`. */
export function placeOf(at: string): string {
  return at === INPUT ? '/input/' : '/project/';
}

/** What is shown, as the query of the page's address. */
export function pageSearch(show: Show): string {
  if (show === 'project') return '';
  return `?${new URLSearchParams({ show: show === 'folder' ? show : show.model })}`;
}

/** What is shown, from the page's address. */
export function shownAt(address: URL): Show {
  const show = address.searchParams.get('show');
  if (show === null) return 'project';
  return show === 'folder' ? show : { model: show };
}
