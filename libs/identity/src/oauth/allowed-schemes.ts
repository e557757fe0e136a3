/** The schemes of the redirect addresses of well-known MCP clients; docs/identity.md has their sources. */
export const wellKnownSchemes: readonly string[] = [
  'claude',
  'code-oss',
  'cursor',
  'goose',
  'kiro',
  'raycast',
  'void',
  'vscode',
  'vscode-insiders',
  'vscodium',
  'vscodium-insiders',
  'warp',
  'windsurf',
  'windsurf-next',
  'zed',
];

/** Schemes that run code, read data or reach a service instead of an app that waits for the code. */
const dangerous = new Set(
  (
    'javascript vbscript livescript mocha data file blob filesystem about view-source jar wyciwyg feed resource chrome ' +
    'chrome-extension moz-extension edge intent itms-services applescript hcp its content search search-ms res mhtml mk urn tel sms mailto shell ' +
    'ftp ftps sftp ws wss ssh telnet gopher ldap ldaps smb nfs dict news nntp'
  ).split(' '),
);

// `ms-…` schemes open parts of Windows and Office, many of which accept commands.
export const isDangerous = (name: string): boolean => dangerous.has(name) || name.startsWith('ms-');

/** The reason why an operator must not allow a scheme in redirect URIs; undefined when there is none. */
function faultOfAllowedScheme(name: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]{0,63}$/.test(name)) return 'must be the name of a scheme, in lower case and without a colon';
  if (isDangerous(name) || name === 'http' || name === 'https') return `must not allow the scheme ${name}`;
  return undefined;
}

export interface AllowedSchemes {
  schemes: readonly string[];
  /** Messages about entries that are not allowed. */
  faults: readonly string[];
}

/** Reads a list such as `default,myapp,-raycast`: `default` stands for the well-known schemes, `-` removes one. */
export function readAllowedSchemes(text: string): AllowedSchemes {
  const schemes = new Set<string>();
  const faults: string[] = [];
  for (const entry of text.split(',').map((each) => each.trim())) {
    const name = entry.replace(/^-/, '');
    if (entry === '') continue;
    if (entry === 'default') wellKnownSchemes.forEach((each) => schemes.add(each));
    else if (entry === name) {
      const fault = faultOfAllowedScheme(name);
      if (fault === undefined) schemes.add(name);
      else faults.push(fault);
    } else if (!schemes.delete(name))
      faults.push(`removes ${name}, which no entry before it allows: begin with default`);
  }
  return { schemes: [...schemes], faults };
}
