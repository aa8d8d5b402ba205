import { expect, test } from 'vitest';
import { play } from './guides/browser-page.js';

test('the page of the guide plays until it goes away', async () => {
  const canvas = document.createElement('canvas');
  document.body.append(canvas);
  let over = false;
  const playing = play(canvas).then(() => {
    over = true;
  });
  for (let i = 0; i < 10; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(over).toBe(false);
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }));
  await playing;
  expect(over).toBe(true);
  canvas.remove();
});
