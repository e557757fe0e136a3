const unreleased = '## [Unreleased]';

/** The section of a version, by kinds of changes, without its heading; undefined when there is none. */
export const readSection = (changelog, version) => {
  const heading = version === undefined ? unreleased : `## [${version}]`;
  const [, section] = changelog.split(`\n${heading}`);
  if (section === undefined) return undefined;
  const [first, ...rest] = section.split('\n## ')[0].split('\n');
  return { date: first.replace(' - ', ''), text: rest.join('\n').trim() };
};

/** The changelog with what was unreleased under a version and a date. */
export const closeSection = (changelog, version, date) => {
  if (!readSection(changelog)?.text) throw new Error('CHANGELOG.md has nothing under [Unreleased]');
  if (readSection(changelog, version)) throw new Error(`CHANGELOG.md has a section for ${version} already`);
  return changelog.replace(`\n${unreleased}\n`, `\n${unreleased}\n\n## [${version}] - ${date}\n`);
};
