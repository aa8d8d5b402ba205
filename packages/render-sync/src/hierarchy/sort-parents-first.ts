import { EclipticError } from '@ecliptic/core';
import { NO_NODE, type ParentLinks } from './parent-links.js';

/**
 * The nodes in use, breadth first: roots, their children, and so on, each generation in the order of
 * the one before. O(nodes), for any depth.
 *
 * @throws EclipticError `render-sync/parent-cycle`
 */
export function sortParentsFirst(tree: ParentLinks): Int32Array {
  const order = new Int32Array(tree.size);
  let count = 0;
  for (let node = 0; node < tree.end; node++) {
    if (tree.owner[node] !== 0 && tree.parent[node] === NO_NODE) order[count++] = node;
  }
  for (let next = 0; next < count; next++) {
    let child = tree.firstChild[order[next] as number] as number;
    for (; child !== NO_NODE; child = tree.nextSibling[child] as number) order[count++] = child;
  }
  if (count < order.length) throw cycle(tree, order.subarray(0, count));
  return order;
}

/** What no root leads to is in a cycle or under one: going up from there ends in the cycle. */
function cycle(tree: ParentLinks, reached: Int32Array): EclipticError {
  const seen = new Set(reached);
  let node = 0;
  while (tree.owner[node] === 0 || seen.has(node)) node++;
  for (let steps = 0; steps < tree.size; steps++) node = tree.parent[node] as number;
  const path = [tree.owner[node] as number];
  for (let up = tree.parent[node] as number; up !== node; up = tree.parent[up] as number) {
    path.push(tree.owner[up] as number);
  }
  const start = path.indexOf(Math.min(...path));
  const from = [...path.slice(start), ...path.slice(0, start)];
  const shown = from.length > 12 ? [...from.slice(0, 10), '…', from.at(-1)] : from;
  return new EclipticError(
    'render-sync/parent-cycle',
    `Parents form a cycle: ${[...shown, from[0]].join(' → ')}`,
    {
      subjects: { path: from },
      fix: 'Give one of these entities another parent, or none.',
    },
  );
}
