import { expect, test } from 'vitest';
import { changesSince } from '../src/client/changes-since.js';

const listed = (path: string, size = 1, modified = 1) => ({ path, size, modified });
const known = (path: string) => ({ path, listed: listed(path) });

test('what a list of files has, lacks, or has otherwise are changes', () => {
  const now = [listed('/same'), listed('/size', 2), listed('/time', 1, 2), listed('/new')];
  const before = ['/same', '/size', '/time', '/gone'].map(known);
  expect(changesSince(before, now)).toEqual([
    { kind: 'modified', path: '/size', entry: 'file' },
    { kind: 'modified', path: '/time', entry: 'file' },
    { kind: 'removed', path: '/gone', entry: 'file' },
    { kind: 'created', path: '/new', entry: 'file' },
  ]);
});

test('a file of which only the path is known may be another one', () => {
  expect(changesSince([{ path: '/a' }], [listed('/a')])).toEqual([
    { kind: 'modified', path: '/a', entry: 'file' },
  ]);
});
