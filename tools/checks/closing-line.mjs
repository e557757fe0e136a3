/** Prints what failed and the closing line, and sets the exit code. */
export const close = ({ passed, skipped = 0, faults }, before = '') => {
  if (faults.length > 0) console.log(`\nfailed:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  const left = skipped > 0 ? `, ${skipped} skipped` : '';
  console.log(`\n${before}${passed} passed, ${faults.length} failed${left}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
};
