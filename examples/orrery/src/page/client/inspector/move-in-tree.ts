/** Moves the focus between the items of a tree with the arrow keys, Home and End. */
export function moveInTree(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  const item = next === undefined ? undefined : items[next];
  if (item === undefined) return;
  event.preventDefault();
  item.focus();
}
