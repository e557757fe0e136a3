/** Prints the names of tests under a title, if there are any. */
export const list = (title, tests) => {
  if (tests.length > 0) console.log(`\n${title}:\n${tests.map((test) => `  ${test}`).join('\n')}`);
};

/** Prints what failed and the closing line, and sets the exit code. */
export const close = ({ passed, skipped = 0, faults }, before = '') => {
  list('failed', faults);
  const left = skipped > 0 ? `, ${skipped} skipped` : '';
  console.log(`\n${before}${passed} passed, ${faults.length} failed${left}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
};
