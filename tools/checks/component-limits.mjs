/** Days from the finding to the update, by the severity of the advisory; `none` is a newer version without an advisory. */
export const limitDays = { critical: 7, high: 30, moderate: 90, low: 180, none: 365 };

const daysBetween = (from, to) => Math.floor((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** The components of a record that are past their limit on a day, one sentence each. */
export const overdue = ({ components }, today) =>
  components.flatMap(({ name, version, severity, since }) => {
    const [days, limit] = [daysBetween(since, today), limitDays[severity] ?? limitDays.low];
    if (days <= limit) return [];
    return [`${name} ${version} (${severity}) was found ${days} days ago; the limit is ${limit} days: update it`];
  });

/** The components of a record with what was found today. A finding that was known keeps its date, and one that is gone is left out. */
export const updated = ({ components }, found, today) =>
  found
    .map((each) => {
      const known = components.find(
        ({ name, version, severity }) => name === each.name && version === each.version && severity === each.severity,
      );
      return { ...each, since: known?.since ?? today };
    })
    .sort((a, b) => `${a.name} ${a.version}`.localeCompare(`${b.name} ${b.version}`));

/** The advisories that `npm audit --json` reports. */
export const advisoriesIn = (audit, { packages }) =>
  Object.values(audit.vulnerabilities ?? {}).flatMap(({ name, severity, nodes }) =>
    [...new Set(nodes.map((node) => packages[node]?.version))].map((version) => ({ name, version, severity })),
  );

/** Advisories, and the newer versions of `npm outdated --json` of components without one. */
export const findings = (outdated, advisories) => {
  const newer = Object.entries(outdated).flatMap(([name, rows]) =>
    [...new Set([rows].flat().map(({ current }) => current))].map((version) => ({ name, version, severity: 'none' })),
  );
  return [...advisories, ...newer.filter(({ name }) => !advisories.some((each) => each.name === name))];
};
