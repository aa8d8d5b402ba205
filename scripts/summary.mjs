// Adds up the JSON reports of every workspace's tests into one closing line.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const total = { passed: 0, failed: 0, skipped: 0 };
const folders = ['packages', 'examples', 'tools'].flatMap((parent) =>
  readdirSync(parent).map((name) => join(parent, name)),
);
for (const folder of folders) {
  const reports = join(folder, '.reports');
  if (!existsSync(reports)) continue;
  for (const file of readdirSync(reports).filter((name) => name.endsWith('.json'))) {
    const report = JSON.parse(readFileSync(join(reports, file), 'utf8'));
    total.passed += report.numPassedTests;
    total.failed += report.numFailedTests;
    total.skipped += report.numPendingTests + report.numTodoTests;
    // A suite that could not be loaded has no tests to count, and is a failure all the same.
    if (!report.success && report.numFailedTests === 0) total.failed += 1;
  }
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
