import { expect, test } from 'vitest';
import { parseCommandLine } from '../src/command-line.js';

test('everything has a default', () => {
  expect(parseCommandLine([])).toEqual({
    path: undefined,
    seconds: 5,
    fps: 60,
    asteroids: undefined,
    headless: false,
    page: false,
    plain: false,
    verbose: false,
    help: false,
  });
});

test('a path and options are taken in any order', () => {
  expect(
    parseCommandLine(['--seconds', '0.5', 'my model.glb', '--asteroids=100', '--verbose']),
  ).toMatchObject({ path: 'my model.glb', seconds: 0.5, asteroids: 100, verbose: true });
});

test.each([
  [['--seconds', 'soon'], '--seconds is "soon"'],
  [['--seconds', ''], '--seconds is ""'],
  [['--seconds=-1'], '--seconds is "-1"'],
  [['--asteroids', '1.5'], '--asteroids is "1.5"'],
  [['--asteroids', '60001'], '--asteroids is "60001"'],
  [['--fps', '0'], '--fps is "0"'],
  [['--size', '10x10'], '--size is "10x10"'],
  [['--size', 'big'], '--size is "big"'],
  [['--page', '--headless'], '--page serves a page'],
  [['--page', '--png', 'out.png'], '--page serves a page'],
  [['--fast'], '--fast'],
  [['a', 'b'], 'Too many paths: a, b'],
])('%j is refused and says how to call it', (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(message);
  expect(() => parseCommandLine(args)).toThrow('npm start -- --help');
});
