import { passkeyScriptHash } from './passkey-script.js';
import { stylesHash } from './styles.js';

/** No `form-action`: browsers apply it to the redirect after the form too, which goes to the client. */
const policy = [
  "default-src 'none'",
  `style-src '${stylesHash}'`,
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
];

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy.join('; '),
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** Sent at the end of a session: the browser forgets what it keeps of this origin. Cookies are deleted by name, since those of other hosts of the site would go, too. */
export const endOfSessionHeaders = { 'clear-site-data': '"cache", "storage"' } as const;

/** The headers that differ on a page with passkeys: its script is allowed. */
export const passkeyPageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    ...policy,
    `script-src '${passkeyScriptHash}'`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
};
