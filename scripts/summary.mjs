// Adds up the JSON reports of every workspace's tests into one closing line.
//   node scripts/summary.mjs [repository root]
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = process.argv[2] ?? join(import.meta.dirname, '..');
const total = { passed: 0, failed: 0, skipped: 0 };

function add({ success, numPassedTests, numFailedTests, numPendingTests, numTodoTests }) {
  const counts = [numPassedTests, numFailedTests, numPendingTests, numTodoTests];
  if (!counts.every(Number.isInteger)) throw new Error('it holds no counts of tests');
  total.passed += numPassedTests;
  total.failed += numFailedTests;
  total.skipped += numPendingTests + numTodoTests;
  // A suite that could not be loaded has no tests to count, and is a failure all the same.
  if (!success && numFailedTests === 0) total.failed += 1;
}

for (const parent of ['packages', 'examples', 'tools']) {
  for (const name of readdirSync(join(root, parent))) {
    const reports = join(root, parent, name, '.reports');
    if (!existsSync(reports)) continue;
    for (const file of readdirSync(reports).filter((report) => report.endsWith('.json'))) {
      try {
        add(JSON.parse(readFileSync(join(reports, file), 'utf8')));
      } catch (error) {
        // Cut off in the middle, say: whatever it was about to report did not pass.
        console.error(`summary: ${join(reports, file)}: ${error.message}`);
        total.failed += 1;
      }
    }
  }
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
